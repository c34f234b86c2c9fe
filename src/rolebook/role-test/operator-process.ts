import type { Clock } from '../../core/base/clock.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { RandomBytes } from '../../core/base/random-text.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import { Operator, type OperatorOptions } from '../../engine/operator/operator.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { InMemoryDispatcher } from '../../sandbox/apiserver/http/in-memory-dispatcher.ts'
import type { EngineTraffic } from './engine-traffic.ts'

export interface ProcessOptions extends Pick<OperatorOptions, 'secrecy' | 'onWritten'> {
  readonly project: Project
  readonly clock: Clock
  readonly logger: Logger
  readonly traffic: EngineTraffic
  readonly random: RandomBytes
  readonly charts?: ChartRenderer | undefined
  /** Its own, and what carries the requests of it. */
  readonly connection: Connection
  readonly dispatcher: InMemoryDispatcher
}

/** The operator of a test from its start to its end. Another start is another process. */
export class OperatorProcess {
  readonly #operator: Operator
  readonly #connection: Connection
  readonly #dispatcher: InMemoryDispatcher
  readonly #abort = new AbortController()
  readonly #ended: Promise<void>
  #hasEnded = false

  constructor({ traffic, connection, dispatcher, ...options }: ProcessOptions) {
    const client = traffic.through(connection.client)
    const mapper = traffic.mapperOf(connection.mapper)
    const { openApi } = connection
    this.#connection = connection
    this.#dispatcher = dispatcher
    this.#operator = new Operator({ ...options, ...UNWATCHED, client, mapper, openApi, namespace: 'default' })
    this.#ended = this.#operator.start(this.#abort.signal).then(() => {
      this.#hasEnded = true
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Resolves when nothing is queued and nothing runs. */
  idle(): Promise<void> {
    return this.#operator.idle()
  }

  /** Asks it to end. It may need the clock for that: `hasEnded` says when it has. */
  askToEnd(): void {
    this.#abort.abort(new Error('the operator of the test ends'))
  }

  /** Nothing that it does from now on reaches the server. */
  crash(): void {
    void this.#dispatcher.destroy()
    this.askToEnd()
  }

  async stop(): Promise<void> {
    this.askToEnd()
    await this.#ended
    await this.#connection.close()
  }
}

/** Longer than any test: whether watches live is no matter of a role. */
const UNWATCHED = { timings: { idleDeadline: 1e12 }, cacheCheckPeriod: 0 }
