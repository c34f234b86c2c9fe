import type { JsonObject } from '../../../../core/base/json.ts'
import { checkLabelKey } from '../../write/names.ts'
import { duplicate, type FieldErrors, invalid, invalidFor, oneOf, required, tooLong } from './field-errors.ts'
import { numberAt, textAt } from './fields.ts'

const LONGEST_REASON = 1024
const LONGEST_MESSAGE = 32_768

/** Conditions of `meta/v1`, as controllers of newer kinds write them. */
export function validateConditions(conditions: readonly JsonObject[], field: string): FieldErrors {
  const types = conditions.map((condition) => textAt(condition, 'type'))
  return conditions.flatMap((condition, index) => {
    const place = `${field}[${index}]`
    const type = textAt(condition, 'type')
    return [
      ...(types.indexOf(type) < index ? [duplicate(`${place}.type`, type)] : []),
      ...validateCondition(condition, place),
    ]
  })
}

function validateCondition(condition: JsonObject, field: string): FieldErrors {
  const type = textAt(condition, 'type')
  const generation = numberAt(condition, 'observedGeneration')
  const isTimed = typeof condition.lastTransitionTime === 'string'
  return [
    ...invalidFor(`${field}.type`, type, checkLabelKey(type)),
    ...oneOf(`${field}.status`, textAt(condition, 'status'), ['False', 'True', 'Unknown']),
    ...(generation < 0
      ? [invalid(`${field}.observedGeneration`, generation, 'must be greater than or equal to zero')]
      : []),
    ...(isTimed ? [] : [required(`${field}.lastTransitionTime`)]),
    ...validateReason(textAt(condition, 'reason'), `${field}.reason`),
    ...(textAt(condition, 'message').length > LONGEST_MESSAGE ? [tooLong(`${field}.message`, LONGEST_MESSAGE)] : []),
  ]
}

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const BAD_REASON = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`

function validateReason(reason: string, field: string): FieldErrors {
  if (reason === '') return [required(field)]
  return [
    ...(/^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason) ? [] : [invalid(field, reason, BAD_REASON)]),
    ...(reason.length > LONGEST_REASON ? [tooLong(field, LONGEST_REASON)] : []),
  ]
}
