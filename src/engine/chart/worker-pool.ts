import type { Clock } from '../../core/base/clock.ts'
import { HelmWorker, type WorkerLimits } from './helm-worker.ts'

export interface PoolOptions {
  /** Reads Helm's renderer, packed. Called when it is first needed. */
  readonly module: () => Uint8Array
  readonly clock: Clock
  readonly limits: WorkerLimits
  /** Threads at most. */
  readonly workers: number
  /** Milliseconds after which a thread without work ends, and gives its memory back. */
  readonly idle: number
}

/** A worker that has seen so many charts is replaced: it keeps the files of each. */
const CHARTS_AT_MOST = 50

/** Threads that render, started when they are needed and ended when they are not. */
export class WorkerPool {
  readonly #options: PoolOptions
  readonly #idle: { readonly worker: HelmWorker; readonly cancelEnd: () => void }[] = []
  readonly #busy = new Set<HelmWorker>()
  readonly #waiting: (() => void)[] = []
  #module: Uint8Array | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Runs `work` with a worker that is not used otherwise meanwhile, if possible one that has the chart. */
  async use<T>(chart: string, work: (worker: HelmWorker) => Promise<T>): Promise<T> {
    const worker = await this.#take(chart)
    try {
      return await work(worker)
    } finally {
      this.#giveBack(worker)
    }
  }

  /** How many threads there are. */
  get size(): number {
    return this.#idle.length + this.#busy.size
  }

  /** Ends all threads; calls that run fail. */
  async stop(): Promise<void> {
    const idle = this.#idle.splice(0)
    for (const { cancelEnd } of idle) cancelEnd()
    await Promise.all([...idle.map(({ worker }) => worker), ...this.#busy].map((worker) => worker.stop()))
  }

  async #take(chart: string): Promise<HelmWorker> {
    while (this.#idle.length === 0 && this.#busy.size >= this.#options.workers) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    const best = this.#idle.findIndex(({ worker }) => worker.charts.has(chart))
    const [found] = this.#idle.splice(Math.max(best, 0), 1)
    found?.cancelEnd()
    const worker = found?.worker ?? this.#start()
    this.#busy.add(worker)
    return worker
  }

  #start(): HelmWorker {
    const { module, limits, clock } = this.#options
    this.#module ??= module()
    return new HelmWorker(this.#module, limits, clock)
  }

  #giveBack(worker: HelmWorker): void {
    this.#busy.delete(worker)
    if (worker.charts.size > CHARTS_AT_MOST) void worker.stop()
    if (!worker.isOver) this.#rest(worker)
    this.#waiting.shift()?.()
  }

  #rest(worker: HelmWorker): void {
    const end = (): void => {
      this.#idle.splice(this.#idle.indexOf(entry), 1)
      void worker.stop()
    }
    const entry = { worker, cancelEnd: this.#options.clock.schedule(this.#options.idle, end) }
    this.#idle.push(entry)
  }
}
