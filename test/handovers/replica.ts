import process from 'node:process'
import type { Intercept } from '../../src/sandbox/apiserver/http/request-handler.ts'
import { type AnsweredWrite, InterceptingProxy } from '../support/intercepting-proxy.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { isWork } from './work-path.ts'

/** Records what a process writes. */
interface History {
  note(by: string, write: AnsweredWrite): void
}

/** What is done at the n-th of the next writes of a kind. */
interface Ambush {
  readonly isWanted: (path: string) => boolean
  left: number
  readonly strike: () => void
}

/** One place for a process of `rolebook run`, with a proxy of its own before it: what comes through is known to be its. */
export class Replica {
  readonly #proxy: InterceptingProxy
  readonly #place: string
  readonly #args: readonly string[]
  readonly #history: History
  #program: RolebookProcess | undefined
  #life = 0
  #isCut = false
  #ambush: Ambush | undefined
  #requests = 0
  #firstAfterStop: { readonly what: string; readonly at: number } | undefined
  #onRequest: () => void = () => undefined

  static async open(
    place: string,
    options: { readonly kubeconfig: string; readonly args: readonly string[]; readonly history: History },
  ): Promise<Replica> {
    let replica: Replica | undefined
    const proxy = await InterceptingProxy.start(options.kubeconfig, (request) => replica?.see(request))
    replica = new Replica(place, proxy, options)
    return replica
  }

  private constructor(
    place: string,
    proxy: InterceptingProxy,
    { args, history }: { readonly args: readonly string[]; readonly history: History },
  ) {
    this.#place = place
    this.#proxy = proxy
    this.#args = [...args, '--kubeconfig', proxy.kubeconfig]
    this.#history = history
    proxy.onWrite = (write) => this.#history.note(this.name, write)
  }

  /** Of the process: `a7 (pid 123)` is the seventh in its place. */
  get name(): string {
    return `${this.#place}${this.#life} (pid ${this.#program?.pid ?? 0})`
  }

  get isStarted(): boolean {
    return this.#program !== undefined
  }

  get log(): string {
    return this.#program?.stderr ?? ''
  }

  /** Resolves when it takes part. */
  async start(): Promise<void> {
    this.#life++
    this.#requests = 0
    this.#program = new RolebookProcess(['run', ...this.#args])
    await this.untilItAsks()
  }

  /** Until it has sent something. */
  async untilItAsks(): Promise<void> {
    if (this.#requests > 0) return
    const asked = new Promise<string>((resolve) => {
      this.#onRequest = () => resolve('asked')
    })
    const ended = this.#program?.ended().then((code) => `ended with ${code}`)
    const what = await Promise.race([asked, ended])
    if (what !== 'asked') throw new Error(`${this.name} ${what}:\n${this.log}`)
  }

  /** Until it has said so, however often it did before. */
  untilItSays(text: string, times: number): Promise<void> {
    const count = (): number => this.log.split(text).length - 1
    return this.#program?.until(`it says "${text}"`, () => count() > times) ?? Promise.resolve()
  }

  says(text: string): number {
    return this.log.split(text).length - 1
  }

  /** Calls `strike` in the very turn in which the n-th write from now arrives, before it is passed on. */
  ambush(nth: number, isWanted: (path: string) => boolean, strike: () => void): Promise<void> {
    return new Promise((resolve) => {
      const struck = (): void => {
        strike()
        resolve()
      }
      this.#ambush = { left: nth, isWanted, strike: struck }
    })
  }

  /** The first write, of other objects than Leases, that came since the process was resumed. Absent: it was not, or nothing came. */
  get firstAfterStop(): { readonly what: string; readonly at: number } | undefined {
    return this.#firstAfterStop
  }

  signal(signal: NodeJS.Signals): void {
    if (signal === 'SIGCONT') this.#firstAfterStop = undefined
    process.kill(this.#program?.pid ?? 0, signal)
  }

  /** Its exit code. */
  async ended(): Promise<number | null> {
    return this.#program?.ended() ?? null
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const program = this.#program
    return program ? program.stop(signal) : null
  }

  /** Nothing of it reaches the server any more, and it hears nothing. */
  cutOff(): void {
    this.#isCut = true
    this.#proxy.cut()
  }

  connect(): void {
    this.#isCut = false
    this.#requests = 0
  }

  async close(): Promise<void> {
    await this.end('SIGKILL')
    await this.#proxy.stop()
  }

  readonly see: Intercept = ({ phase, method, path }) => {
    if (this.#isCut) return 'drop'
    this.#requests++
    this.#onRequest()
    if (phase === 'before' && method !== 'GET') {
      if (isWork(path)) this.#firstAfterStop ??= { what: `${method} ${path}`, at: performance.now() }
      this.#spring(path)
    }
    return undefined
  }

  #spring(path: string): void {
    const ambush = this.#ambush
    if (!ambush?.isWanted(path) || --ambush.left > 0) return
    this.#ambush = undefined
    ambush.strike()
  }
}
