import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import messages from './messages.generated.json' with { type: 'json' }
import { convertWellKnown } from './well-known-types.ts'
import { type WireField, WireReader } from './wire-reader.ts'

/** What every body of Go clients begins with. */
const MAGIC = Buffer.from('k8s\0')

/**
 * The object in an `application/vnd.kubernetes.protobuf` body, as the JSON that a client would have sent instead. Zero
 * values stand in it as they were written; decoding the kind drops those that Go leaves out.
 *
 * @throws RangeError when the bytes are not what they should be
 */
export function decodeProtobuf(bytes: Buffer): JsonObject {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new RangeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  }
  const envelope = new Map<number, Buffer>()
  for (const { number, value } of fieldsIn(bytes.subarray(MAGIC.length))) {
    if (Buffer.isBuffer(value)) envelope.set(number, value)
  }
  const type = decodeMessage('runtime.TypeMeta', envelope.get(1) ?? Buffer.alloc(0), 0)
  const { apiVersion, kind } = type as JsonObject
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new RangeError('unable to decode: kind is unset')
  const object = decodeMessage(messageOf(apiVersion, kind), envelope.get(2) ?? Buffer.alloc(0), 0)
  return { apiVersion, kind, ...(isJsonObject(object) ? object : {}) }
}

/** Groups whose package is not the first part of their name. */
const PACKAGES: Readonly<Record<string, string>> = { '': 'core' }

function messageOf(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/')
  const group = apiVersion.slice(0, Math.max(slash, 0))
  const version = apiVersion.slice(slash + 1)
  const type = `${PACKAGES[group] ?? group.split('.', 1)[0]}.${version}.${kind}`
  const names = [`api.${type}`, `apis.${type}`, `apis.meta.v1.${kind}`]
  const name = names.find(isKnown)
  if (name !== undefined) return name
  throw new RangeError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`)
}

interface FieldType {
  readonly name: string
  readonly kind: 'single' | 'repeated' | 'map' | 'inline'
  /** `s` text, `b` boolean, `i` integer, `d` number, `y` bytes, else the name of a message. */
  readonly code: string
}

const types = new Map<string, ReadonlyMap<number, FieldType>>()
const TEXTS: Readonly<Record<string, string>> = messages

function isKnown(name: string): boolean {
  return Object.hasOwn(TEXTS, name)
}

const KINDS: Readonly<Record<string, FieldType['kind']>> = { R: 'repeated', K: 'map', I: 'inline' }

function fieldTypesOf(message: string): ReadonlyMap<number, FieldType> {
  const known = types.get(message)
  if (known) return known
  const fields = new Map<number, FieldType>()
  for (const text of (TEXTS[message] as string).split(';')) {
    const [number, name = '', coded = ''] = text.split(' ')
    const kind = KINDS[coded.charAt(0)] ?? 'single'
    const code = kind === 'single' ? coded : coded.slice(1)
    fields.set(Number(number), { name, kind, code: code.startsWith('M') ? code.slice(1) : code })
  }
  types.set(message, fields)
  return fields
}

type Draft = Record<string, JsonValue | undefined>

/** As deep as JSON may be nested: a schema contains schemas. */
const MAX_DEPTH = 1000

function decodeMessage(message: string, bytes: Buffer, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new RangeError('exceeded max depth')
  const fields = fieldTypesOf(message)
  const object: Draft = {}
  for (const field of fieldsIn(bytes)) {
    const type = fields.get(field.number)
    if (type) addField(object, type, field, depth)
  }
  return convertWellKnown(message, object)
}

function addField(object: Draft, type: FieldType, { value }: WireField, depth: number): void {
  const { name, kind, code } = type
  const decoded = kind === 'map' ? decodeEntry(code, value, depth) : decodeValue(code, value, depth)
  if (kind === 'inline') Object.assign(object, decoded)
  else if (kind === 'map') object[name] = { ...((object[name] ?? {}) as JsonObject), ...(decoded as JsonObject) }
  else if (kind === 'repeated') object[name] = [...((object[name] ?? []) as JsonValue[]), decoded]
  else object[name] = decoded
}

/** An entry of a map: a message of a key and a value. */
function decodeEntry(code: string, bytes: WireField['value'], depth: number): JsonObject {
  let key = ''
  let value: JsonValue = ZEROS[code] ?? {}
  for (const field of fieldsIn(bytesOf(bytes))) {
    if (field.number === 1) key = bytesOf(field.value).toString()
    else value = decodeValue(code, field.value, depth)
  }
  return Object.fromEntries([[key, value]])
}

const ZEROS: Readonly<Record<string, JsonValue>> = { s: '', b: false, i: 0, d: 0, y: '' }

function decodeValue(code: string, value: WireField['value'], depth: number): JsonValue {
  switch (code) {
    case 's':
      return bytesOf(value).toString()
    case 'b':
      return value !== 0n
    case 'i':
    case 'd':
      return Number(value)
    case 'y':
      return bytesOf(value).toString('base64')
    default:
      return decodeMessage(code, bytesOf(value), depth + 1)
  }
}

function bytesOf(value: WireField['value']): Buffer {
  if (Buffer.isBuffer(value)) return value
  throw new RangeError('a number stands where bytes are expected')
}

function* fieldsIn(bytes: Buffer): Generator<WireField> {
  const reader = new WireReader(bytes)
  for (let field = reader.next(); field; field = reader.next()) yield field
}
