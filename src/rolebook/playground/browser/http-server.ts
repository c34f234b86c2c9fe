/** Stands for the HTTP server of the sandbox in the page: a port is a number by which `undici.ts` finds who answers. */
import type { MessageHandler } from '../../../sandbox/apiserver/http/http-server.ts'

const FIRST_PORT = 20_000
const listeners = new Map<number, MessageHandler>()
let last = FIRST_PORT

/** Who answers on a port. `undefined`: a connection is refused. */
export function listenerOn(port: number): MessageHandler | undefined {
  return listeners.get(port)
}

export class HttpServer {
  readonly #handle: MessageHandler
  #port = 0

  static async create(handle: MessageHandler): Promise<HttpServer> {
    return new HttpServer(handle)
  }

  private constructor(handle: MessageHandler) {
    this.#handle = handle
  }

  /** Resolves with the port. */
  async listen(port: number): Promise<number> {
    last += 1
    this.#port = port === 0 ? last : port
    listeners.set(this.#port, this.#handle)
    return this.#port
  }

  async close(): Promise<void> {
    listeners.delete(this.#port)
  }
}
