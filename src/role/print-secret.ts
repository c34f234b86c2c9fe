import { isJsonObject, type JsonValue } from '../base/json.ts'
import { REDACTED } from '../base/redactor.ts'
import type { KubeObject } from '../kube/object.ts'
import type { Secrecy } from './secrecy.ts'

/** An object as people may see it: of a Secret the names of its values, of everything else what is no secret. */
export function withoutSecrets(object: KubeObject, secrecy: Secrecy): KubeObject {
  return secrecy.redactValue(withoutValues(object) as JsonValue) as KubeObject
}

function withoutValues(object: KubeObject): KubeObject {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return object
  const hidden = ['data', 'stringData'].flatMap((field) => {
    const values = object[field]
    return isJsonObject(values) ? [[field, Object.fromEntries(Object.keys(values).map((key) => [key, REDACTED]))]] : []
  })
  return { ...object, ...Object.fromEntries(hidden) }
}
