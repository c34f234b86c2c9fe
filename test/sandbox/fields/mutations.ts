import { isJsonArray, isJsonObject, type JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'

/** One way to spoil a field. */
export interface Mutation {
  readonly name: string
  /** Sent with `fieldValidation=Strict`. */
  readonly strict?: true
  /** The mutated value: `ABSENT` takes the field away, `undefined` says that the mutation does not fit the field. */
  readonly mutate: (value: JsonValue | undefined, schema: Schema) => JsonValue | typeof ABSENT | undefined
}

export const ABSENT = Symbol('absent')

type Shape = 'object' | 'map' | 'array' | 'text' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'any'

/** What values of a field look like. */
export function shapeOf(schema: Schema): Shape {
  if (schema.format === 'int-or-string') return 'int-or-string'
  if (schema.type === 'array' || schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') {
    return schema.type
  }
  if (schema.type === 'string' || schema.oneOf?.some(({ type }) => type === 'string')) return 'text'
  if (schema.type !== 'object') return 'any'
  return typeof schema.additionalProperties === 'object' ? 'map' : 'object'
}

type ByShape = Partial<Readonly<Record<Shape, JsonValue>>>

const EMPTY: ByShape = {
  object: {},
  map: {},
  array: [],
  text: '',
  integer: 0,
  number: 0,
  boolean: false,
  'int-or-string': '',
}

const WRONG: ByShape = {
  object: 'text',
  map: [],
  array: { a: 'b' },
  text: 7,
  integer: 'seven',
  number: 'seven',
  boolean: 'yes',
  'int-or-string': true,
  any: [[]],
}

const NEGATIVE: ByShape = { integer: -1, number: -1, 'int-or-string': -1 }
const BEYOND_INT32: ByShape = { integer: 9_999_999_999, number: 9_999_999_999, 'int-or-string': 9_999_999_999 }
const BEYOND_INT64: ByShape = { integer: 1e20, number: 1e20, 'int-or-string': 1e20 }
const FRACTION: ByShape = { integer: 1.5, 'int-or-string': 1.5 }
const LONG = 'a'.repeat(300)
const BAD = 'No_Good/x!'

const LONG_VALUES: ByShape = { text: LONG, map: { [LONG]: 'b' }, 'int-or-string': LONG }
const BAD_VALUES: ByShape = { text: BAD, map: { [BAD]: BAD }, 'int-or-string': BAD }
const UNKNOWN_NAMES: ByShape = { text: 'NoSuchName', 'int-or-string': 'no-such-name' }
const QUANTITY: ByShape = { text: '-1' }
const ONE: ByShape = { text: 'a', integer: 1, number: 1, boolean: true, 'int-or-string': '50%' }

/** Each is tried on every field that it fits. */
export const MUTATIONS: readonly Mutation[] = [
  { name: 'absent', mutate: (value) => (value === undefined ? undefined : ABSENT) },
  { name: 'null', mutate: () => null },
  { name: 'empty', mutate: of(EMPTY) },
  { name: 'wrong type', mutate: of(WRONG) },
  { name: 'negative', mutate: of(NEGATIVE) },
  { name: 'negative text', mutate: of(QUANTITY) },
  { name: 'fraction', mutate: of(FRACTION) },
  { name: 'beyond int32', mutate: of(BEYOND_INT32) },
  { name: 'beyond int64', mutate: of(BEYOND_INT64) },
  { name: 'smallest', mutate: of(ONE) },
  { name: 'too long', mutate: of(LONG_VALUES) },
  { name: 'bad characters', mutate: of(BAD_VALUES) },
  { name: 'no such name', mutate: of(UNKNOWN_NAMES) },
  { name: 'duplicate item', mutate: duplicateItem },
  { name: 'null item', mutate: (_value, schema) => (schema.type === 'array' ? [null] : undefined) },
  { name: 'unknown key', strict: true, mutate: addUnknown },
  { name: 'unknown key, not strict', mutate: addUnknown },
]

function of(values: ByShape): Mutation['mutate'] {
  return (value, schema) => {
    const mutated = values[shapeOf(schema)]
    return JSON.stringify(mutated) === JSON.stringify(value) ? undefined : mutated
  }
}

function duplicateItem(value: JsonValue | undefined): JsonValue | undefined {
  const [first] = isJsonArray(value) ? value : []
  return isJsonArray(value) && first !== undefined ? [...value, first] : undefined
}

function addUnknown(value: JsonValue | undefined, schema: Schema): JsonValue | undefined {
  if (shapeOf(schema) !== 'object' || schema.properties === undefined) return undefined
  return isJsonObject(value) ? { ...value, noSuchField: 1 } : undefined
}
