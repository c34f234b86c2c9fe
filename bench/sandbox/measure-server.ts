import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { ApiServerAddress } from '../../src/apiserver/api-server.ts'
import type { ServerMemory } from './server.ts'

export interface StartTimes {
  /** Milliseconds from the start of the process to the first answer, and of that within the process before Node runs it. */
  readonly ready: number
  readonly inProcess: number
}

/** A server in a process of its own: the sandbox, or what does nothing but parse and print JSON. */
export class BenchServer {
  readonly url: string
  readonly token: string
  readonly times: StartTimes
  readonly #child: ChildProcess
  readonly #agent = new Agent({ connections: 16 })

  static async start(kind: 'sandbox' | 'echo'): Promise<BenchServer> {
    const start = performance.now()
    const child = fork(join(import.meta.dirname, 'server.ts'), [kind], { execArgv: ['--expose-gc'] })
    const [{ address, milliseconds }] = (await once(child, 'message')) as [
      { address: ApiServerAddress; milliseconds: number },
    ]
    const server = new BenchServer(child, address, { ready: performance.now() - start, inProcess: milliseconds })
    await server.send('GET', '/readyz')
    return server
  }

  private constructor(child: ChildProcess, { url, token }: ApiServerAddress, times: StartTimes) {
    this.#child = child
    this.url = url
    this.token = token
    this.times = times
  }

  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }
    const answer = await request(this.url + path, { method, headers, body: body ?? null, dispatcher: this.#agent })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return text
  }

  /** Sends many requests, 16 at a time. Returns how many a second. */
  async sendAll(method: 'POST' | 'PUT', requests: readonly (readonly [path: string, body: string])[]): Promise<number> {
    const start = performance.now()
    let next = 0
    const work = async (): Promise<void> => {
      for (let mine = requests[next++]; mine; mine = requests[next++]) await this.send(method, ...mine)
    }
    await Promise.all(Array.from({ length: 16 }, work))
    return requests.length / ((performance.now() - start) / 1000)
  }

  /** After its garbage was collected. */
  async memory(): Promise<ServerMemory> {
    this.#child.send('memory')
    const [memory] = (await once(this.#child, 'message')) as [ServerMemory]
    return memory
  }

  async stop(): Promise<void> {
    await this.#agent.destroy()
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
