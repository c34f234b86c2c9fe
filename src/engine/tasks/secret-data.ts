import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** A Secret with more in its data. @throws TaskFailure `Invalid` when the data that it has is not a map */
export function withData(secret: KubeObject, more: JsonObject): KubeObject {
  const data = secret.data ?? {}
  if (!isJsonObject(data)) throw new TaskFailure('Invalid', '`data` is not a map')
  return { ...secret, data: { ...data, ...more } }
}
