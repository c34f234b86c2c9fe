import type { Clock } from '../../core/base/clock.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { RandomBytes } from '../../core/base/random-text.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import { Operator, type OperatorOptions } from '../../engine/operator/operator.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { EngineTraffic } from './engine-traffic.ts'

export interface ProcessOptions
  extends Pick<
    OperatorOptions,
    'namespace' | 'watchNamespaces' | 'secrecy' | 'onWritten' | 'timings' | 'cacheCheckPeriod'
  > {
  readonly project: Project
  readonly clock: Clock
  readonly logger: Logger
  readonly traffic: EngineTraffic
  /** Defaults to a cryptographic source. */
  readonly random?: RandomBytes | undefined
  readonly charts?: ChartRenderer | undefined
  /** Its own. */
  readonly connection: Connection
  /** Keeps what it sends from now on from the server. */
  cut(): void
}

/** The operator of a test from its start to its end. Another start is another process. */
export class OperatorProcess {
  readonly #operator: Operator
  readonly #connection: Connection
  readonly #cut: () => void
  readonly #abort = new AbortController()
  readonly #ended: Promise<void>
  #hasEnded = false

  constructor({ traffic, connection, cut, ...options }: ProcessOptions) {
    const client = traffic.through(connection.client)
    const mapper = traffic.mapperOf(connection.mapper)
    const { openApi } = connection
    this.#connection = connection
    this.#cut = cut
    this.#operator = new Operator({ ...options, client, mapper, openApi })
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
    this.#cut()
    this.askToEnd()
  }

  async stop(): Promise<void> {
    this.askToEnd()
    await this.#ended
    await this.#connection.close()
  }
}
