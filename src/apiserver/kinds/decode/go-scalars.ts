import type { JsonValue } from '../../../base/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import { canonicalQuantity, isQuantity } from '../common/quantity.ts'
import { DecodeProblem, goTypeOf, jsonTypeOf } from './go-types.ts'

type Decoder = (value: JsonValue) => JsonValue | undefined

/** Definitions that are one value to JSON, with a notation of their own. */
const SPECIAL: Readonly<Record<string, Decoder>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': decodeQuantity,
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': (value) => decodeTime(value, false),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': (value) => decodeTime(value, true),
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': (value) =>
    typeof value === 'string' ? value : decodeInteger(value, 'int32'),
}

/**
 * What brings a scalar into its canonical form, or to `undefined` if it stands for nothing; `undefined` for schemas that
 * are no scalars.
 */
export function scalarDecoderOf(schema: Schema): Decoder | undefined {
  const { definition, type, format } = schema
  if (definition !== undefined && Object.hasOwn(SPECIAL, definition)) return SPECIAL[definition]
  const goType = goTypeOf(schema)
  if (type === 'integer') return (value) => decodeInteger(value, goType)
  if (type === 'string') return format === 'byte' ? decodeBytes : (value) => decodeText(value, goType)
  if (type !== 'number' && type !== 'boolean') return undefined
  return (value) => {
    if (typeof value === type) return value
    throw DecodeProblem.mismatch(jsonTypeOf(value), goType)
  }
}

function decodeInteger(value: JsonValue, goType: string): JsonValue {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw DecodeProblem.mismatch(typeof value === 'number' ? `number ${value}` : jsonTypeOf(value), goType)
}

function decodeText(value: JsonValue, goType: string): string {
  if (typeof value === 'string') return value
  throw DecodeProblem.mismatch(jsonTypeOf(value), goType)
}

function decodeBytes(value: JsonValue): JsonValue {
  const text = decodeText(value, '[]uint8')
  const wrong = wrongBase64At(text)
  if (wrong === undefined) return text
  throw new DecodeProblem(`illegal base64 data at input byte ${wrong}`)
}

/** The place of the first byte that cannot be, or `undefined`. */
function wrongBase64At(text: string): number | undefined {
  const wrong = /[^A-Za-z0-9+/=]/.exec(text)?.index
  const padding = text.indexOf('=')
  if (wrong !== undefined && (padding < 0 || wrong < padding)) return wrong
  const size = padding < 0 ? text.length : padding
  const expected = (4 - (size % 4)) % 4
  if (expected === 3) return size
  return text.length - size === expected ? wrong : Math.min(size, text.length)
}

const QUANTITY_TEXT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function decodeQuantity(value: JsonValue): JsonValue {
  if (!isQuantity(value)) throw new DecodeProblem(QUANTITY_TEXT)
  return canonicalQuantity(value)
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
const LAYOUT = '2006-01-02T15:04:05Z07:00'
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00'

/** In UTC; without fraction, or with six digits of it. */
function decodeTime(value: JsonValue, isMicro: boolean): JsonValue | undefined {
  const text = decodeText(value, 'string')
  if (text === '') return undefined
  const [whole, seconds, fraction = '', zone] = RFC3339.exec(text) ?? []
  const isTime = whole !== undefined && !Number.isNaN(Date.parse(text))
  if (!isTime || (isMicro && fraction.length !== 7)) throw unparsable(text, isMicro ? MICRO_LAYOUT : LAYOUT)
  if (zone === 'Z' && (isMicro || fraction === '')) return text
  const utc = zone === 'Z' ? seconds : new Date(text).toISOString().slice(0, 19)
  return isMicro ? `${utc}${fraction}Z` : `${utc}Z`
}

function unparsable(value: string, layout: string): DecodeProblem {
  const [, start = '', rest = ''] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(.*)$/.exec(value) ?? []
  const [text, element] = start === '' ? [value, '2006'] : [rest, layout === LAYOUT ? 'Z07:00' : '.000000']
  return new DecodeProblem(`parsing time "${value}" as "${layout}": cannot parse "${text}" as "${element}"`)
}
