import { Worker } from 'node:worker_threads'
import type { Clock } from '../../core/base/clock.ts'
import { ChartFailure } from './chart-failure.ts'
import type { WorkerAnswer, WorkerCall, WorkerReady, WorkerSetup } from './worker-messages.ts'

export interface WorkerLimits {
  /** Milliseconds that a call may take. How long a thread takes to start does not count: that is for the machine to say. */
  readonly time: number
  /** Bytes that an answer may have. */
  readonly largestAnswer: number
}

/** From source or from the bundle, the program of the thread stands beside this one. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './render-worker.ts' : './render-worker.mjs', import.meta.url)
/** Megabytes: templates that include themselves a thousand times, as deep as Helm allows, need a deep stack. */
const RESOURCES = { stackSizeMb: 200, maxOldGenerationSizeMb: 512 }

/** One thread with one warm renderer: one call at a time, each within its limits. */
export class HelmWorker {
  /** Charts that it has loaded. */
  readonly charts = new Set<string>()
  readonly #worker: Worker
  readonly #clock: Clock
  readonly #time: number
  #isReady = false
  #isOver = false

  constructor(module: Uint8Array, limits: WorkerLimits, clock: Clock) {
    const workerData: WorkerSetup = { module, largestAnswer: limits.largestAnswer }
    this.#worker = new Worker(PROGRAM, { workerData, resourceLimits: RESOURCES, env: {}, execArgv: [] })
    this.#worker.unref()
    this.#worker.once('message', () => {
      this.#isReady = true
    })
    this.#clock = clock
    this.#time = limits.time
  }

  /** Whether it can take no call any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** @throws ChartFailure when a limit is reached, or the thread dies. Then it is over. */
  async call(call: WorkerCall): Promise<string> {
    // A call is worth waiting for, the thread alone is not.
    this.#worker.ref()
    let answer: string
    try {
      answer = await this.#answerTo(call)
    } catch (error) {
      await this.stop()
      throw error
    } finally {
      this.#worker.unref()
    }
    return answer
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#worker.terminate()
  }

  #answerTo(call: WorkerCall): Promise<string> {
    return new Promise((resolve, reject) => {
      let cancel = (): void => undefined
      const begin = (): void => {
        cancel = this.#clock.schedule(this.#time, () => settle(() => reject(tooLong(this.#time))))
      }
      const onMessage = (answer: WorkerAnswer | WorkerReady): void => {
        if ('isReady' in answer) begin()
        else if ('answer' in answer) settle(() => resolve(answer.answer))
        else settle(() => reject(new ChartFailure(answer.failure.stage, answer.failure.message)))
      }
      const onError = (error: Error): void => settle(() => reject(toFailure(error)))
      const onExit = (): void => settle(() => reject(new ChartFailure('engine', 'the renderer of charts was stopped')))
      const settle = (then: () => void): void => {
        cancel()
        this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        then()
      }
      this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      if (this.#isReady) begin()
      this.#worker.postMessage(call)
    })
  }
}

function tooLong(time: number): ChartFailure {
  return new ChartFailure('time', `rendering the chart takes longer than ${time / 1000} s`)
}

function toFailure(error: Error & { readonly code?: string }): ChartFailure {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ChartFailure('memory', 'rendering the chart takes more memory than it may have', { cause: error })
    : new ChartFailure('engine', `the renderer of charts has stopped: ${error.message}`, { cause: error })
}
