import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { nearestName } from '../../../core/base/nearest-name.ts'
import { isSlip } from './is-slip.ts'
import type { DanglingReference, ReferenceRule } from './reference-rule.ts'

/** Fields that name an object of a kind, by the field around them, or by themselves. */
const REFERENCES: Readonly<Record<string, string>> = {
  'configMapKeyRef.name': 'ConfigMap',
  'configMapRef.name': 'ConfigMap',
  'configMap.name': 'ConfigMap',
  'secretKeyRef.name': 'Secret',
  'secretRef.name': 'Secret',
  'secret.secretName': 'Secret',
  'secret.name': 'Secret',
  'tls.secretName': 'Secret',
  'persistentVolumeClaim.claimName': 'PersistentVolumeClaim',
  'service.name': 'Service',
  'spec.serviceName': 'Service',
  'spec.serviceAccountName': 'ServiceAccount',
}

/** Names that are almost those of an object which the role makes itself. */
export const misspeltNames: ReferenceRule = (object, own) => {
  const found: DanglingReference[] = []
  const check = (kind: string, name: string, path: JsonPath): void => {
    const names = own.names(kind, object)
    const nearest = names.includes(name)
      ? undefined
      : nearestName(
          name,
          names.filter((one) => isSlip(name, one)),
        )
    if (nearest === undefined) return
    const message = `the role makes no ${kind} "${name}", and one that is almost called so`
    found.push({ path, message, hint: `did you mean \`${nearest}\`?`, severity: 'warning' })
  }
  const walk = (value: JsonValue | undefined, path: JsonPath): void => {
    if (isJsonArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    if (!isJsonObject(value)) return
    const around = path.filter((step) => typeof step === 'string').at(-1)
    const { kind, name } = value
    if (typeof kind === 'string' && typeof name === 'string') check(kind, name, [...path, 'name'])
    for (const [key, inner] of Object.entries(value)) {
      const wanted = REFERENCES[`${around}.${key}`]
      if (wanted !== undefined && typeof inner === 'string') check(wanted, inner, [...path, key])
      else walk(inner, [...path, key])
    }
  }
  const { metadata: _metadata, ...rest } = object
  const { kind: _kind, ...fields } = rest
  walk(fields, [])
  return found
}
