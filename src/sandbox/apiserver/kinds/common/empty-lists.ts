import { getPath, isJsonArray, type JsonPath } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { setPath } from './fields.ts'

/** An empty list of those that are always sent belongs to its writer, and is sent as null from then on. */
export function emptyListsAsNull(
  ...paths: readonly JsonPath[]
): Record<'prepareForCreate' | 'prepareForUpdate', (object: KubeObject) => KubeObject> {
  const prepare = (object: KubeObject): KubeObject => paths.reduce(withNull, object)
  return { prepareForCreate: prepare, prepareForUpdate: prepare }
}

function withNull(object: KubeObject, path: JsonPath): KubeObject {
  const list = getPath(object, path)
  return isJsonArray(list) && list.length === 0 ? setPath(object, path, null) : object
}
