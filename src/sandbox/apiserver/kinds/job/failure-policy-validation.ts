import { isJsonArray, isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabelKey } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  invalid,
  invalidFor,
  notSupported,
  required,
  tooMany,
} from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const OPERATORS = ['In', 'NotIn']
const STATUSES = ['False', 'True', 'Unknown']
const MOST = 20
const MOST_CODES = 255

/** `podFailurePolicy` of the spec of a Job. */
export function validateFailurePolicy(spec: JsonObject, field: string): FieldErrors {
  const rules = itemsAt(objectAt(spec, 'podFailurePolicy'), 'rules')
  return [
    ...atMost(rules.length, MOST, `${field}.rules`),
    ...rules.flatMap((rule, index) => validateRule(rule, spec, `${field}.rules[${index}]`)),
  ]
}

function atMost(count: number, most: number, field: string): FieldErrors {
  return count > most ? [tooMany(field, count, most)] : []
}

function validateRule(rule: JsonObject, spec: JsonObject, field: string): FieldErrors {
  const hasCodes = isJsonObject(rule.onExitCodes)
  const conditions = itemsAt(rule, 'onPodConditions')
  const hasConditions = conditions.length > 0
  const both = 'specifying both OnExitCodes and OnPodConditions is not supported'
  const neither = 'specifying one of OnExitCodes and OnPodConditions is required'
  return [
    ...validateAction(textAt(rule, 'action'), spec, `${field}.action`),
    ...(hasCodes ? validateCodes(objectAt(rule, 'onExitCodes'), spec, `${field}.onExitCodes`) : []),
    ...atMost(conditions.length, MOST, `${field}.onPodConditions`),
    ...conditions.flatMap((each, index) => validateCondition(each, `${field}.onPodConditions[${index}]`)),
    ...(hasCodes && hasConditions ? [withoutValue(field, both)] : []),
    ...(hasCodes || hasConditions ? [] : [withoutValue(field, neither)]),
  ]
}

function withoutValue(field: string, detail: string): FieldErrors[number] {
  return { ...invalid(field, null, detail), shown: 'nothing' }
}

function validateAction(action: string, { backoffLimitPerIndex }: JsonObject, field: string): FieldErrors {
  if (action !== 'FailIndex') return oneOfGiven(action, ACTIONS, field)
  if (backoffLimitPerIndex !== undefined) return []
  return [invalid(field, action, 'requires the backoffLimitPerIndex to be set')]
}

/** One of the values, which stand in the complaint also where there is none. */
function oneOfGiven(value: string, values: readonly string[], field: string): FieldErrors {
  if (value === '') return [required(field, `valid values: [${values.map((each) => `"${each}"`).join(' ')}]`)]
  return values.includes(value) ? [] : [notSupported(field, value, values)]
}

function validateCondition(pattern: JsonObject, field: string): FieldErrors {
  const type = textAt(pattern, 'type')
  return [
    ...invalidFor(`${field}.type`, type, checkLabelKey(type)),
    ...oneOfGiven(textAt(pattern, 'status'), STATUSES, `${field}.status`),
  ]
}

function validateCodes(requirement: JsonObject, spec: JsonObject, field: string): FieldErrors {
  const { containerName, values = null } = requirement
  const codes = isJsonArray(values) ? values.map(Number) : []
  const place = `${field}.values`
  const isUnordered = codes.some((code, index) => code < Number(codes[index - 1]))
  const isUnknown = typeof containerName === 'string' && !containerNames(spec).includes(containerName)
  const unknown = 'must be one of the container or initContainer names in the pod template'
  return [
    ...oneOfGiven(textAt(requirement, 'operator'), OPERATORS, `${field}.operator`),
    ...(isUnknown ? [invalid(`${field}.containerName`, containerName, unknown)] : []),
    ...(codes.length === 0 ? [invalid(place, values, 'at least one value is required')] : []),
    ...atMost(codes.length, MOST_CODES, place),
    ...codes.flatMap((code, index) => [
      ...(code === 0 && requirement.operator === 'In'
        ? [invalid(`${place}[${index}]`, code, 'must not be 0 for the In operator')]
        : []),
      ...(codes.indexOf(code) < index ? [duplicate(`${place}[${index}]`, code)] : []),
    ]),
    ...(isUnordered ? [invalid(place, codes, 'must be ordered')] : []),
  ]
}

function containerNames(spec: JsonObject): readonly string[] {
  const pod = objectAt(objectAt(spec, 'template'), 'spec')
  return ['containers', 'initContainers'].flatMap((list) => itemsAt(pod, list).map((each) => textAt(each, 'name')))
}
