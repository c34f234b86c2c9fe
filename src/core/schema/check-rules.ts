import { invalid, required } from './check-structural.ts'
import type { FieldError } from './field-error.ts'
import { resolveFieldPath } from './rule-field-path.ts'
import type { Schema, ValidationRule } from './schema.ts'

/** What the server says against rules of a schema before it compiles them. */
export function checkRules(schema: Schema, path: string): readonly FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  return rules.flatMap((rule, index) => checkRule(rule, schema, `${path}.x-kubernetes-validations[${index}]`))
}

function checkRule(rule: ValidationRule, schema: Schema, path: string): readonly FieldError[] {
  const { reason, messageExpression = '', fieldPath = '' } = rule
  const errors = [...checkMessage(rule, path)]
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    const detail = `supported values: ${REASONS.map((one) => JSON.stringify(one)).join(', ')}`
    errors.push({ type: 'NotSupported', field: `${path}.reason`, value: reason, detail })
  }
  const at = `${path}.fieldPath`
  if (fieldPath !== '' && fieldPath.trim() === '') errors.push(invalid(at, fieldPath, 'must be non-empty if specified'))
  if (/[\n\r]/.test(fieldPath)) errors.push(invalid(at, fieldPath, 'must not contain line breaks'))
  if (fieldPath !== '' && resolveFieldPath(fieldPath, schema) === undefined) {
    errors.push(invalid(at, fieldPath, 'must be a valid path'))
  }
  return errors
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

function checkMessage({ rule = '', message = '' }: Partial<ValidationRule>, path: string): readonly FieldError[] {
  const [trimmedRule, trimmed] = [rule.trim(), message.trim()]
  if (trimmedRule === '') return [required(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && trimmed === '') return [invalid(`${path}.message`, message, 'must be non-empty if specified')]
  if (/[\n\r]/.test(trimmed)) return [invalid(`${path}.message`, message, 'must not contain line breaks')]
  if (!/[\n\r]/.test(trimmedRule) || trimmed !== '') return []
  return [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
}
