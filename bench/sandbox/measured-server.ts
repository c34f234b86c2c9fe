import { Agent, type Dispatcher, request } from 'undici'
import type { Rate } from './measure-writes.ts'
import type { ServerUsage } from './server.ts'

const CONNECTIONS = 16
const JSON_TYPE = 'application/json'

/** How a server is reached, and what is known of its processes. */
export interface Reached {
  readonly url: string
  readonly token?: string
  /** PEM. Absent: plain HTTP. */
  readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string }
  usage(): Promise<ServerUsage>
  stop(): Promise<void>
}

export interface Sent {
  readonly method: Dispatcher.HttpMethod
  readonly path: string
  readonly body?: string
  /** Defaults to `application/json`. */
  readonly type?: string
}

/** A server under measurement: 16 connections for requests, and one more for each watch. */
export class MeasuredServer {
  readonly #reached: Reached
  readonly #agent: Agent
  readonly #watches: Agent

  constructor(reached: Reached) {
    this.#reached = reached
    const connect = { ...reached.tls }
    this.#agent = new Agent({ connections: CONNECTIONS, connect, bodyTimeout: 0, headersTimeout: 0 })
    this.#watches = new Agent({ connect, bodyTimeout: 0, headersTimeout: 0 })
  }

  async send(sent: Sent): Promise<string> {
    const answer = await this.#request(sent, this.#agent)
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${sent.method} ${sent.path}: ${answer.statusCode} ${text}`)
    return text
  }

  /** Sends many requests, 16 at a time. Returns how many a second of the clock, and of the server's CPU. */
  async sendAll(requests: readonly Sent[]): Promise<Rate> {
    const before = await this.usage()
    const start = performance.now()
    let next = 0
    const work = async (): Promise<void> => {
      for (let mine = requests[next++]; mine; mine = requests[next++]) await this.send(mine)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    const seconds = (performance.now() - start) / 1000
    const { cpu } = await this.usage()
    return { perSecond: requests.length / seconds, perCpuSecond: requests.length / (cpu - before.cpu) }
  }

  /** The frames of a watch as they come, on a connection of its own. Resolves when the server has taken it. */
  async watch(path: string): Promise<Dispatcher.ResponseData['body']> {
    const { statusCode, body } = await this.#request({ method: 'GET', path }, this.#watches)
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${await body.text()}`)
    return body.on('error', () => undefined)
  }

  usage(): Promise<ServerUsage> {
    return this.#reached.usage()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#watches.destroy()])
    await this.#reached.stop()
  }

  #request({ method, path, body = '', type = JSON_TYPE }: Sent, dispatcher: Agent): Promise<Dispatcher.ResponseData> {
    const { url, token } = this.#reached
    const headers = { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    return request(url + path, { method, headers, body: body === '' ? null : body, dispatcher })
  }
}
