import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'

/**
 * The same schema (draft-07), in keywords of which a mistake fails one. Validators report each branch of `anyOf`, `oneOf` and `if` that does not hold,
 * and then the keyword itself. What the schema takes stays the same. Its parts are taken to be rewritten already.
 */
export function withSingleMessages(schema: JsonObject): JsonObject {
  return REWRITES.reduce((result, rewrite) => rewrite(result), schema)
}

const REWRITES: readonly ((schema: JsonObject) => JsonObject)[] = [
  joinTypes,
  chooseOneKey,
  needSomeKey,
  decideConditions,
  matchNames,
]

/** Alternatives of different types become one schema: a keyword of one type says nothing of values of another. */
function joinTypes(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!isJsonArray(anyOf) || rest.type !== undefined) return schema
  const typed = anyOf.map((one) => typedAlone(one))
  if (typed.includes(undefined)) return schema
  const alternatives = typed.filter((one) => one !== undefined)
  const keywords = alternatives.flatMap(({ keywords }) => Object.entries(keywords))
  const names = [...keywords.map(([name]) => name), ...alternatives.map(({ type }) => `type ${type}`)]
  if (new Set(names).size < names.length) return schema
  const examples = [...listOf(rest.examples), ...alternatives.flatMap(({ values }) => values)]
  return {
    ...rest,
    ...(examples.length === 0 ? {} : { examples: [...new Set(examples)] }),
    type: alternatives.map(({ type }) => type),
    ...Object.fromEntries(keywords),
  }
}

interface Alternative {
  readonly type: string
  /** What values of the type must be like. */
  readonly keywords: JsonObject
  /** What an editor may propose. */
  readonly values: readonly JsonValue[]
}

const WORD = /^\w+$/

function typedAlone(schema: JsonValue): Alternative | undefined {
  if (!isJsonObject(schema)) return undefined
  const { type, enum: values, const: value, ...keywords } = schema
  if (typeof value === 'boolean' && type === undefined && Object.keys(keywords).length === 0)
    return { type: 'boolean', keywords: { not: { const: !value } }, values: [value] }
  if (typeof type !== 'string' || value !== undefined) return undefined
  if (values === undefined) return { type, keywords, values: [] }
  const words = listOf(values).map(String)
  if (type !== 'string' || keywords.pattern !== undefined || !words.every((word) => WORD.test(word))) return undefined
  const pattern = { pattern: `^(${words.join('|')})$`, patternErrorMessage: `must be ${words.join(' or ')}` }
  return { type, keywords: { ...keywords, ...pattern }, values: words }
}

/** `oneOf` of `{ required: [key] }`. A key that the schema does not know may be one of them, misspelt: then that is said alone. */
function chooseOneKey(schema: JsonObject): JsonObject {
  const { oneOf, ...rest } = schema
  const keys = requiredKeys(oneOf)
  if (keys === undefined) return schema
  const others = rest.additionalProperties === false ? otherKeys(rest, keys) : []
  const names: JsonObject = others.length > 0 ? { enum: others } : { not: { enum: [...keys] } }
  const none = { not: { type: 'object', propertyNames: names }, errorMessage: `write one of ${keys.join(', ')}` }
  const beside = keys.slice(0, -1).map((key, index) => {
    const later = keys.slice(index + 1).map((other) => [other, false] as const)
    const errorMessage = `cannot stand beside ${key}: write one of ${keys.join(', ')}`
    return [key, { errorMessage, properties: Object.fromEntries(later) }] as const
  })
  return withRules(rest, none, { dependencies: Object.fromEntries(beside) })
}

function otherKeys({ properties }: JsonObject, keys: readonly string[]): readonly string[] {
  return isJsonObject(properties) ? Object.keys(properties).filter((name) => !keys.includes(name)) : []
}

/** `anyOf` of `{ required: [key] }`. */
function needSomeKey(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  const keys = requiredKeys(anyOf)
  if (keys === undefined) return schema
  const without = { type: 'object', propertyNames: { not: { enum: [...keys] } } }
  return withRules(rest, { not: without, errorMessage: `write ${keys.join(' or ')}` })
}

function decideConditions(schema: JsonObject): JsonObject {
  const { if: condition, then: yes, else: no, ...rest } = schema
  if (!isJsonObject(condition)) return schema
  const key = keyAlone(condition)
  if (key !== undefined && isJsonObject(yes) && no === undefined)
    return withRules(rest, { dependencies: { [key]: yes } })
  return withRules(
    rest,
    ...(isJsonObject(yes) ? [oneHolds(negated(condition), yes)] : []),
    ...(isJsonObject(no) ? [oneHolds(condition, no)] : []),
  )
}

function oneHolds(first: JsonObject, second: JsonObject): JsonObject {
  return { not: { allOf: [negated(first), negated(second)] } }
}

function negated(schema: JsonObject): JsonObject {
  const { not, errorMessage: _said, ...rest } = schema
  return isJsonObject(not) && Object.keys(rest).length === 0 ? not : { not: schema }
}

/** Names that match a pattern. A validator reports the pattern and `propertyNames`; here, the one key that is too much. */
function matchNames(schema: JsonObject): JsonObject {
  const { propertyNames, additionalProperties = {}, ...rest } = schema
  if (!isJsonObject(propertyNames) || rest.properties !== undefined) return schema
  const { type: _string, pattern, patternErrorMessage, ...others } = propertyNames
  if (typeof pattern !== 'string' || Object.keys(others).length > 0) return schema
  const message = patternErrorMessage === undefined ? {} : { errorMessage: patternErrorMessage }
  return withRules(rest, {
    ...message,
    patternProperties: { [pattern]: additionalProperties },
    additionalProperties: false,
  })
}

/** The schema with further rules, of which each says its own message. */
function withRules(schema: JsonObject, ...rules: readonly JsonObject[]): JsonObject {
  const [rule] = rules
  if (rule !== undefined && rules.length === 1 && Object.keys(schema).length === 0) return rule
  return { ...schema, allOf: [...listOf(schema.allOf), ...rules] }
}

function requiredKeys(alternatives: JsonValue | undefined): readonly string[] | undefined {
  if (!isJsonArray(alternatives)) return undefined
  const keys = alternatives.map((one) => keyAlone(one))
  return keys.includes(undefined) ? undefined : keys.filter((key) => key !== undefined)
}

/** The key of a schema that says no more than that it must be there. */
function keyAlone(schema: JsonValue): string | undefined {
  if (!isJsonObject(schema) || Object.keys(schema).length !== 1) return undefined
  const [key, ...more] = listOf(schema.required)
  return typeof key === 'string' && more.length === 0 ? key : undefined
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}
