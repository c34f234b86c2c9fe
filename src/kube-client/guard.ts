import type { Clock } from '../base/clock.ts'
import { CodedError } from '../base/coded-error.ts'
import { ApiError } from '../kube/api-error.ts'
import { noAnswer } from './to-api-error.ts'

/** Ends one HTTP exchange when its time is up or its caller gives up, and knows afterwards which of them it was. */
export class Guard {
  readonly #abort = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #onCallerAbort: () => void
  readonly #cancelDeadline: () => void

  constructor(clock: Clock, milliseconds: number, caller: AbortSignal | undefined) {
    this.#caller = caller
    this.#onCallerAbort = () => this.#abort.abort(caller?.reason)
    caller?.addEventListener('abort', this.#onCallerAbort, { once: true })
    this.#cancelDeadline = clock.schedule(milliseconds, () => this.#abort.abort(tooLate(milliseconds)))
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  endDeadline(): void {
    this.#cancelDeadline()
  }

  release(): void {
    this.#cancelDeadline()
    this.#caller?.removeEventListener('abort', this.#onCallerAbort)
  }

  /** What to throw for `error`: the caller's reason if the caller gave up, else an `ApiError`. */
  explain(error: unknown, action: string): unknown {
    if (this.#caller?.aborted) return this.#caller.reason
    if (error instanceof ApiError) return error
    return noAnswer(action, this.signal.aborted ? this.signal.reason : error)
  }
}

function tooLate(milliseconds: number): CodedError {
  return new CodedError('DeadlineExceeded', `none came within ${Math.round(milliseconds / 1000)} s`)
}
