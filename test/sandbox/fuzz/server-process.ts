import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ApiServerAddress } from '../../../src/sandbox/apiserver/api-server.ts'
import type { ServerHealth } from './server.ts'

/** Milliseconds until the process says how it is. */
const PATIENCE = 20_000

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
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the server ended:\n${errors.join('')}`)))
    const [address] = (await Promise.race([once(child, 'message'), ended])) as [ApiServerAddress]
    ended.catch(() => undefined)
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
    const signal = AbortSignal.timeout(PATIENCE)
    const [health] = (await once(this.#child, 'message', { signal })) as [ServerHealth]
    return health
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
