import type { JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid, notNegative, required, tooLong, tooMany } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'
import { countIndexes } from './indexes.ts'

const MOST_RULES = 20
const MOST_BYTES = 64 * 1024

/** `successPolicy` of the spec of a Job. */
export function validateSuccessPolicy(spec: JsonObject, field: string): FieldErrors {
  const rules = itemsAt(objectAt(spec, 'successPolicy'), 'rules')
  if (spec.completionMode !== 'Indexed') {
    const shown = { Rules: rules.map((rule) => asGoStruct(rule, ['SucceededIndexes', 'SucceededCount'], null)) }
    return [{ ...invalid(field, shown, 'requires indexed completion mode'), shown: 'struct' }]
  }
  const none = 'at least one rules must be specified when the successPolicy is specified'
  const completions = numberAt(spec, 'completions')
  return [
    ...(rules.length === 0 ? [required(`${field}.rules`, none)] : []),
    ...(rules.length > MOST_RULES ? [tooMany(`${field}.rules`, rules.length, MOST_RULES)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, completions, `${field}.rules[${index}]`)),
  ]
}

function validateRule(rule: JsonObject, completions: number, field: string): FieldErrors {
  const { succeededCount, succeededIndexes } = rule
  if (succeededCount === undefined && succeededIndexes === undefined) {
    return [required(field, 'at least one of succeededCount or succeededIndexes must be specified')]
  }
  const indexes = typeof succeededIndexes === 'string' ? countIndexes(succeededIndexes, completions) : undefined
  const total = typeof indexes === 'string' ? 0 : indexes
  return [
    ...(typeof succeededIndexes === 'string'
      ? validateIndexes(succeededIndexes, indexes, `${field}.succeededIndexes`)
      : []),
    ...validateCount(succeededCount, [completions, total], `${field}.succeededCount`),
  ]
}

function validateIndexes(given: string, read: number | string | undefined, field: string): FieldErrors {
  return [
    ...(given.length > MOST_BYTES ? [tooLong(field, MOST_BYTES)] : []),
    ...(typeof read === 'string' ? [invalid(field, given, `error parsing succeededIndexes: ${read}`)] : []),
  ]
}

type Limits = readonly [completions: number, indexes: number | undefined]

function validateCount(count: JsonObject[string], [completions, indexes]: Limits, field: string): FieldErrors {
  if (typeof count !== 'number') return []
  const exceeds = (most: number, what: string): FieldErrors =>
    count > most ? [invalid(field, count, `must be less than or equal to ${most} (the number of ${what})`)] : []
  return [
    ...notNegative(field, count),
    ...exceeds(completions, 'specified completions'),
    ...(indexes === undefined ? [] : exceeds(indexes, 'indexes in the specified succeededIndexes field')),
  ]
}
