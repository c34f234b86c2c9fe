import type { Clock } from '../../core/base/clock.ts'

/** The turn of a run on the shared event loop. */
export interface Turn {
  /** Whether the run may compute for long. */
  readonly isLong: boolean
  /** Notes that the run has computed for so many milliseconds. */
  spent(milliseconds: number): void
  end(): void
}

/** How long a long run rests, as a multiple of its computing time. With 9, long runs get a tenth of the time beside short ones. */
const REST = 9
/** Milliseconds without a short run after which long runs need not rest. */
const QUIET = 20
/** Milliseconds from which an evaluation counts as the long part of its run. After it, the next run may begin. */
const LONG = 2
/** Milliseconds that a long run waits until the one before it has computed. That one may itself be waiting for a server. */
const PATIENCE = 1_000

/**
 * Decides when the next long run may begin, for all queues that share the event loop.
 *
 * Long runs compute one after the other and rest while there are short runs, which take hardly longer than without them. If nothing else
 * runs, long runs do not rest, so no time is lost.
 */
export class LongTurns {
  readonly #clock: Clock
  /** Callbacks in the order in which they came. Each is called once, and must be added again. */
  readonly #waiting = new Set<() => void>()
  #short = 0
  #quietSince = Number.NEGATIVE_INFINITY
  #restUntil = Number.NEGATIVE_INFINITY
  #last: { readonly began: number } | undefined
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether a long run may begin now. */
  get isOpen(): boolean {
    return this.#opensAt() <= this.#clock.monotonic()
  }

  begin(isLong: boolean): Turn {
    return isLong ? this.#beginLong() : this.#beginShort()
  }

  /** Calls `notify` once when a long run may begin, in the order in which callbacks were added. */
  whenOpen(notify: () => void): void {
    this.#waiting.add(notify)
    this.#setTimer()
  }

  #beginShort(): Turn {
    this.#short += 1
    const end = once(() => {
      this.#short -= 1
      this.#quietSince = this.#clock.monotonic()
      this.#notify()
    })
    return { isLong: false, spent: () => undefined, end }
  }

  #beginLong(): Turn {
    const run = { began: this.#clock.monotonic() }
    this.#last = run
    const letNext = once(() => {
      if (this.#last === run) this.#last = undefined
      this.#notify()
    })
    const spent = (milliseconds: number): void => {
      this.#restUntil = Math.max(this.#restUntil, this.#clock.monotonic()) + milliseconds * REST
      // The next run need not wait until this one has written what it has computed.
      if (milliseconds >= LONG) letNext()
    }
    return { isLong: true, spent, end: letNext }
  }

  #opensAt(): number {
    const quietAt = this.#short > 0 ? Number.POSITIVE_INFINITY : this.#quietSince + QUIET
    const afterLast = this.#last ? this.#last.began + PATIENCE : Number.NEGATIVE_INFINITY
    return Math.max(afterLast, Math.min(this.#restUntil, quietAt))
  }

  #notify(): void {
    while (this.isOpen) {
      const [first] = this.#waiting
      if (!first) break
      this.#waiting.delete(first)
      first()
    }
    this.#setTimer()
  }

  /** Sets a timer only while a run waits. */
  #setTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const opensIn = this.#opensAt() - this.#clock.monotonic()
    if (this.#waiting.size === 0 || opensIn === Number.POSITIVE_INFINITY) return
    this.#cancelTimer = this.#clock.schedule(Math.max(0, opensIn), () => this.#notify())
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}
