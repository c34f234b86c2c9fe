import type { JsonValue } from '../../core/base/json.ts'
import type { Budget } from './compile/budget.ts'
import { ExpressionError } from './expression-error.ts'
import { isFunctionValue, isListValue, type Value } from './value.ts'

/** The most that the JSON text of a result may take. */
export const MAX_RESULT_BYTES = 1024 * 1024
/** Characters of a number with a fraction, about. */
const TYPICAL_FRACTION = 18
const MAX_RESULT_DEPTH = 200
const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The result of an evaluation as plain data: ordinary prototypes, no marks, no aliases of anything that can change.
 * What is frozen came from the input, is plain already and is shared; all else is copied. `budget` pays a step for each
 * value: one that stands in many places is as many.
 *
 * @throws ExpressionError `E1004` too large, `E1005` a function, `E1006` not a finite number, `E1007` an integer beyond
 * 2^53, `E1008` a key such as `__proto__`, `E1001` too many steps
 */
export function plainValue(value: Value, budget: Budget): JsonValue | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  return new Plainer(budget).plain(value, 0)
}

type Fields = { readonly [key: string]: Value }

class Plainer {
  readonly #budget: Budget
  #bytesLeft = MAX_RESULT_BYTES

  constructor(budget: Budget) {
    this.#budget = budget
  }

  plain(value: Value, depth: number): JsonValue | undefined {
    this.#budget.step()
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return this.#number(value)
    this.#spend(1)
    if (value === undefined || value === null || typeof value === 'boolean') return value
    if (isFunctionValue(value)) throw refuse('E1005', 'the result holds a function')
    if (depth > MAX_RESULT_DEPTH) throw refuse('E1004', 'the result nests too deeply')
    return isListValue(value) ? this.#list(value, depth) : this.#object(value as Fields, depth)
  }

  #list(items: readonly Value[], depth: number): JsonValue {
    const plain: JsonValue[] = []
    for (const item of items) {
      const plainItem = this.plain(item, depth + 1)
      if (plainItem !== undefined) plain.push(plainItem)
    }
    return Object.isFrozen(items) ? (items as readonly JsonValue[]) : plain
  }

  #object(fields: Fields, depth: number): JsonValue {
    const plain: { [key: string]: JsonValue } = {}
    for (const key of Object.keys(fields)) {
      if (REFUSED_KEYS.has(key)) throw refuse('E1008', `the result has a key that is not allowed: ${key}`)
      this.#text(key)
      const field = this.plain(fields[key], depth + 1)
      if (field !== undefined) plain[key] = field
    }
    return Object.isFrozen(fields) ? (fields as { readonly [key: string]: JsonValue }) : plain
  }

  #text(text: string): string {
    this.#spend(text.length + 3)
    return text
  }

  #number(value: number): number {
    this.#spend(Number.isInteger(value) ? 2 + Math.log10(Math.abs(value) + 1) : TYPICAL_FRACTION)
    if (!Number.isFinite(value)) throw refuse('E1006', 'the result is not a finite number')
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw refuse('E1007', 'the result is an integer beyond 2^53, which cannot be kept exactly: use text')
    }
    return value === 0 ? 0 : value
  }

  #spend(bytes: number): void {
    this.#bytesLeft -= bytes
    if (this.#bytesLeft < 0) throw ExpressionError.limit('E1004', 'the result is larger than 1 MiB')
  }
}

function refuse(code: string, message: string): ExpressionError {
  return new ExpressionError('evaluation', code, message)
}
