import { deepFreeze, type JsonObject, type JsonValue } from '../base/json.ts'
import { dropNulls } from '../expression/drop-nulls.ts'
import type { KubeObject } from '../kube/object.ts'

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
