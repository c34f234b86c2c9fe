import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { goJsonError } from '../../../core/schema/go-json-error.ts'
import { jsonKindOf } from '../patch/patch-error.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, immutable, invalid, required } from './common/field-errors.ts'
import { objectAt, sortedEntries, textAt, withDefaults } from './common/fields.ts'
import { withoutField } from './common/strategies.ts'
import { encodedBytes, entryCount, validateFrozen, validateKeys, validateSize } from './config-map.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'Secret' }

export const secret: KindRules = {
  gvk,
  applyDefaults: (object) => withDefaults(mergeStringData(object), { type: 'Opaque' }),
  validate: (object, old) => [
    ...(old ? immutable('type', object.type, old.type) : []),
    ...(old ? validateFrozen(object, old, ['data']) : []),
    ...validateKeys(objectAt(object, 'data'), 'data'),
    ...validateSize(encodedBytes(objectAt(object, 'data')), 'data'),
    ...validateType(object),
  ],
  warnings: keyPairWarnings,
  fieldSelectors: { type: (object) => textAt(object, 'type') },
  columns: columnsOf(gvk, {
    Type: (object) => textAt(object, 'type'),
    Data: (object) => entryCount(object, 'data'),
  }),
}

/** `stringData` is for writing only: it ends up encoded in `data`, and wins there. */
function mergeStringData(object: KubeObject): KubeObject {
  if (object.stringData === undefined) return object
  const encoded = sortedEntries(objectAt(object, 'stringData')).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ])
  return {
    ...withoutField(object, 'stringData'),
    data: { ...objectAt(object, 'data'), ...Object.fromEntries(encoded) },
  }
}

const NEEDED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'kubernetes.io/dockercfg': ['.dockercfg'],
    'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
    'kubernetes.io/ssh-auth': ['ssh-privatekey'],
    'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  }),
)

/** What secrets of the well-known types must hold. */
function validateType(object: KubeObject): FieldErrors {
  const type = textAt(object, 'type')
  const data = objectAt(object, 'data')
  if (type === 'kubernetes.io/service-account-token') return validateAccount(object)
  if (type === 'kubernetes.io/basic-auth') {
    const keys = ['username', 'password']
    return keys.some((key) => data[key] !== undefined) ? [] : keys.map((key) => required(`data[${key}]`))
  }
  return (NEEDED.get(type) ?? []).flatMap((key) => {
    const isMissing = key === 'ssh-privatekey' ? textAt(data, key) === '' : data[key] === undefined
    if (isMissing) return [required(`data[${key}]`)]
    return key.startsWith('.docker') ? validateJson(data, key) : []
  })
}

/** What keeps a key pair from being one, as far as it can be seen without reading the certificate. */
function keyPairWarnings(object: KubeObject): readonly string[] {
  if (object.type !== 'kubernetes.io/tls') return []
  const isPem = (key: string): boolean =>
    /^-----BEGIN .*-----$/m.test(Buffer.from(textAt(objectAt(object, 'data'), key), 'base64').toString())
  if (!isPem('tls.crt')) return ['tls: failed to find any PEM data in certificate input']
  return isPem('tls.key') ? [] : ['tls: failed to find any PEM data in key input']
}

function validateAccount({ metadata }: KubeObject): FieldErrors {
  const name = metadata.annotations?.['kubernetes.io/service-account.name'] ?? ''
  return name === '' ? [required('metadata.annotations[kubernetes.io/service-account.name]')] : []
}

function validateJson(data: JsonObject, key: string): FieldErrors {
  const text = Buffer.from(textAt(data, key), 'base64').toString()
  const complaint = goJsonError(text) ?? objectError(JSON.parse(text))
  return complaint === undefined ? [] : [invalid(`data[${key}]`, '<secret contents redacted>', complaint)]
}

function objectError(value: JsonValue): string | undefined {
  if (value === null || isJsonObject(value)) return undefined
  return `json: cannot unmarshal ${jsonKindOf(value)} into Go value of type map[string]interface {}`
}
