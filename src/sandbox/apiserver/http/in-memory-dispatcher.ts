import { Dispatcher, errors } from 'undici'
import type { MessageHandler } from './http-server.ts'
import type { BodyReply, Reply, ReplySink, Silence, StreamReply } from './reply.ts'

type IncomingMessage = Parameters<MessageHandler>[0]

/** Answers one message; a rejection is the error that the connection ends with. */
export type Answer = (message: IncomingMessage) => Promise<Reply | Silence>

/**
 * Carries requests to a server of the same process: in turns of the event loop, without a socket, and always in the same
 * order. Destroyed, it stands for a process that is gone: what is under way ends, and what comes later is refused.
 */
export class InMemoryDispatcher extends Dispatcher {
  readonly #answer: Answer
  readonly #onActivity: () => void
  readonly #exchanges = new Set<Exchange>()
  #isDestroyed = false

  /** @param onActivity called whenever something travels */
  constructor(answer: Answer, onActivity: () => void) {
    super()
    this.#answer = answer
    this.#onActivity = onActivity
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new Exchange(handler, this.#onActivity, () => this.#exchanges.delete(exchange))
    if (this.#isDestroyed) exchange.fail(refused())
    else {
      this.#exchanges.add(exchange)
      void exchange.run(() => this.#answer(messageOf(options)))
    }
    return true
  }

  /** Ends everything that is under way, as a server does that restarts. */
  cut(): void {
    for (const exchange of [...this.#exchanges]) exchange.fail(socketError())
  }

  override async destroy(): Promise<void> {
    this.#isDestroyed = true
    this.cut()
  }

  override async close(): Promise<void> {
    await this.destroy()
  }
}

/** No connection could be made: the request certainly never left. */
export function refused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

function socketError(): Error {
  return new errors.SocketError('other side closed')
}

/** One request and its reply. */
class Exchange {
  readonly controller: Dispatcher.DispatchController
  readonly #handler: Dispatcher.DispatchHandler
  readonly #onActivity: () => void
  readonly #onEnd: () => void
  readonly #closeListeners: (() => void)[] = []
  readonly #drainListeners: (() => void)[] = []
  #isPaused = false
  #isOver = false

  constructor(handler: Dispatcher.DispatchHandler, onActivity: () => void, onEnd: () => void) {
    this.#handler = handler
    this.#onActivity = onActivity
    this.#onEnd = onEnd
    const exchange = this
    this.controller = {
      get aborted() {
        return exchange.#isOver
      },
      get paused() {
        return exchange.#isPaused
      },
      reason: null,
      abort: (reason) => this.fail(reason),
      pause: () => {
        this.#isPaused = true
      },
      resume: () => this.#resume(),
    }
  }

  async run(answer: () => Promise<Reply | Silence>): Promise<void> {
    try {
      this.#handler.onRequestStart?.(this.controller, {})
      this.#onActivity()
      await nextTurn()
      if (this.#isOver) return
      const reply = await answer()
      await nextTurn()
      if (!this.#isOver) this.#deliver(reply)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.#end()
    this.#handler.onResponseError?.(this.controller, error)
  }

  #deliver(reply: Reply | Silence): void {
    this.#onActivity()
    if (reply === 'drop') this.fail(socketError())
    else if (reply !== 'stall') {
      this.#handler.onResponseStart?.(this.controller, reply.status, headersOf(reply), '')
      if ('stream' in reply) this.#stream(reply)
      else this.#body(reply)
    }
  }

  #body({ body, cut }: BodyReply): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    this.#handler.onResponseData?.(this.controller, cut ? bytes.subarray(0, cut.bytes) : bytes)
    if (cut?.rest === 'stall') return
    if (cut) this.fail(socketError())
    else this.#complete()
  }

  /** Chunks travel, too: none arrives in the turn in which it was sent. */
  #stream({ stream }: StreamReply): void {
    const later = (arrive: () => void): void => {
      setImmediate(() => {
        if (this.#isOver) return
        this.#onActivity()
        arrive()
      })
    }
    const sink: ReplySink = {
      write: (chunk) => {
        later(() => this.#handler.onResponseData?.(this.controller, chunk))
        return !this.#isPaused
      },
      onDrain: (listener) => void this.#drainListeners.push(listener),
      onClose: (listener) => void this.#closeListeners.push(listener),
      end: () => later(() => this.#complete()),
    }
    stream(sink)
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    for (const listener of this.#drainListeners) listener()
  }

  #complete(): void {
    if (this.#isOver) return
    this.#end()
    this.#handler.onResponseEnd?.(this.controller, {})
  }

  #end(): void {
    this.#isOver = true
    this.#onActivity()
    this.#onEnd()
    for (const listener of this.#closeListeners) listener()
  }
}

/** As much of a message as the server looks at. */
function messageOf({ method, path, headers, body }: Dispatcher.DispatchOptions): IncomingMessage {
  const entries = Object.entries((headers ?? {}) as Record<string, string>)
  const bytes = typeof body === 'string' ? [Buffer.from(body)] : []
  const message = {
    method,
    url: path,
    headers: Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])),
    headersDistinct: Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value]])),
    socket: {},
    async *[Symbol.asyncIterator]() {
      yield* bytes
    },
  }
  return message as unknown as IncomingMessage
}

function headersOf({ contentType, headers }: Reply): Record<string, string | string[]> {
  const named = Object.entries(headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === 'string' ? value : [...value],
  ])
  return { 'content-type': contentType, ...Object.fromEntries(named) }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
