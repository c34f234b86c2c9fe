import { isJsonArray, type JsonValue } from '../../../../core/base/json.ts'
import type { Schema } from '../../../../core/schema/schema.ts'
import { canonicalQuantity } from '../common/quantity.ts'
import { DecodeProblem } from './go-types.ts'

type Decoder = (value: JsonValue) => JsonValue

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'

export function isQuantitySchema({ definition }: Schema): boolean {
  return definition === QUANTITY
}

const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const INT32: Schema = { type: 'integer', format: 'int32', goType: 'int32', definition: INT_OR_STRING }
const TIME = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time'
const TIME_TEXT: Schema = { type: 'string', goType: 'string', definition: TIME }
const BYTES: Schema = { type: 'string', goType: '[]uint8' }

/** Definitions that are one value to JSON, with a notation of their own. */
const SPECIAL: Readonly<Record<string, Decoder>> = {
  [QUANTITY]: decodeQuantity,
  [TIME]: (value) => decodeTime(value, false),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': (value) => decodeTime(value, true),
  [INT_OR_STRING]: (value) => (typeof value === 'string' ? value : decodeInteger(value, INT32)),
}

/** What brings a scalar into its canonical form; `undefined` for schemas that are no scalars. */
export function scalarDecoderOf(schema: Schema): Decoder | undefined {
  const { definition, type, format } = schema
  const special = definition !== undefined && Object.hasOwn(SPECIAL, definition) ? SPECIAL[definition] : undefined
  if (special) return (value) => decodeSpecial(value, special)
  if (type === 'integer') return (value) => decodeInteger(value, schema)
  if (type === 'string') return (value) => (format === 'byte' ? decodeBytes(value) : decodeText(value, schema))
  if (type !== 'number' && type !== 'boolean') return undefined
  return (value) => {
    if (typeof value === type) return value
    throw DecodeProblem.mismatch(value, schema)
  }
}

function decodeSpecial(value: JsonValue, decode: Decoder): JsonValue {
  try {
    return decode(value)
  } catch (error) {
    if (error instanceof DecodeProblem) error.isFinal = true
    throw error
  }
}

/** @throws DecodeProblem for what is no integer, or does not fit its size */
function decodeInteger(value: JsonValue, schema: Schema): JsonValue {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw DecodeProblem.mismatch(value, schema)
  const limit = schema.format === 'int32' ? 2 ** 31 : 2 ** 63
  if (value < -limit || value >= limit) throw DecodeProblem.mismatch(value, schema)
  return value
}

function decodeText(value: JsonValue, schema: Schema): string {
  if (typeof value === 'string') return value
  throw DecodeProblem.mismatch(value, schema)
}

function decodeBytes(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return Buffer.from(value.map(decodeByte)).toString('base64')
  const text = decodeText(value, BYTES)
  const wrong = wrongBase64At(text)
  if (wrong !== undefined) throw new DecodeProblem(`illegal base64 data at input byte ${wrong}`)
  return Buffer.from(text, 'base64').toString('base64')
}

const BYTE: Schema = { type: 'integer', format: 'uint8' }

/** To Go, a list of numbers is bytes as well. */
function decodeByte(value: JsonValue): number {
  if (value === null) return 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256) return value
  throw DecodeProblem.mismatch(value, BYTE)
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Where the server's decoder gives up on a text, or `undefined`. Line ends count for nothing. */
function wrongBase64At(text: string): number | undefined {
  if (BASE64.test(text)) return undefined
  let filled = 0
  for (const [index, char] of [...text].entries()) {
    if (char === '\n' || char === '\r') continue
    if (char === '=') return wrongPaddingAt(text, index, filled)
    if (!/[A-Za-z0-9+/]/.test(char)) return index
    filled = (filled + 1) % 4
  }
  return filled === 0 ? undefined : text.length - filled
}

/** The first `=` of a text stands at `start`, after `filled` characters of its group of four. */
function wrongPaddingAt(text: string, start: number, filled: number): number | undefined {
  if (filled < 2) return start
  const skipLineEnds = (from: number): number => from + (/^[\r\n]*/.exec(text.slice(from))?.[0].length as number)
  let end = skipLineEnds(start + 1)
  if (filled === 2) {
    if (end === text.length) return end
    if (text[end] !== '=') return end - 1
    end = skipLineEnds(end + 1)
  }
  return end === text.length ? undefined : end
}

const QUANTITY_TEXT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function decodeQuantity(value: JsonValue): JsonValue {
  const text = canonicalQuantity(value)
  if (text === undefined) throw new DecodeProblem(QUANTITY_TEXT)
  return text
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
const LAYOUT = '2006-01-02T15:04:05Z07:00'
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00'

/** In UTC; without fraction, or with six digits of it. */
function decodeTime(value: JsonValue, isMicro: boolean): JsonValue {
  const text = decodeText(value, TIME_TEXT)
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
