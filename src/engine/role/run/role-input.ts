import { deepFreeze, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { dropNulls } from '../../expression/drop-nulls.ts'

/**
 * What `$` means in a role: the resource without its status, managedFields and resourceVersion, frozen, without nulls.
 *
 * The status is left out so that a run depends on what is wanted and on other objects, never on what an earlier run said.
 */
export function roleInput(resource: KubeObject): JsonObject {
  const { status: _status, metadata, ...rest } = resource
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...kept } = metadata
  return deepFreeze(dropNulls({ ...rest, metadata: kept as JsonValue }) as JsonObject)
}
