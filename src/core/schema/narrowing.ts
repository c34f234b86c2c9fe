import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue, jsonEquals } from '../base/json.ts'
import { walkDown } from '../base/nested-too-deeply.ts'

/** A place in a schema from which something that was valid would be refused or dropped. */
export interface Narrowing {
  /** Into the objects that the schema describes; `*` stands for any item or key. */
  readonly path: JsonPath
  /** `is gone`, `is required now`, … */
  readonly problem: string
}

/**
 * Whether objects that fit one structural schema may not fit another. Says too much rather than too little: a rule or a
 * pattern that is merely another one counts, since the objects that it refuses are unknown.
 */
export function narrowings(before: JsonValue | undefined, after: JsonValue | undefined): readonly Narrowing[] {
  return isJsonObject(before) ? walkDown(() => compare(before, isJsonObject(after) ? after : {}, [])) : []
}

function compare(before: JsonObject, after: JsonObject, path: JsonPath): readonly Narrowing[] {
  if (jsonEquals(before, after)) return []
  const problems = [...keywordProblems(before, after), ...choiceProblems(before, after)]
  return [
    ...problems.map((problem) => ({ path, problem })),
    ...fieldsOf(before, after, path),
    ...innerOf(before, after, path),
  ]
}

function keywordProblems(before: JsonObject, after: JsonObject): readonly string[] {
  const lower = LOWER_BOUNDS.filter(
    (name) => isNumber(after[name]) && !(Number(before[name] ?? -Infinity) >= Number(after[name])),
  )
  const upper = UPPER_BOUNDS.filter(
    (name) => isNumber(after[name]) && !(Number(before[name] ?? Infinity) <= Number(after[name])),
  )
  const other = OTHER_LIMITS.filter((name) => after[name] !== undefined && !jsonEquals(before[name], after[name]))
  return [
    ...(after.type !== undefined && before.type !== after.type ? [`has the type ${String(after.type)} now`] : []),
    ...[...lower, ...upper, ...other].map((name) => `has another \`${name}\``),
    ...FREEDOMS.filter((name) => before[name] === true && after[name] !== true).map(
      (name) => `has no \`${name}\` any more`,
    ),
  ]
}

function choiceProblems(before: JsonObject, after: JsonObject): readonly string[] {
  if (!isJsonArray(after.enum)) return []
  const { enum: allowed } = after
  if (!isJsonArray(before.enum)) return ['takes few values only']
  const lost = before.enum.filter((value) => !allowed.some((other) => jsonEquals(value, other)))
  return lost.map((value) => `does not take ${JSON.stringify(value)} any more`)
}

function fieldsOf(before: JsonObject, after: JsonObject, path: JsonPath): readonly Narrowing[] {
  const [former, next] = [before, after].map(({ properties }) => (isJsonObject(properties) ? properties : {})) as [
    JsonObject,
    JsonObject,
  ]
  const known = isJsonArray(before.required) ? before.required : []
  const required = (isJsonArray(after.required) ? after.required : []).filter((name) => !known.includes(name))
  const isOpen = after['x-kubernetes-preserve-unknown-fields'] === true || after.additionalProperties !== undefined
  return [
    ...required.map((name) => ({ path: [...path, String(name)], problem: 'is required now' })),
    ...Object.entries(former).flatMap(([name, schema]) => {
      const inner = [...path, name]
      const now = Object.hasOwn(next, name) ? next[name] : undefined
      if (isJsonObject(now) && isJsonObject(schema)) return compare(schema, now, inner)
      return isOpen ? [] : [{ path: inner, problem: 'is gone' }]
    }),
  ]
}

function innerOf(before: JsonObject, after: JsonObject, path: JsonPath): readonly Narrowing[] {
  return (['items', 'additionalProperties'] as const).flatMap((name) => {
    const [former, now] = [before[name], after[name]]
    if (isJsonObject(former) && isJsonObject(now)) return compare(former, now, [...path, '*'])
    const isLost = former !== undefined && former !== false && now === undefined && name === 'additionalProperties'
    return isLost && after['x-kubernetes-preserve-unknown-fields'] !== true
      ? [{ path: [...path, '*'], problem: 'is gone' }]
      : []
  })
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties']
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
/** Another one may refuse what the former one took. */
const OTHER_LIMITS = [
  'pattern',
  'format',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'uniqueItems',
  'not',
  'allOf',
  'anyOf',
  'oneOf',
  'x-kubernetes-validations',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
]
const FREEDOMS = ['nullable', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string']

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number'
}
