import { ExpressionError } from '../expression-error.ts'
import type { Value } from '../value.ts'

/** A number that arithmetic can use. @throws ExpressionError `D1001` for infinity */
export function isNumeric(value: Value): value is number {
  if (typeof value !== 'number' || Number.isNaN(value)) return false
  if (!Number.isFinite(value)) throw new ExpressionError('evaluation', 'D1001', 'a number is out of range')
  return true
}
