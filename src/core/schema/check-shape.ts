import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../base/json.ts'

/** Where a value is no schema at all, and what stands there in place of what. */
export interface ShapeProblem {
  readonly path: JsonPath
  readonly wanted:
    | 'a schema'
    | 'schemas by name'
    | 'a list of schemas'
    | 'a text'
    | 'a list of texts'
    | 'true or false'
    | 'a rule'
    | 'a list of rules'
}

const OF_SCHEMAS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])
const TEXTS: ReadonlySet<string> = new Set([
  'type',
  'format',
  'pattern',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
])
const TEXT_LISTS: ReadonlySet<string> = new Set(['required', 'x-kubernetes-list-map-keys'])
const FLAGS: ReadonlySet<string> = new Set([
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
])

const VALIDATIONS = 'x-kubernetes-validations'
/** Of a rule. */
const RULE_TEXTS = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath'] as const

/** The places in the `spec` of a CRD at which what is to be a schema has another shape than `JSONSchemaProps`. */
export function checkShapes(spec: JsonValue | undefined): readonly ShapeProblem[] {
  const versions = isJsonObject(spec) && isJsonArray(spec.versions) ? spec.versions : []
  return versions.flatMap((version, index) => {
    const validation = isJsonObject(version) ? version.schema : undefined
    if (!isJsonObject(validation) || validation.openAPIV3Schema === undefined) return []
    return checkShape(validation.openAPIV3Schema, ['spec', 'versions', index, 'schema', 'openAPIV3Schema'])
  })
}

function checkShape(value: JsonValue | undefined, path: JsonPath): readonly ShapeProblem[] {
  if (!isJsonObject(value)) return [{ path, wanted: 'a schema' }]
  return Object.entries(value).flatMap(([keyword, inner]) => checkKeyword(keyword, inner, [...path, keyword]))
}

function checkKeyword(keyword: string, value: JsonValue | undefined, path: JsonPath): readonly ShapeProblem[] {
  if (keyword === 'properties') {
    if (!isJsonObject(value)) return [{ path, wanted: 'schemas by name' }]
    return Object.entries(value).flatMap(([name, property]) => checkShape(property, [...path, name]))
  }
  if (keyword === 'items' || keyword === 'not') return checkShape(value, path)
  if (keyword === 'additionalProperties') return typeof value === 'boolean' ? [] : checkShape(value, path)
  if (OF_SCHEMAS.has(keyword)) {
    if (!isJsonArray(value)) return [{ path, wanted: 'a list of schemas' }]
    return value.flatMap((schema, index) => checkShape(schema, [...path, index]))
  }
  return keyword === VALIDATIONS ? checkRuleShapes(value, path) : checkPlain(keyword, value, path)
}

function checkRuleShapes(value: JsonValue | undefined, path: JsonPath): readonly ShapeProblem[] {
  if (!isJsonArray(value)) return [{ path, wanted: 'a list of rules' }]
  return value.flatMap((rule, index) => checkRuleShape(rule, [...path, index]))
}

function checkRuleShape(rule: JsonValue, path: JsonPath): readonly ShapeProblem[] {
  if (!isJsonObject(rule)) return [{ path, wanted: 'a rule' }]
  const isWrong = (name: string): boolean => rule[name] !== undefined && typeof rule[name] !== 'string'
  return RULE_TEXTS.filter(isWrong).map((name) => ({ path: [...path, name], wanted: 'a text' }))
}

function checkPlain(keyword: string, value: JsonValue | undefined, path: JsonPath): readonly ShapeProblem[] {
  if (TEXTS.has(keyword) && typeof value !== 'string') return [{ path, wanted: 'a text' }]
  if (FLAGS.has(keyword) && typeof value !== 'boolean') return [{ path, wanted: 'true or false' }]
  const isTexts = isJsonArray(value) && value.every((item) => typeof item === 'string')
  return TEXT_LISTS.has(keyword) && !isTexts ? [{ path, wanted: 'a list of texts' }] : []
}
