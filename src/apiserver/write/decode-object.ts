import type { KubeObject } from '../../kube/object.ts'
import type { WriteRequest } from './write-request.ts'

/** From a parsed body to an object of the kind: unknown fields dropped, defaults filled in. */
export function decodeObject({ resource }: WriteRequest, body: KubeObject): KubeObject {
  const { rules } = resource
  const decoded = rules.decode ? rules.decode(body) : body
  return rules.applyDefaults ? rules.applyDefaults(decoded) : decoded
}
