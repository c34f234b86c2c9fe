import { ExpressionError } from '../expression-error.ts'

/** What one evaluation may use. */
export interface Limits {
  /** Units of work: a node evaluated, an item visited, a comparison made. */
  readonly steps: number
  /** Function calls and nested nodes open at once. */
  readonly depth: number
  /** Bytes of text and list slots made, garbage included. */
  readonly bytes: number
}

export const DEFAULT_LIMITS: Limits = { steps: 1_000_000, depth: 500, bytes: 16 * 1024 * 1024 }

/**
 * Counts what an evaluation uses and ends it with an error at the limit.
 *
 * All code that loops, recurses or builds text asks here first. So an evaluation is bounded by construction: without timers,
 * and at the same step on every machine.
 */
export class Budget {
  #steps: number
  #depth: number
  #bytes: number

  constructor(limits: Limits = DEFAULT_LIMITS) {
    this.#steps = limits.steps
    this.#depth = limits.depth
    this.#bytes = limits.bytes
  }

  /** What is left of it. */
  get left(): Pick<Limits, 'steps' | 'bytes'> {
    return { steps: Math.max(0, this.#steps), bytes: Math.max(0, this.#bytes) }
  }

  /** @throws ExpressionError `E1001` */
  step(count = 1): void {
    this.#steps -= count
    if (this.#steps < 0) throw ExpressionError.limit('E1001', 'the expression takes too many steps')
  }

  /** Call before the allocation. @throws ExpressionError `E1002` */
  allocate(bytes: number): void {
    this.#bytes -= bytes
    if (this.#bytes < 0) throw ExpressionError.limit('E1002', 'the expression builds too much data')
  }

  /** Pairs with `leave`. A call of a large body counts as several levels. @throws ExpressionError `E1003` */
  enter(levels = 1): void {
    this.#depth -= levels
    if (this.#depth < 0) throw ExpressionError.limit('E1003', 'the expression nests too deeply')
  }

  leave(levels = 1): void {
    this.#depth += levels
  }
}
