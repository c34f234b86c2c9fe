import type { JsonValue } from '../../../base/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import { canonicalQuantity, isQuantity } from '../common/quantity.ts'
import { DecodeProblem, goTypeOf, jsonTypeOf, type Place } from './go-types.ts'

type Decode = (value: JsonValue, schema: Schema, place: Place) => JsonValue | undefined

/** Definitions that are one value to JSON, with a notation of their own. */
const SPECIAL: Readonly<Record<string, Decode>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': decodeQuantity,
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': (value, schema, place) => decodeTime(value, schema, place),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': (value, schema, place) => decodeTime(value, schema, place),
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': (value, schema, place) =>
    typeof value === 'string' ? value : decodeInteger(value, { ...schema, format: 'int32' }, place),
}

export function isScalar({ definition, type }: Schema): boolean {
  if (definition !== undefined && Object.hasOwn(SPECIAL, definition)) return true
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean'
}

/** A scalar in its canonical form; `undefined` for one that stands for nothing. */
export function decodeScalar(value: JsonValue, schema: Schema, place: Place): JsonValue | undefined {
  const special = schema.definition === undefined ? undefined : SPECIAL[schema.definition]
  if (special) return special(value, schema, place)
  if (schema.type === 'integer') return decodeInteger(value, schema, place)
  if (schema.type === 'string') return decodeText(value, schema, place)
  if (typeof value === schema.type) return value
  throw DecodeProblem.mismatch(jsonTypeOf(value), goTypeOf(schema), place)
}

function decodeInteger(value: JsonValue, schema: Schema, place: Place): JsonValue {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  const found = typeof value === 'number' ? `number ${value}` : jsonTypeOf(value)
  throw DecodeProblem.mismatch(found, schema.definition === undefined ? goTypeOf(schema) : 'int32', place)
}

function decodeText(value: JsonValue, schema: Schema, place: Place): JsonValue {
  if (typeof value !== 'string') throw DecodeProblem.mismatch(jsonTypeOf(value), goTypeOf(schema), place)
  if (schema.format !== 'byte') return value
  const wrong = wrongBase64At(value)
  if (wrong === undefined) return value
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

function decodeQuantity(value: JsonValue, _schema: Schema, _place: Place): JsonValue {
  if (!isQuantity(value)) throw new DecodeProblem(QUANTITY_TEXT)
  return canonicalQuantity(value)
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
const LAYOUT = '2006-01-02T15:04:05Z07:00'
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00'

/** In UTC; without fraction, or with six digits of it. */
function decodeTime(value: JsonValue, { definition = '' }: Schema, place: Place): JsonValue | undefined {
  const isMicro = definition.endsWith('MicroTime')
  if (typeof value !== 'string') throw DecodeProblem.mismatch(jsonTypeOf(value), 'string', place)
  if (value === '') return undefined
  const [, , fraction, zone] = RFC3339.exec(value) ?? []
  const isWhole = zone !== undefined && !Number.isNaN(Date.parse(value))
  if (!isWhole || (isMicro && fraction?.length !== 7)) throw unparsable(value, isMicro ? MICRO_LAYOUT : LAYOUT)
  const seconds = new Date(value).toISOString().slice(0, 19)
  return isMicro ? `${seconds}${fraction}Z` : `${seconds}Z`
}

function unparsable(value: string, layout: string): DecodeProblem {
  const [, start = '', rest = ''] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(.*)$/.exec(value) ?? []
  const [text, element] = start === '' ? [value, '2006'] : [rest, layout === LAYOUT ? 'Z07:00' : '.000000']
  return new DecodeProblem(`parsing time "${value}" as "${layout}": cannot parse "${text}" as "${element}"`)
}
