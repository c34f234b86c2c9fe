import type { FieldError } from '../../../../core/schema/field-error.ts'
import { additionalSchemaOf, type Schema, type ValidationRule } from '../../../../core/schema/schema.ts'
import { ruleStruct } from '../../../../core/schema/schema-struct.ts'
import { type CompiledRule, compileRules } from './compile-rules.ts'
import { checkCost, checkTotalCost, type RuleCost } from './rule-costs.ts'
import { MAX_REQUEST_SIZE, schemaType, sizeOf } from './schema-type.ts'

/** What the server says against the CEL rules of a schema: those that do not compile, and those that cost too much. */
export function checkValidations(schema: Schema, path: string, errors: readonly FieldError[]): readonly FieldError[] {
  const costs: RuleCost[] = []
  const place = { schema, path, isResource: true, uncorrelatable: undefined, count: 1, costs, errors }
  return [...checkNode(place), ...checkTotalCost(costs, path)]
}

interface Place {
  readonly schema: Schema
  readonly path: string
  readonly isResource: boolean
  /** The list or map around whose items have no past. */
  readonly uncorrelatable: string | undefined
  /** How many values there may be at the most; undefined when nothing says. */
  readonly count: number | undefined
  /** Of all rules of the schema. */
  readonly costs: RuleCost[]
  /** Other complaints about the schema; rules around what they are about are not compiled. */
  readonly errors: readonly FieldError[]
}

/** What is inside comes first. */
function checkNode(place: Place): readonly FieldError[] {
  const { schema, path } = place
  const { 'x-kubernetes-validations': rules = [] } = schema
  const isFaulty = place.errors.some(
    ({ field }) => field === path || (/^[.[]/.test(field.slice(path.length)) && field.startsWith(path)),
  )
  const own = rules.length === 0 || isFaulty ? [] : checkOwn(rules, place)
  return [
    ...innerPlaces(place).flatMap(checkNode),
    ...own.map((error) => ({ ...error, field: `${path}.${error.field}` })),
  ]
}

function innerPlaces({ schema, path, uncorrelatable, count, costs, errors }: Place): readonly Place[] {
  const values = additionalSchemaOf(schema)
  const inList = schema['x-kubernetes-list-type'] === 'map' ? uncorrelatable : (uncorrelatable ?? path)
  const place = (inner: Schema, at: string): Place => ({
    schema: inner,
    path: `${path}.${at}`,
    isResource: inner['x-kubernetes-embedded-resource'] === true,
    uncorrelatable,
    count: count === undefined ? undefined : countBelow(schema, count),
    costs,
    errors,
  })
  const properties = Object.entries(schema.properties ?? {}).sort(([a], [b]) => Number(a > b) - Number(a < b))
  return [
    ...(values ? [place(values, 'additionalProperties')] : []),
    ...properties.map(([name, inner]) => place(inner, `properties[${name}]`)),
    ...(schema.allOf ?? []).map((inner, index) => place(inner, `allOf[${index}]`)),
    ...(schema.items ? [{ ...place(schema.items, 'items'), uncorrelatable: inList }] : []),
  ]
}

/** A list or map multiplies what is inside, if it has a limit. */
function countBelow(schema: Schema, count: number): number | undefined {
  const { type, maxItems, maxProperties, additionalProperties } = schema
  if (type === 'array') return maxItems === undefined ? undefined : count * maxItems
  if (type !== 'object' || additionalProperties === undefined) return count
  return maxProperties === undefined ? undefined : count * maxProperties
}

function checkOwn(rules: readonly ValidationRule[], place: Place): readonly FieldError[] {
  const { schema, isResource } = place
  const type = schemaType(schema, isResource)
  if (!type) {
    const detail = 'unable to convert structural schema to CEL declarations'
    const message = `internal error: failed to construct type information for x-kubernetes-validations rules: ${detail}`
    return [{ type: 'Internal', field: 'x-kubernetes-validations', detail: message }]
  }
  const count = place.count ?? Math.floor(MAX_REQUEST_SIZE / (sizeOf(type) + 1))
  return compileRules(rules, schema, type).flatMap((rule, index) => {
    const field = `x-kubernetes-validations[${index}]`
    const costs = costsOf(rule, count)
    for (const { field: part, cost } of costs) place.costs.push({ field: `${place.path}.${field}.${part}`, cost })
    return errorsOf(rule, place.uncorrelatable, costs).map((error) => ({ ...error, field: `${field}.${error.field}` }))
  })
}

function costsOf({ program, message }: CompiledRule, count: number): readonly RuleCost[] {
  return [
    ...(program ? [{ field: 'rule', cost: program.estimateCost() * count }] : []),
    ...(message ? [{ field: 'messageExpression', cost: message.estimateCost() }] : []),
  ]
}

function errorsOf(
  compiled: CompiledRule,
  uncorrelatable: string | undefined,
  costs: readonly RuleCost[],
): readonly FieldError[] {
  const { rule, error, messageError, usesOldSelf } = compiled
  const value = ruleStruct(rule)
  const [ruleCost, messageCost] = ['rule', 'messageExpression'].map((field) => checkCost(costs, field))
  const errors: FieldError[] = ruleCost ? [ruleCost] : []
  if (error !== undefined) errors.push({ type: 'Invalid', field: 'rule', value, shown: 'struct', detail: error })
  if (messageError !== undefined) {
    errors.push({ type: 'Invalid', field: 'messageExpression', value, shown: 'struct', detail: messageError })
  }
  if (messageCost) errors.push(messageCost)
  if (usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
    errors.push({ type: 'Invalid', field: 'rule', value: rule.rule, detail })
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule'
    errors.push({ type: 'Invalid', field: 'optionalOldSelf', value: rule.optionalOldSelf, detail })
  }
  return errors
}
