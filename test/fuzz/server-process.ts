import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ApiServerAddress } from '../../src/apiserver/api-server.ts'
import type { ServerHealth } from './server.ts'

/** The server under test. */
export class ServerProcess {
  readonly port: number
  readonly token: string
  readonly #child: ChildProcess
  readonly #errors: string[]

  static async start(): Promise<ServerProcess> {
    const child = fork(join(import.meta.dirname, 'server.ts'), [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const errors: string[] = []
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
    const [address] = (await once(child, 'message')) as [ApiServerAddress]
    return new ServerProcess(child, address, errors)
  }

  private constructor(child: ChildProcess, { url, token }: ApiServerAddress, errors: string[]) {
    this.#child = child
    this.#errors = errors
    this.port = Number(new URL(url).port)
    this.token = token
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** What the process said when it ended. */
  get lastWords(): string {
    return this.#errors.join('').slice(-2000)
  }

  async health(): Promise<ServerHealth> {
    this.#child.send('health')
    const [health] = (await once(this.#child, 'message')) as [ServerHealth]
    return health
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
