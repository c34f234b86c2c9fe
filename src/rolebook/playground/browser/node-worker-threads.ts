/** Stands for `node:worker_threads` in the page: a worker of the worker, with the events of Node's. */
import type { WorkerSetup } from '../../../engine/chart/worker-messages.ts'

type Listener = (value: never) => void

/** As much of the browser's class as is used. */
interface WebWorker {
  onmessage: (event: { readonly data: unknown }) => void
  onerror: (event: { readonly message: string }) => void
  postMessage(message: unknown): void
  terminate(): void
}

const { Worker: WebWorkerClass } = globalThis as unknown as {
  readonly Worker: new (program: URL, options: { readonly type: 'module' }) => WebWorker
}

interface Settings {
  readonly workerData: WorkerSetup
}

export class Worker {
  readonly #worker: WebWorker
  readonly #listeners = new Map<string, Set<Listener>>()

  constructor(_program: URL, { workerData }: Settings) {
    this.#worker = new WebWorkerClass(new URL('./render-worker.js', import.meta.url), { type: 'module' })
    this.#worker.onmessage = ({ data }) => this.#emit('message', data)
    this.#worker.onerror = (event) => this.#emit('error', new Error(event.message))
    this.#worker.postMessage(workerData)
  }

  on(name: string, listener: Listener): this {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return this
  }

  once(name: string, listener: Listener): this {
    const first = (value: never): void => {
      this.off(name, first)
      listener(value)
    }
    return this.on(name, first)
  }

  off(name: string, listener: Listener): this {
    this.#listeners.get(name)?.delete(listener)
    return this
  }

  postMessage(message: unknown): void {
    this.#worker.postMessage(message)
  }

  async terminate(): Promise<void> {
    this.#worker.terminate()
    this.#emit('exit', undefined)
  }

  /** A page lives as long as a person looks at it. */
  ref(): void {}
  unref(): void {}

  #emit(name: string, value: unknown): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(value as never)
  }
}
