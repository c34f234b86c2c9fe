import type { Dispatcher as UndiciDispatcher } from 'undici'

type Handler = UndiciDispatcher.DispatchHandler
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The body of an answer, as it arrives. */
interface Body extends AsyncIterable<Uint8Array> {
  arrayBuffer(): Promise<ArrayBuffer>
}

interface Answer {
  readonly statusCode: number
  readonly headers: Headers
  readonly body: Body
}

/** As much of undici's class as the client of the cluster uses: who extends it says how requests travel. */
export abstract class Dispatcher {
  abstract dispatch(options: UndiciDispatcher.DispatchOptions, handler: Handler): boolean
  abstract close(): Promise<void>
  abstract destroy(): Promise<void>

  /** Resolves when the head of the answer is there. */
  request(options: UndiciDispatcher.DispatchOptions & { readonly signal?: AbortSignal }): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const { signal } = options
    const body = new ArrivingBody()
    const fail = (error: Error): void => {
      reject(error)
      body.fail(error)
    }
    this.dispatch(options, {
      onRequestStart: (controller) => {
        if (signal?.aborted) return controller.abort(signal.reason)
        const abort = (): void => controller.abort(signal?.reason)
        signal?.addEventListener('abort', abort, { once: true })
        body.onLeft = () => controller.abort(new Error('the reader has left'))
      },
      onResponseStart: (_controller, statusCode, headers) => resolve({ statusCode, headers: headers as Headers, body }),
      onResponseData: (_controller, chunk) => body.push(chunk),
      onResponseEnd: () => body.end(),
      onResponseError: (_controller, error) => fail(error),
    })
    return promise
  }
}

/** Chunks that are read once, in their order. */
class ArrivingBody implements Body {
  onLeft = (): void => undefined
  readonly #chunks: Uint8Array[] = []
  #isOver = false
  #error: Error | undefined
  #arrived = (): void => undefined

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#arrived()
  }

  end(): void {
    this.#isOver = true
    this.#arrived()
  }

  fail(error: Error): void {
    this.#error = error
    this.#arrived()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = this.#chunks.shift()
        if (next) yield next
        else if (this.#error) throw this.#error
        else if (this.#isOver) return
        else await this.#arrival()
      }
    } finally {
      if (!this.#isOver && !this.#error) this.onLeft()
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this) chunks.push(chunk)
    return new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer()
  }

  #arrival(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#arrived = resolve
    return promise
  }
}

/** The other side has closed the connection. */
class SocketError extends Error {
  readonly code = 'UND_ERR_SOCKET'
}

export const errors = { SocketError }
