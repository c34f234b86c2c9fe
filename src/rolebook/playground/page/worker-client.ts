import type { AnswerTo, PlaygroundRequest, WorkerMessage } from '../protocol.ts'

/** What comes unasked. */
export type Notice = Exclude<WorkerMessage, { readonly type: 'answer' | 'refusal' }>

interface Waiting {
  resolve(answer: never): void
  reject(error: Error): void
}

/** The worker, asked by function calls. */
export class WorkerClient {
  readonly #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor(onNotice: (notice: Notice) => void, onCrash: (message: string) => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.type === 'answer') this.#take(data.id)?.resolve(data.answer as never)
      else if (data.type === 'refusal') this.#take(data.id)?.reject(new Error(data.message))
      else onNotice(data)
    }
    this.#worker.onerror = ({ message }) => onCrash(message)
  }

  /** Rejects with the reason for which the request cannot be done. */
  ask<Request extends PlaygroundRequest>(request: Request): Promise<AnswerTo<Request['type']>> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, request })
    })
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }
}
