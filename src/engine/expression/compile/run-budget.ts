import { ExpressionError } from '../expression-error.ts'
import { Budget, DEFAULT_LIMITS, type Limits } from './budget.ts'

type Use = Pick<Limits, 'steps' | 'bytes'>

/** Of all evaluations of a run together. */
const RUN_LIMITS: Use = { steps: 10_000_000, bytes: 256 * 1024 * 1024 }
/** The most milliseconds between two turns of other work. */
const STRETCH_LIMITS: Use = DEFAULT_LIMITS
/** Of a run that others need not wait for: they hardly notice it. */
const SHORT_LIMITS: Use = { steps: 100_000, bytes: 2 * 1024 * 1024 }

/**
 * What the evaluations of a run may use together: each alone is bounded, a thousand of them are not.
 *
 * It counts what they count, so a run ends in the same place on every machine.
 */
export class RunBudget {
  #run: Use
  #stretch: Use
  readonly #limits: Use
  readonly #exhausted: (error: ExpressionError) => Error

  constructor(run: Use = RUN_LIMITS, stretch: Use = STRETCH_LIMITS, exhausted = together) {
    this.#run = run
    this.#stretch = stretch
    this.#limits = stretch
    this.#exhausted = exhausted
  }

  /** Of a run that gives up what computes for long, with an error of its own. */
  static short(exhausted: () => Error): RunBudget {
    return new RunBudget(SHORT_LIMITS, SHORT_LIMITS, exhausted)
  }

  /** Others may have had a turn. */
  renew(): void {
    this.#stretch = this.#limits
  }

  /**
   * Evaluates within what is left, and within the limits of one evaluation.
   *
   * @throws ExpressionError `E1009`, or what a short run says, where the others have used up what this one needs
   */
  spend<T>(limits: Limits, evaluate: (budget: Budget) => T): T {
    const open = narrower(limits, narrower(this.#run, this.#stretch))
    const budget = new Budget({ ...limits, ...open })
    let result: T
    try {
      result = evaluate(budget)
    } catch (error) {
      throw isShared(error, open, limits) ? this.#exhausted(error) : error
    } finally {
      const { left } = budget
      const used = { steps: open.steps - left.steps, bytes: open.bytes - left.bytes }
      this.#run = less(this.#run, used)
      this.#stretch = less(this.#stretch, used)
    }
    return result
  }
}

function narrower(one: Use, other: Use): Use {
  return { steps: Math.min(one.steps, other.steps), bytes: Math.min(one.bytes, other.bytes) }
}

function less(from: Use, { steps, bytes }: Use): Use {
  return { steps: Math.max(0, from.steps - steps), bytes: Math.max(0, from.bytes - bytes) }
}

/** Whether an evaluation ended at a limit that was narrower than its own. */
function isShared(error: unknown, open: Use, limits: Limits): error is ExpressionError {
  if (!(error instanceof ExpressionError)) return false
  return (error.code === 'E1001' && open.steps < limits.steps) || (error.code === 'E1002' && open.bytes < limits.bytes)
}

function together(error: ExpressionError): Error {
  const { position } = error
  const message = 'the expressions of the task, or of the whole run, take too much together'
  return new ExpressionError('limit', 'E1009', message, { position, cause: error })
}
