import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import { REDACTED } from '../../core/base/redactor.ts'
import type { KubeObject, ObjectMeta } from '../../core/kube/object.ts'
import type { Secrecy } from './secrecy.ts'

/** An object as people may see it: of a Secret the names of its values, of everything else what is no secret. */
export function withoutSecrets(object: KubeObject, secrecy: Secrecy): KubeObject {
  const { apiVersion, kind, metadata, ...content } = withoutValues(object)
  const shown = secrecy.redactValue(content as JsonObject) as JsonObject
  return { apiVersion, kind, metadata: redactMetadata(metadata, secrecy), ...shown }
}

/** What every object has stays to be found under its name, also when a Secret holds a manifest, and with it these words. */
const METADATA = ['name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences']

function redactMetadata(metadata: ObjectMeta, secrecy: Secrecy): ObjectMeta {
  const fields = Object.entries(metadata as JsonObject).map(([field, value]) => {
    return [METADATA.includes(field) ? field : secrecy.redact(field), value && secrecy.redactValue(value)] as const
  })
  return Object.fromEntries(fields)
}

function withoutValues(object: KubeObject): KubeObject {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return object
  const hidden = ['data', 'stringData'].flatMap((field) => {
    const values = object[field]
    return isJsonObject(values) ? [[field, Object.fromEntries(Object.keys(values).map((key) => [key, REDACTED]))]] : []
  })
  return { ...object, ...Object.fromEntries(hidden) }
}
