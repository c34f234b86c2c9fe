import type { Clock } from '../../src/core/base/clock.ts'
import { type Logger, nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { Operator, type OperatorOptions, type ReloadResult } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { InMemoryDispatcher } from '../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import { Switch } from '../support/switched-leadership.ts'
import type { FaultGate } from './fault-gate.ts'

export interface ProcessOptions
  extends Pick<OperatorOptions, 'namespace' | 'watchNamespaces' | 'charts' | 'random' | 'cacheCheckPeriod'> {
  readonly clock: Clock
  readonly gate: FaultGate
  /** Gets what must never happen, such as a controller that ends. */
  readonly problems: string[]
  /** Called whenever something travels. */
  readonly onActivity: () => void
  /** What stands between the engine and its client, such as a defect. Defaults to nothing. */
  readonly between?: ((client: KubeClient) => KubeClient) | undefined
}

/** A process of the operator: killed, it leaves its connections and nothing else. */
interface Process {
  readonly operator: Operator
  readonly dispatcher: InMemoryDispatcher
  readonly connection: Connection
  readonly leadership: Switch
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** Milliseconds until a process that has died is started again. */
const RESTART_DELAY = 1000

/** The operator as it comes and goes: never more than one process at once. */
export class EngineProcesses {
  readonly #options: ProcessOptions
  readonly #logger: Logger
  #wanted: Project | undefined
  #process: Process | undefined

  constructor(options: ProcessOptions) {
    this.#options = options
    this.#logger = {
      ...nopLogger,
      error: (message, fields) => {
        if (message !== REFUSED) options.problems.push(`${message} ${JSON.stringify(fields ?? {})}`)
      },
      child: () => this.#logger,
    }
  }

  /** Whether an operator is at work, if there is to be one. */
  get isUp(): boolean {
    return this.#wanted === undefined || this.#process?.leadership.leads === true
  }

  async start(project: Project): Promise<void> {
    this.#wanted = project
    await this.#run()
  }

  /** Asks the operator to end. Resolves when it has. */
  async stop(): Promise<void> {
    this.#wanted = undefined
    await this.#terminate()
  }

  /** `undefined`: there is no operator at the moment; the next one starts with the project. */
  reload(project: Project): ReloadResult | undefined {
    const result = this.#process?.operator.replaceProject(project)
    if (result?.kind !== 'refused') this.#wanted = project
    return result
  }

  /** Nothing that the process does from now on reaches the server, and no other one is started. */
  abandon(): void {
    this.#wanted = undefined
    this.#crash()
  }

  /** The process dies, and another one starts a moment later. */
  kill(): void {
    this.#crash()
    this.#options.clock.schedule(RESTART_DELAY, () => void this.#run())
  }

  /** The process is asked to end, and another one starts when it has. */
  restart(): void {
    void this.#terminate().then(() => this.#run())
  }

  loseLease(milliseconds: number): void {
    const leadership = this.#process?.leadership
    leadership?.turn(false)
    this.#options.clock.schedule(milliseconds, () => leadership?.turn(true))
  }

  /** All connections of the process end. */
  cut(): void {
    this.#process?.dispatcher.cut()
  }

  async #run(): Promise<void> {
    if (this.#process || !this.#wanted) return
    const { gate, clock, problems, onActivity, between, ...rest } = this.#options
    const dispatcher = new InMemoryDispatcher((message) => gate.answer(message), onActivity)
    const server = { url: 'http://in-memory', token: TOKEN, dispatcher }
    const connection = await connect({ server, userAgent: 'engine', clock, logger: nopLogger })
    const [leadership, abort] = [new Switch(), new AbortController()]
    const client = between ? between(connection.client) : connection.client
    const { mapper, openApi } = connection
    const tools = { ...rest, client, mapper, openApi, leadership, clock, logger: this.#logger }
    const operator = new Operator({ project: this.#wanted, ...tools })
    const ended = operator
      .start(abort.signal)
      .catch((error: unknown) => void problems.push(`the operator ended: ${error}`))
    this.#process = { operator, dispatcher, connection, leadership, abort, ended }
  }

  async #terminate(): Promise<void> {
    const process = this.#process
    this.#process = undefined
    process?.abort.abort(new Error('SIGTERM'))
    await process?.ended
    await process?.connection.close()
  }

  #crash(): void {
    const process = this.#process
    this.#process = undefined
    void process?.dispatcher.destroy()
    process?.abort.abort(new Error('SIGKILL'))
  }
}

/** Of everybody in a sandbox. */
export const TOKEN = 'plans'
/** What the log says of a run whose status could not be written: a fault of the server, and no defect. */
const REFUSED = 'cannot reconcile: the reconciler failed; it is tried again'
