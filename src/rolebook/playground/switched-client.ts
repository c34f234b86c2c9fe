import { ApiError } from '../../core/kube/api-error.ts'
import type { KubeClient, WatchEvent } from '../../core/kube/client.ts'

/** A client whose server can be away: then every request fails, and watches end, as when a cable is pulled. */
export class SwitchedClient {
  readonly client: KubeClient
  #isConnected = true
  #cut = new AbortController()

  constructor(client: KubeClient) {
    const pass = <T>(send: () => Promise<T>): Promise<T> => (this.#isConnected ? send() : Promise.reject(noAnswer()))
    this.client = {
      get: (...given) => pass(() => client.get(...given)),
      list: (...given) => pass(() => client.list(...given)),
      watch: (gvk, options) => this.#watch((signal) => client.watch(gvk, { ...options, signal }), options.signal),
      create: (...given) => pass(() => client.create(...given)),
      apply: (...given) => pass(() => client.apply(...given)),
      patch: (...given) => pass(() => client.patch(...given)),
      delete: (...given) => pass(() => client.delete(...given)),
    }
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  connect(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return
    this.#isConnected = isConnected
    if (isConnected) this.#cut = new AbortController()
    else this.#cut.abort(noAnswer())
  }

  async *#watch(
    open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WatchEvent> {
    const cut = this.#cut.signal
    cut.throwIfAborted()
    yield* open(signal ? AbortSignal.any([signal, cut]) : cut)
  }
}

function noAnswer(): ApiError {
  return new ApiError(0, 'NoAnswer', 'the API server is away')
}
