import { type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { withMeta } from './object-meta.ts'
import type { WriteRequest } from './write-request.ts'

const WARNING =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: '

/** Owners that stand twice in an object are kept once, and the client gets a warning. */
export function dropDuplicateOwners(object: KubeObject, { warn }: WriteRequest): KubeObject {
  const { ownerReferences = [] } = object.metadata
  if (ownerReferences.length < 2) return object
  const isRepeated = (index: number): boolean =>
    ownerReferences.slice(0, index).some((other) => jsonEquals(other as JsonValue, ownerReferences[index] as JsonValue))
  const kept = ownerReferences.filter((_reference, index) => !isRepeated(index))
  if (kept.length === ownerReferences.length) return object
  const repeated = ownerReferences.filter((_reference, index) => isRepeated(index)).map(({ uid }) => uid)
  warn(WARNING + [...new Set(repeated)].join(', '))
  return withMeta(object, { ownerReferences: kept })
}
