import { type BackoffOptions, backoffDelay } from '../../../../core/base/backoff.ts'
import type { Clock } from '../../../../core/base/clock.ts'
import { explain } from '../../../../core/base/coded-error.ts'
import { type Logger, nopLogger } from '../../../../core/base/logger.ts'
import { formatKey, type ObjectKey } from '../../../../core/kube/object.ts'

export type RetryOptions = Pick<BackoffOptions, 'base' | 'max'>

const RETRY: RetryOptions = { base: 5, max: 1_000_000 }
/** Timers of the platform overflow beyond 24 days; a look too early does no harm. */
const LONGEST_WAIT = 3_600_000
/** After so many batches, or so many milliseconds, without a pause others get a turn. */
const BATCHES_IN_A_ROW = 20
const BUSY_TIME = 20

export interface LoopOptions {
  /** Defaults to one that reports nothing. */
  readonly logger?: Logger | undefined
  /** Defaults to what most controllers of the real control plane do. */
  readonly retry?: RetryOptions | undefined
}

interface Waiting {
  readonly due: number
  readonly cancel: () => void
}

/**
 * Calls `reconcile` for keys that were enqueued, each once however often it was enqueued before its turn. Batches run as
 * microtasks after the change that caused them. A key whose call throws is tried again, later each time.
 */
export class ReconcileLoop {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #retry: BackoffOptions
  readonly #reconcile: (key: ObjectKey) => void
  readonly #failures = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting>()
  #ready = new Map<string, ObjectKey>()
  #batches = 0
  #busySince: number | undefined
  #isScheduled = false
  #isStopped = false

  constructor(clock: Clock, reconcile: (key: ObjectKey) => void, options: LoopOptions = {}) {
    const { logger = nopLogger, retry = RETRY } = options
    this.#clock = clock
    this.#reconcile = reconcile
    this.#logger = logger
    this.#retry = { ...retry, jitter: 0 }
  }

  enqueue(key: ObjectKey): void {
    if (this.#isStopped) return
    this.#ready.set(formatKey(key), key)
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (this.#isBusy()) this.#clock.schedule(0, () => this.#runAfterPause())
    else queueMicrotask(() => this.#run())
  }

  /** Keeps the earliest of several times; after an hour at the latest. */
  enqueueAfter(key: ObjectKey, wait: number): void {
    if (this.#isStopped) return
    const milliseconds = Math.min(wait, LONGEST_WAIT)
    const id = formatKey(key)
    const due = this.#clock.monotonic() + milliseconds
    const waiting = this.#waiting.get(id)
    if (waiting && waiting.due <= due) return
    waiting?.cancel()
    const cancel = this.#clock.schedule(milliseconds, () => {
      this.#waiting.delete(id)
      this.enqueue(key)
    })
    this.#waiting.set(id, { due, cancel })
  }

  stop(): void {
    this.#isStopped = true
    for (const { cancel } of this.#waiting.values()) cancel()
    this.#waiting.clear()
    this.#ready.clear()
  }

  #isBusy(): boolean {
    const now = this.#clock.monotonic()
    this.#busySince ??= now
    this.#batches++
    return this.#batches >= BATCHES_IN_A_ROW || now - this.#busySince > BUSY_TIME
  }

  #runAfterPause(): void {
    this.#startOver()
    this.#run()
  }

  #run(): void {
    const batch = this.#ready
    this.#ready = new Map()
    this.#isScheduled = false
    for (const [id, key] of batch) this.#call(id, key)
    if (this.#ready.size === 0) this.#startOver()
  }

  #startOver(): void {
    this.#batches = 0
    this.#busySince = undefined
  }

  #call(id: string, key: ObjectKey): void {
    if (this.#isStopped) return
    try {
      this.#reconcile(key)
      this.#failures.delete(id)
    } catch (error) {
      const failures = this.#failures.get(id) ?? 0
      this.#failures.set(id, failures + 1)
      this.#logger.debug('cannot reconcile, tries again', { key: id, error: explain(error) })
      this.enqueueAfter(key, backoffDelay(failures, this.#retry))
    }
  }
}
