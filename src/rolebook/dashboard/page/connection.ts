import type { Increment, ResourceDetails } from '../../ui/model.ts'
import { EventSplitter } from './server-events.ts'

export interface ConnectionListener {
  take(increment: Increment): void
  /** `undefined`: the page is live. */
  state(problem: string | undefined): void
  /** The server does not let the caller in: without a token, or with this one. */
  refused(message: string): void
}

/** Milliseconds between two tries to connect, the first and the longest. */
const RETRY = { first: 500, longest: 10_000 }

/**
 * What the page asks of its server. It reads the stream with `fetch`, since an `EventSource` sends no token. The token stays in the memory of the
 * page.
 */
export class Connection {
  readonly #listener: ConnectionListener
  #token = ''
  #lastEventId: string | undefined
  #delay = RETRY.first

  constructor(listener: ConnectionListener) {
    this.#listener = listener
  }

  /** Follows the operator until `signal` aborts or the caller is refused, and connects again when the connection breaks. */
  async follow(token: string, signal: AbortSignal): Promise<void> {
    this.#token = token
    while (!signal.aborted) {
      try {
        const answer = await this.#fetch('events', signal)
        if (answer.status === 401 || answer.status === 403) return this.#listener.refused(await messageOf(answer))
        if (!answer.ok || !answer.body) throw new Error(await messageOf(answer))
        await this.#read(answer.body)
      } catch {
        if (signal.aborted) return
      }
      this.#listener.state('Connecting again…')
      await new Promise((resolve) => setTimeout(resolve, this.#delay))
      this.#delay = Math.min(2 * this.#delay, RETRY.longest)
    }
  }

  /** Rejects when there is no answer; `missing`: there is no such resource. */
  async details(key: string, signal: AbortSignal): Promise<ResourceDetails | 'missing'> {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const answer = await this.#fetch(`resource/${path}`, signal)
    if (answer.status === 404) return 'missing'
    if (!answer.ok) throw new Error(await messageOf(answer))
    return (await answer.json()) as ResourceDetails
  }

  async #read(body: ReadableStream<BufferSource>): Promise<void> {
    const splitter = new EventSplitter()
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const { id, data } of splitter.push(part.value)) {
        this.#lastEventId = id
        this.#delay = RETRY.first
        this.#listener.state(undefined)
        this.#listener.take(JSON.parse(data) as Increment)
      }
    }
  }

  #fetch(path: string, signal: AbortSignal): Promise<Response> {
    const headers = {
      ...(this.#token !== '' && { Authorization: `Bearer ${this.#token}` }),
      ...(this.#lastEventId !== undefined && { 'Last-Event-ID': this.#lastEventId }),
    }
    return fetch(path, { headers, signal, cache: 'no-store', credentials: 'omit', redirect: 'error' })
  }
}

/** What the server says, a Kubernetes `Status`. */
async function messageOf(answer: Response): Promise<string> {
  try {
    const { message } = (await answer.json()) as { readonly message?: unknown }
    return typeof message === 'string' ? message : `the server answers ${answer.status}`
  } catch {
    return `the server answers ${answer.status}`
  }
}
