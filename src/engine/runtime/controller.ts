import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import { ControllerRun } from './controller-run.ts'
import { HungRuns } from './hung-runs.ts'
import type { LongTurns } from './long-turns.ts'
import type { Priority } from './priority.ts'
import type { ReconcileResult, Reconciler, Request } from './reconciler.ts'
import type { Runnable } from './runnable.ts'
import { type Capacity, type Taken, WorkQueue, type WorkQueueOptions } from './work-queue.ts'

export interface ControllerOptions {
  readonly name: string
  readonly reconciler: Reconciler
  /** How many requests run at once. */
  readonly maxConcurrent: number
  readonly clock: Clock
  readonly logger: Logger
  /** The share of the workers that a request uses. Defaults to one share without limit. */
  readonly capacity?: ((request: Request) => Capacity) | undefined
  /** Of failures that may pass. */
  readonly backoff: WorkQueueOptions['backoff']
  /** Shared with other controllers. Defaults to none: runs may compute as long as they need. */
  readonly turns?: LongTurns | undefined
  /** Milliseconds after which a run is aborted and tried again; 0 is never. Defaults to never. */
  readonly reconciliationTimeout?: number | undefined
  /** Shared with former and later controllers of the same requests. Defaults to none. */
  readonly hung?: HungRuns | undefined
  /** Defaults to a new one. */
  readonly queue?: WorkQueue | undefined
  /** Called with every run, for metrics. */
  readonly observe?: ((run: ReconcileRun) => void) | undefined
}

/** Milliseconds that a run may take to end after its abort. The requests that it waits for end with its signal. */
const ABORT_GRACE = 30_000

/** One call of the reconciler, as metrics see it. */
export interface ReconcileRun extends Taken {
  /** How many milliseconds it took. */
  readonly duration: number
  /** Whether it was aborted at its deadline. */
  readonly isTimeout: boolean
  readonly result?: ReconcileResult | undefined
  readonly error?: unknown
}

/**
 * Takes requests from its queue, reconciles them, and queues them again as the results say.
 *
 * A hung run keeps its request, but not its worker: other requests run in its place, and `start` resolves without it.
 */
export class Controller implements Runnable {
  readonly name: string
  readonly queue: WorkQueue
  readonly #options: ControllerOptions
  readonly #hung: HungRuns
  readonly #runs = new Set<ControllerRun>()
  readonly #stopping = new AbortController()

  constructor(options: ControllerOptions) {
    this.name = options.name
    this.#options = options
    this.#hung = options.hung ?? new HungRuns()
    this.queue = options.queue ?? new WorkQueue(options)
  }

  enqueue(request: Request, priority: Priority): void {
    this.queue.add(request, priority)
  }

  enqueueAfter(request: Request, milliseconds: number, priority: Priority): void {
    this.queue.addAfter(request, milliseconds, priority)
  }

  /** Resolves when all runs have ended or hang after `signal` aborts. Rejects then if a defect has ended a worker. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#stop(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    const work = async (): Promise<void> => {
      try {
        await this.#work()
      } catch (error) {
        this.#stop(error)
        throw error
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: this.#options.maxConcurrent }, work))
    signal.removeEventListener('abort', stop)
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** Takes no more work. Present runs go on to their end, and then `start` resolves. */
  drain(): void {
    this.queue.shutDown()
  }

  /** Resolves when nothing is ready or running. */
  idle(): Promise<void> {
    return this.queue.idle()
  }

  /** How many milliseconds the oldest run has taken so far; 0 if there is none. */
  get longestRun(): number {
    const now = this.#options.clock.monotonic()
    return Math.max(0, ...[...this.#runs].map(({ began }) => now - began))
  }

  #stop(reason: unknown): void {
    this.queue.shutDown()
    this.#stopping.abort(reason)
    for (const run of this.#runs) run.abort(reason)
  }

  async #work(): Promise<void> {
    for (let taken = await this.queue.take(); taken; taken = await this.queue.take()) await this.#run(taken)
  }

  async #run(taken: Taken): Promise<void> {
    const { request, priority } = taken
    const former = this.#hung.endOf(request)
    if (former) {
      void former.then(() => this.queue.add(request, priority))
      return this.queue.done(request)
    }
    const { clock, reconciliationTimeout: timeout = 0 } = this.#options
    const run = new ControllerRun(request, { clock, timeout, grace: ABORT_GRACE })
    const ended = this.#reconcile(run, taken)
    const isHung = await Promise.race([ended.then(() => false), run.hangs.then(() => true)])
    if (isHung) this.#setAside(run, ended)
  }

  async #reconcile(run: ControllerRun, taken: Taken): Promise<void> {
    const { clock, reconciler } = this.#options
    const { request, signal } = run
    const seen = (): Omit<ReconcileRun, 'result' | 'error'> => {
      return { ...taken, duration: clock.monotonic() - run.began, isTimeout: run.timeout !== undefined }
    }
    this.#runs.add(run)
    try {
      const result = await reconciler.reconcile(request, signal, taken.turn)
      this.#requeue(request, result)
      this.#observe({ ...seen(), result })
    } catch (error) {
      if (run.timeout) await this.#giveUp(run)
      else if (!signal.aborted) this.#contain(request, error)
      this.#observe({ ...seen(), error })
    } finally {
      run.end()
      this.#runs.delete(run)
      this.queue.done(request)
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

  /** Handles a run that has ended after its deadline. */
  async #giveUp(run: ControllerRun): Promise<void> {
    const message = 'cannot reconcile: the run has reached its deadline and was aborted; it is tried again'
    this.#options.logger.error(message, { ...run.request, seconds: this.#secondsOf(run) })
    await this.#report(run, false)
    this.queue.addWithBackoff(run.request)
  }

  #setAside(run: ControllerRun, ended: Promise<void>): void {
    const { request, began } = run
    const { logger } = this.#options
    const message =
      'a run continues although it was aborted: its resource waits for its end (restart the operator if it does not end)'
    logger.error(message, { ...request, seconds: this.#secondsOf(run), abortedFor: explain(run.signal.reason) })
    const end = (): void => logger.info('a run that continued after its abort has ended', { ...request })
    this.#hung.add({ request, began, ended: ended.then(end, end) })
    this.queue.setAside(request)
    if (run.timeout) void this.#report(run, true)
  }

  /** Reports the timeout on the resource. */
  async #report(run: ControllerRun, isHung: boolean): Promise<void> {
    const { reconciler, logger } = this.#options
    const { timeout, request, signal } = run
    if (!timeout) return
    try {
      await reconciler.timedOut?.(
        { request, error: timeout, isHung, run: signal },
        AbortSignal.any([this.#stopping.signal]),
      )
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        logger.warn('cannot report in the status that a run was aborted', { ...request, error: explain(error) })
    }
  }

  #secondsOf({ began }: ControllerRun): number {
    return Math.round((this.#options.clock.monotonic() - began) / 1000)
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
