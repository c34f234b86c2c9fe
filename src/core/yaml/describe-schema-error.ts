import type { ErrorObject } from 'ajv/dist/2020.js'
import { didYouMean } from '../base/nearest-name.ts'
import type { Problem } from './diagnostic.ts'

export interface SchemaErrorText {
  readonly problem: Problem
  /** The key that is wrong, when it is not the value. */
  readonly key?: string | undefined
}

/** An error of the validator in words for people. Never holds the value: it may be secret. */
export function describeSchemaError(error: ErrorObject): SchemaErrorText {
  const describe = DESCRIPTIONS[error.keyword] ?? notAllowed
  const text = describe(error)
  return error.propertyName === undefined ? text : { ...text, key: error.propertyName }
}

const DESCRIPTIONS: Readonly<Record<string, (error: ErrorObject) => SchemaErrorText>> = {
  additionalProperties: unknownKey,
  required: missingKey,
  type: wrongType,
  enum: oneOfTheseValues,
  const: oneOfTheseValues,
  pattern: explained,
  oneOf: exactlyOne,
  anyOf: exactlyOne,
}

function unknownKey({ params, parentSchema }: ErrorObject): SchemaErrorText {
  const key = String(params.additionalProperty)
  const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
  const list = known.length > 0 && known.length <= 16 ? `known keys: ${known.join(', ')}` : undefined
  return { key, problem: { code: 'RB1020', message: `unknown key \`${key}\``, hint: didYouMean(key, known) ?? list } }
}

function missingKey({ params }: ErrorObject): SchemaErrorText {
  return { problem: { code: 'RB1021', message: `the key \`${params.missingProperty}\` is missing` } }
}

function wrongType({ params, data }: ErrorObject): SchemaErrorText {
  const wanted = [params.type].flat().map((type) => TYPES[String(type)])
  const message = `must be ${wanted.join(' or ')}, not ${typeOf(data)}`
  return { problem: { code: 'RB1022', message } }
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  return TYPES[Array.isArray(value) ? 'array' : typeof value] as string
}

function oneOfTheseValues({ params, data }: ErrorObject): SchemaErrorText {
  const allowed = [params.allowedValues ?? params.allowedValue].flat().map(String)
  const message = allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`
  return {
    problem: { code: 'RB1023', message, hint: typeof data === 'string' ? didYouMean(data, allowed) : undefined },
  }
}

function explained({ parentSchema, params }: ErrorObject): SchemaErrorText {
  const explain = parentSchema?.explain
  const message = typeof explain === 'string' ? explain : `must match ${String(params.pattern)}`
  return { problem: { code: 'RB1023', message } }
}

/** For branches that differ in the key they require. */
function exactlyOne({ schema, data, keyword }: ErrorObject): SchemaErrorText {
  const keys = (schema as readonly { required: readonly string[] }[]).flatMap(({ required }) => required)
  const given = keys.filter((key) => typeof data === 'object' && data !== null && Object.hasOwn(data, key))
  const count = keyword === 'oneOf' ? 'exactly one' : 'one'
  const present = given.length === 0 ? 'none is there' : `${given.join(' and ')} are there`
  return { problem: { code: 'RB1021', message: `${count} of ${keys.join(', ')} is needed: ${present}` } }
}

function notAllowed({ keyword, message, params, parentSchema }: ErrorObject): SchemaErrorText {
  const explain = parentSchema?.explain
  if (typeof explain === 'string') return { problem: { code: 'RB1023', message: explain } }
  const limit = Number(params.limit)
  const bound = BOUNDS[keyword]
  const text = bound === undefined ? String(message) : `must ${bound(limit)}`
  return { problem: { code: 'RB1023', message: text } }
}

const BOUNDS: Readonly<Record<string, (limit: number) => string>> = {
  minItems: (limit) => `have at least ${counted(limit, 'item')}`,
  maxItems: (limit) => `have at most ${counted(limit, 'item')}`,
  minProperties: (limit) => `have at least ${counted(limit, 'key')}`,
  maxProperties: (limit) => `have at most ${counted(limit, 'key')}`,
  minLength: (limit) => `have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `have at most ${counted(limit, 'character')}`,
  minimum: (limit) => `be at least ${limit}`,
  maximum: (limit) => `be at most ${limit}`,
  uniqueItems: () => 'hold every item only once',
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
