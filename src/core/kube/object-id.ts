import { formatGroupKind, type GroupKind, gvkOf } from './group-version-kind.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from './object.ts'

/** Identifies an object in a cluster, without the version of its kind: `Deployment.apps default/web`. */
export function objectId(kind: GroupKind, key: ObjectKey): string {
  return `${formatGroupKind(kind)} ${formatKey(key)}`
}

export function idOf(object: KubeObject): string {
  return objectId(gvkOf(object), keyOf(object))
}
