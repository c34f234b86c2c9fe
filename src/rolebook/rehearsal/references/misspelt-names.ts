import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { nearestName } from '../../../core/base/nearest-name.ts'
import type { ReferenceRule, StrayReference } from './reference-rules.ts'

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

/** The shortest name that a slip is looked for in, and how many letters a slip may change. */
const SHORTEST = 5
const MOST_LETTERS = 2

/** Names that are almost those of an object which the role makes itself. */
export const misspeltNames: ReferenceRule = (object, own) => {
  const found: StrayReference[] = []
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

/** Whether a name is another one with a letter left out, doubled or swapped; not one with a number or a part of its own. */
function isSlip(name: string, other: string): boolean {
  const digits = (text: string): string => text.replace(/\D/g, '')
  const isNear = Math.abs(name.length - other.length) <= MOST_LETTERS && name.length >= SHORTEST
  const parts = (text: string): number => text.split(/[-.]/).length
  return isNear && digits(name) === digits(other) && parts(name) === parts(other) && isAlmost(name, other)
}

/** Whether all but a few letters in the middle are the same. */
function isAlmost(name: string, other: string): boolean {
  const least = Math.min(name.length, other.length)
  let start = 0
  while (start < least && name[start] === other[start]) start++
  let end = 0
  while (end < least - start && name.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(name.length, other.length) - start - end <= MOST_LETTERS
}
