import type { JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid, oneOf, required } from '../common/field-errors.ts'
import { itemsAt, numberAt, textAt } from '../common/fields.ts'
import { nanosOf } from '../common/quantity.ts'

const LONGEST_WINDOW = 3600
const LONGEST_PERIOD = 1800

/** How fast replicas may come, or go. */
export function validateScalingRules(rules: JsonObject, field: string): FieldErrors {
  const { stabilizationWindowSeconds: seconds, selectPolicy, tolerance } = rules
  const policies = itemsAt(rules, 'policies')
  const window = `${field}.stabilizationWindowSeconds`
  const [isNegative, isTooLong] = [Number(seconds) < 0, Number(seconds) > LONGEST_WINDOW]
  return [
    ...(isNegative ? [invalid(window, seconds, 'must be greater than or equal to zero')] : []),
    ...(isTooLong ? [invalid(window, seconds, `must be less than or equal to ${LONGEST_WINDOW}`)] : []),
    ...(typeof selectPolicy === 'string'
      ? oneOf(`${field}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min'])
      : []),
    ...(policies.length === 0 ? [required(`${field}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
    ...(tolerance !== undefined && nanosOf(tolerance) < 0n
      ? [invalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ]
}

function validatePolicy(policy: JsonObject, field: string): FieldErrors {
  const [value, period] = [numberAt(policy, 'value'), numberAt(policy, 'periodSeconds')]
  const place = `${field}.periodSeconds`
  return [
    ...oneOf(`${field}.type`, textAt(policy, 'type'), ['Percent', 'Pods']),
    ...(value <= 0 ? [invalid(`${field}.value`, value, 'must be greater than zero')] : []),
    ...(period <= 0 ? [invalid(place, period, 'must be greater than zero')] : []),
    ...(period > LONGEST_PERIOD ? [invalid(place, period, `must be less than or equal to ${LONGEST_PERIOD}`)] : []),
  ]
}
