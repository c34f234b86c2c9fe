import type { Clock } from '../base/clock.ts'
import { CodedError } from '../base/coded-error.ts'
import { ApiError } from '../kube/api-error.ts'
import { noAnswer } from './to-api-error.ts'

export interface GuardOptions {
  /** Of the caller. */
  readonly signal?: AbortSignal | undefined
  /** Throws when the request must not be sent any more. */
  readonly beforeSend?: (() => void) | undefined
}

/** Ends one HTTP exchange when its time is up or its caller gives up, and knows afterwards which of them it was. */
export class Guard {
  readonly #caller: AbortSignal | undefined
  readonly #onCallerAbort: () => void
  readonly #cancelDeadline: () => void
  readonly #beforeSend: (() => void) | undefined
  #refusal: { readonly reason: unknown } | undefined
  #lateness: CodedError | undefined
  #end: (reason: Error) => void = () => undefined

  constructor(clock: Clock, milliseconds: number, { signal: caller, beforeSend }: GuardOptions) {
    this.#caller = caller
    this.#beforeSend = beforeSend
    this.#onCallerAbort = () => this.#end(caller?.reason)
    caller?.addEventListener('abort', this.#onCallerAbort, { once: true })
    this.#cancelDeadline = clock.schedule(milliseconds, () => {
      this.#lateness = tooLate(milliseconds)
      this.#end(this.#lateness)
    })
  }

  /** Calls `end` when the exchange is to end: at once if the caller has given up before. */
  whenOver(end: (reason: Error) => void): void {
    this.#end = end
    if (this.#caller?.aborted) end(this.#caller.reason)
  }

  /** To be called when the next thing is to send. @throws what the caller throws, to keep the request back */
  readonly check = (): void => {
    try {
      this.#beforeSend?.()
    } catch (error) {
      this.#refusal = { reason: error }
      throw error
    }
  }

  endDeadline(): void {
    this.#cancelDeadline()
  }

  release(): void {
    this.#cancelDeadline()
    this.#caller?.removeEventListener('abort', this.#onCallerAbort)
  }

  /** What to throw for `error`: the caller's reason if the caller gave up or kept it back, else an `ApiError`. */
  explain(error: unknown, action: string): unknown {
    if (this.#caller?.aborted) return this.#caller.reason
    if (this.#refusal) return this.#refusal.reason
    if (error instanceof ApiError) return error
    return noAnswer(action, this.#lateness ?? error)
  }
}

function tooLate(milliseconds: number): CodedError {
  return new CodedError('DeadlineExceeded', `none came within ${Math.round(milliseconds / 1000)} s`)
}
