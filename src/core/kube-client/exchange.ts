import type { Dispatcher } from 'undici'

/** An answer of a server, read completely. */
export interface Exchanged {
  readonly httpStatus: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: Buffer
}

/**
 * One request, and its answer once that is complete. It takes half the work of undici's own `request`, which makes a stream of each
 * body.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #check: () => void
  readonly #answer = Promise.withResolvers<Exchanged>()
  readonly #pieces: Buffer[] = []
  #httpStatus = 0
  #headers: Exchanged['headers'] = {}
  #controller: Dispatcher.DispatchController | undefined
  #end: { readonly reason: Error } | undefined

  /** `check` is called at the very moment at which the request is written to its connection. Throwing keeps it back. */
  constructor(check: () => void) {
    this.#check = check
  }

  /** Rejects with what undici says, with what `check` throws, or with the reason of `end`. */
  get answer(): Promise<Exchanged> {
    return this.#answer.promise
  }

  /** Ends it wherever it is. A request that still waits for its connection will not be sent. */
  end(reason: Error): void {
    this.#end = { reason }
    this.#answer.reject(reason)
    this.#controller?.abort(reason)
  }

  /** What is thrown here costs no connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#end) throw this.#end.reason
    this.#check()
    this.#controller = controller
  }

  onResponseStart(_controller: unknown, httpStatus: number, headers: Exchanged['headers']): void {
    this.#httpStatus = httpStatus
    this.#headers = headers
  }

  onResponseData(_controller: unknown, piece: Buffer): void {
    this.#pieces.push(piece)
  }

  onResponseEnd(): void {
    const [first, ...others] = this.#pieces
    const body = first && others.length === 0 ? first : Buffer.concat(this.#pieces)
    this.#answer.resolve({ httpStatus: this.#httpStatus, headers: this.#headers, body })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#answer.reject(error)
  }
}
