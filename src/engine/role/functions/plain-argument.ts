import type { JsonValue } from '../../../core/base/json.ts'
import type { Budget } from '../../expression/compile/budget.ts'
import { isFunctionValue, type Value } from '../../expression/value.ts'
import { functionError } from './function-errors.ts'

/** Deeper values could not be printed or compared without risk to the stack. */
const MAX_DEPTH = 100

/**
 * A value of an evaluation as plain JSON: no functions, no infinities, nothing where there was nothing.
 *
 * @throws ExpressionError `E2008`
 */
export function plainArgument(value: Value, budget: Budget, depth = 0): JsonValue | undefined {
  // Copying a value costs more than looking at it.
  budget.step(4)
  if (depth > MAX_DEPTH || isFunctionValue(value)) throw functionError('E2008')
  if (typeof value === 'number' && !Number.isFinite(value)) throw functionError('E2008')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return plainItems(value, budget, depth)
  const entries = Object.entries(value as { readonly [key: string]: Value })
  budget.allocate(16 * entries.length)
  const plain = entries.map(([key, inner]) => [key, plainArgument(inner, budget, depth + 1)] as const)
  return Object.fromEntries(plain.filter(([, inner]) => inner !== undefined))
}

function plainItems(items: readonly Value[], budget: Budget, depth: number): JsonValue {
  budget.allocate(16 * items.length)
  return items.map((item) => plainArgument(item, budget, depth + 1)).filter((item) => item !== undefined)
}
