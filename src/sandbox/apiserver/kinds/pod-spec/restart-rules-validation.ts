import { isJsonArray, isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, oneOf, required, tooMany } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'

const POLICIES = ['Always', 'Never', 'OnFailure']
const ACTIONS = ['Restart', 'RestartAllContainers']
const OPERATORS = ['In', 'NotIn']
const MOST_RULES = 20
const MOST_CODES = 255

/** `restartPolicy` and `restartPolicyRules` of a container. */
export function validateRestartPolicy(container: JsonObject, field: string): FieldErrors {
  const { restartPolicy: policy } = container
  const rules = itemsAt(container, 'restartPolicyRules')
  if (policy === undefined && rules.length === 0) return []
  return [...validatePolicy(policy, `${field}.restartPolicy`), ...validateRules(rules, `${field}.restartPolicyRules`)]
}

/** The same of an init container, whose rules count for nothing as long as it has no policy. */
export function validateInitRestartPolicy(container: JsonObject, field: string): FieldErrors {
  if (container.restartPolicy !== undefined) return validateRestartPolicy(container, field)
  if (itemsAt(container, 'restartPolicyRules').length === 0) return []
  return validatePolicy(undefined, `${field}.restartPolicy`)
}

function validatePolicy(policy: JsonObject[string], field: string): FieldErrors {
  if (policy === undefined) return [required(field, 'must specify restartPolicy when restart rules are used')]
  return oneOf(field, String(policy), POLICIES)
}

function validateRules(rules: readonly JsonObject[], field: string): FieldErrors {
  return [
    ...(rules.length > MOST_RULES ? [tooMany(field, rules.length, MOST_RULES)] : []),
    ...rules.flatMap((rule, index) => {
      const place = `${field}[${index}]`
      return [
        ...oneOf(`${place}.action`, textAt(rule, 'action'), ACTIONS),
        ...(isJsonObject(rule.exitCodes)
          ? validateCodes(objectAt(rule, 'exitCodes'), `${place}.exitCodes`)
          : [required(`${place}.exitCodes`, 'must be specified')]),
      ]
    }),
  ]
}

function validateCodes(requirement: JsonObject, field: string): FieldErrors {
  const { values } = requirement
  const count = isJsonArray(values) ? values.length : 0
  return [
    ...oneOf(`${field}.operator`, textAt(requirement, 'operator'), OPERATORS),
    ...(count > MOST_CODES ? [tooMany(`${field}.values`, count, MOST_CODES)] : []),
  ]
}
