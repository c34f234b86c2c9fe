import type { Clock } from '../../core/base/clock.ts'
import { CodedError } from '../../core/base/coded-error.ts'
import type { Request } from './reconciler.ts'

/** The reason of the abort of a run that did not end in time. */
export class ReconciliationTimeout extends CodedError {
  /** @param timeout milliseconds */
  constructor(timeout: number) {
    super('ReconciliationTimeout', `cannot end the run within ${timeout / 1000} s`)
  }
}

export interface ControllerRunOptions {
  readonly clock: Clock
  /** Milliseconds after which the run is aborted; 0 is never. */
  readonly timeout: number
  /** Milliseconds that the run may take to end after its abort. */
  readonly grace: number
}

/** One call of the reconciler. It is aborted at its deadline. It hangs if it has not ended one grace period after its abort. */
export class ControllerRun {
  readonly request: Request
  /** On the monotonic clock. */
  readonly began: number
  /** Resolves when the run hangs. */
  readonly hangs: Promise<void>
  readonly #options: ControllerRunOptions
  readonly #abort = new AbortController()
  readonly #hang: () => void
  #cancelTimer: () => void

  constructor(request: Request, options: ControllerRunOptions) {
    const { clock, timeout } = options
    this.request = request
    this.#options = options
    this.began = clock.monotonic()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.hangs = promise
    this.#hang = resolve
    const expire = (): void => this.abort(new ReconciliationTimeout(timeout))
    this.#cancelTimer = timeout === 0 ? () => undefined : clock.schedule(timeout, expire)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The reason of its abort, if that was the deadline. */
  get timeout(): ReconciliationTimeout | undefined {
    const reason: unknown = this.signal.reason
    return reason instanceof ReconciliationTimeout ? reason : undefined
  }

  abort(reason: unknown): void {
    if (this.signal.aborted) return
    const { clock, grace } = this.#options
    this.#cancelTimer()
    this.#cancelTimer = clock.schedule(grace, this.#hang)
    this.#abort.abort(reason)
  }

  /** Notes that the run has ended. */
  end(): void {
    this.#cancelTimer()
  }
}
