/** Stands for `undici` in the page: the same client of the cluster, whose requests go to servers of the same worker. */
import type { Dispatcher as UndiciDispatcher } from 'undici'
import { InMemoryDispatcher, refused } from '../../../sandbox/apiserver/http/in-memory-dispatcher.ts'
import { listenerOn } from './http-server.ts'
import { Dispatcher, errors } from './undici-dispatcher.ts'

/** Finds the server by the port of the address. */
export class Agent extends Dispatcher {
  readonly #servers = new Map<string, InMemoryDispatcher>()

  override dispatch(options: UndiciDispatcher.DispatchOptions, handler: UndiciDispatcher.DispatchHandler): boolean {
    return this.#serverAt(String(options.origin)).dispatch(options, handler)
  }

  override async destroy(): Promise<void> {
    for (const server of this.#servers.values()) await server.destroy()
  }

  override close(): Promise<void> {
    return this.destroy()
  }

  #serverAt(origin: string): InMemoryDispatcher {
    const known = this.#servers.get(origin)
    if (known) return known
    const port = Number(new URL(origin).port)
    const answer: ConstructorParameters<typeof InMemoryDispatcher>[0] = async (message) => {
      const handle = listenerOn(port)
      if (!handle) throw refused()
      return handle(message)
    }
    const server = new InMemoryDispatcher(answer, () => undefined)
    this.#servers.set(origin, server)
    return server
  }
}

/** The page knows no proxy. */
export class ProxyAgent extends Agent {}

export { Dispatcher, errors }
