import type { Clock } from '../base/clock.ts'
import { explain } from '../base/coded-error.ts'
import type { Logger } from '../base/logger.ts'
import type { LongTurns } from './long-turns.ts'
import type { Priority } from './priority.ts'
import type { ReconcileResult, Reconciler, Request } from './reconciler.ts'
import type { Runnable } from './runnable.ts'
import { type Capacity, type Taken, WorkQueue } from './work-queue.ts'

export interface ControllerOptions {
  readonly name: string
  readonly reconciler: Reconciler
  /** How many requests run at once. */
  readonly maxConcurrent: number
  readonly clock: Clock
  readonly logger: Logger
  /** Whose share of the workers a request uses. Defaults to one share without limit. */
  readonly capacity?: ((request: Request) => Capacity) | undefined
  /** Shared with other controllers. Defaults to none: all runs have all time. */
  readonly turns?: LongTurns | undefined
  /** Defaults to a new one. */
  readonly queue?: WorkQueue | undefined
  /** Told of every run, for metrics. */
  readonly observe?: ((run: ReconcileRun) => void) | undefined
}

/** One call of the reconciler, seen from outside. */
export interface ReconcileRun extends Taken {
  /** Milliseconds it took. */
  readonly duration: number
  readonly result?: ReconcileResult | undefined
  readonly error?: unknown
}

/** Takes requests from its queue, has them reconciled and queues them again as the results say. */
export class Controller implements Runnable {
  readonly name: string
  readonly queue: WorkQueue
  readonly #options: ControllerOptions
  /** With the moments at which they began. */
  readonly #runs = new Map<AbortController, number>()

  constructor(options: ControllerOptions) {
    this.name = options.name
    this.#options = options
    this.queue = options.queue ?? new WorkQueue(options)
  }

  enqueue(request: Request, priority: Priority): void {
    this.queue.add(request, priority)
  }

  enqueueAfter(request: Request, milliseconds: number, priority: Priority): void {
    this.queue.addAfter(request, milliseconds, priority)
  }

  async start(signal: AbortSignal): Promise<void> {
    const stop = (): void => {
      this.queue.shutDown()
      for (const run of this.#runs.keys()) run.abort(signal.reason)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    await Promise.all(Array.from({ length: this.#options.maxConcurrent }, () => this.#work()))
    signal.removeEventListener('abort', stop)
  }

  /** Takes no more work: what is under way goes on to its end, and then `start` resolves. */
  drain(): void {
    this.queue.shutDown()
  }

  /** Resolves when nothing is ready or running. */
  idle(): Promise<void> {
    return this.queue.idle()
  }

  /** Milliseconds for which the oldest run has been going on; 0 when none is. */
  get longestRun(): number {
    const now = this.#options.clock.monotonic()
    return Math.max(0, ...[...this.#runs.values()].map((start) => now - start))
  }

  async #work(): Promise<void> {
    for (let taken = await this.queue.take(); taken; taken = await this.queue.take()) await this.#run(taken)
  }

  async #run(taken: Taken): Promise<void> {
    const { clock, reconciler } = this.#options
    const run = new AbortController()
    const start = clock.monotonic()
    this.#runs.set(run, start)
    try {
      const result = await reconciler.reconcile(taken.request, run.signal, taken.turn)
      this.#requeue(taken.request, result)
      this.#observe({ ...taken, duration: clock.monotonic() - start, result })
    } catch (error) {
      if (!run.signal.aborted) this.#contain(taken.request, error)
      this.#observe({ ...taken, duration: clock.monotonic() - start, error })
    } finally {
      this.#runs.delete(run)
      this.queue.done(taken.request)
    }
  }

  /** Before `done`, so that a request never looks idle between its run and the next. */
  #requeue(request: Request, result: ReconcileResult): void {
    const { needsLongTurn, retry, requeueAfter, requeuePriority = 'retry', minimumDelay } = result
    if (needsLongTurn) this.queue.add(request, 'long')
    else if (retry) this.queue.addWithBackoff(request, { minimumDelay })
    else this.queue.forget(request)
    if (requeueAfter !== undefined) this.queue.addAfter(request, requeueAfter, requeuePriority)
  }

  #contain(request: Request, error: unknown): void {
    const { logger } = this.#options
    logger.error('cannot reconcile: the reconciler failed; it is tried again', { ...request, error: explain(error) })
    this.queue.addWithBackoff(request)
  }

  #observe(run: ReconcileRun): void {
    try {
      this.#options.observe?.(run)
    } catch (error) {
      this.#options.logger.warn('cannot observe a run: the observer failed', { error: explain(error) })
    }
  }
}
