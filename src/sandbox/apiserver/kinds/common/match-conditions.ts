import type { JsonObject } from '../../../../core/base/json.ts'
import { compileExpression, type ExpressionScope } from '../../admission/policies/policy-expression.ts'
import { BOOL } from '../../cel/cel-type.ts'
import { checkLabelKey } from '../../write/names.ts'
import { duplicate, type FieldErrors, invalid, invalidFor, required, tooMany } from './field-errors.ts'
import { textAt } from './fields.ts'

const MOST_CONDITIONS = 64

/** `matchConditions` of policies and of webhooks. */
export function validateMatchConditions(
  conditions: readonly JsonObject[],
  list: string,
  scope: ExpressionScope,
): FieldErrors {
  const seen = new Set<string>()
  const errors = conditions.flatMap((condition, index) => {
    const field = `${list}[${index}]`
    const name = textAt(condition, 'name')
    const repeated = seen.has(name) ? [duplicate(`${field}.name`, name)] : []
    seen.add(name)
    const nameErrors = [...invalidFor(`${field}.name`, name, checkLabelKey(name)), ...repeated]
    return [
      ...validateExpression(textAt(condition, 'expression').trim(), `${field}.expression`, scope),
      ...(name === '' ? [required(`${field}.name`)] : nameErrors),
    ]
  })
  return [
    ...(conditions.length > MOST_CONDITIONS ? [tooMany(list, conditions.length, MOST_CONDITIONS)] : []),
    ...errors,
  ]
}

function validateExpression(source: string, field: string, scope: ExpressionScope): FieldErrors {
  if (source === '') return [required(field)]
  const { error } = compileExpression(source, scope, { returns: [BOOL] })
  return error === undefined ? [] : [invalid(field, source, error)]
}
