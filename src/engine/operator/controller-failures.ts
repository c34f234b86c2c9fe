import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { Metrics } from '../runtime/metrics.ts'

export interface ControllerFailuresOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Pick<Metrics, 'controllerFailed'> | undefined
}

/** Milliseconds before the next start of a controller that failed. */
const BACKOFF = { base: 1_000, max: 5 * 60_000 }
/** Milliseconds without a failure after which the backoff starts anew. */
const FORGOTTEN = 2 * BACKOFF.max

/** Controllers that a defect of ours has ended, by kind. Logs each failure and decides when the controller starts again. */
export class ControllerFailures {
  readonly #options: ControllerFailuresOptions
  readonly #down = new Set<string>()
  readonly #last = new Map<string, { readonly at: number; readonly attempt: number }>()

  constructor(options: ControllerFailuresOptions) {
    this.#options = options
  }

  /** The kinds whose controllers wait for their next start. */
  get down(): readonly string[] {
    return [...this.#down]
  }

  /** Resolves when the kind may be started again, or `signal` aborts. */
  async pause(kind: string, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const { clock, logger, metrics } = this.#options
    const delay = backoffDelay(this.#count(kind), BACKOFF)
    this.#down.add(kind)
    metrics?.controllerFailed(kind)
    const fields = { kind, error: explain(error), seconds: Math.round(delay / 1000) }
    try {
      logger.error('a controller has failed: nothing of its kind is reconciled until it is started again', fields)
    } catch {
      // The controller may have failed because the log cannot be written.
    }
    await clock.sleep(delay, signal)
    this.#down.delete(kind)
  }

  /** Counts a failure. Returns how many came before it in short succession. */
  #count(kind: string): number {
    const at = this.#options.clock.monotonic()
    const last = this.#last.get(kind)
    const attempt = last && at - last.at < FORGOTTEN ? last.attempt + 1 : 0
    this.#last.set(kind, { at, attempt })
    return attempt
  }
}
