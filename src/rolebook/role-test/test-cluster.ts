import { FakeClock } from '../../core/base/fake-clock.ts'
import { nopLogger } from '../../core/base/logger.ts'
import type { RandomBytes } from '../../core/base/random-text.ts'
import { conditionsOf } from '../../core/kube/condition.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import { type Connection, connect } from '../../core/kube-client/connect.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { Operator } from '../../engine/operator/operator.ts'
import type { Project } from '../../engine/operator/project.ts'
import { AllSecrets } from '../../engine/role/run-secrecy.ts'
import { ApiServer } from '../../sandbox/apiserver/api-server.ts'
import { FaultInjector } from '../../sandbox/apiserver/faults/fault-injector.ts'
import type { FaultRule } from '../../sandbox/apiserver/faults/fault-plan.ts'
import { CountedCharts } from './counted-charts.ts'
import { EngineTraffic } from './engine-traffic.ts'
import { QuietWatch } from './quiet-watch.ts'

export interface ClusterOptions {
  readonly project: Project
  readonly schemas: BuiltinSchemas
  /** Whether controllers of workloads are simulated. */
  readonly workloads: boolean
  /** Absent: charts cannot be rendered. */
  readonly charts?: ChartRenderer | undefined
}

const ENGINE = 'rolebook-engine'
const PERSON = 'rolebook-test'

/** A new API server with an operator on it and a person beside it, who share a clock that stands still. */
export class TestCluster {
  readonly server: ApiServer
  readonly person: Connection
  readonly traffic: EngineTraffic
  readonly quiet: QuietWatch
  /** What runs may not tell. */
  readonly secrets = new AllSecrets()
  readonly #faults: FaultInjector
  readonly #engine: Connection
  readonly #operator: Operator
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  static async start(options: ClusterOptions): Promise<TestCluster> {
    const clock = new FakeClock()
    const faults = new FaultInjector(NO_FAULTS, clock)
    const { schemas, workloads } = options
    const server = new ApiServer({ schemas, workloads, clock, faults, tls: false, stages: { events: false } })
    const access = await server.start()
    const connectAs = (userAgent: string): Promise<Connection> =>
      connect({ server: access, userAgent, clock, logger: nopLogger, connections: 1 })
    const connections = { person: await connectAs(PERSON), engine: await connectAs(ENGINE) }
    return new TestCluster({ ...options, clock, server, faults, ...connections })
  }

  private constructor({ project, charts: renderer, clock, server, faults, person, engine }: ClusterOptions & Parts) {
    this.server = server
    this.person = person
    this.traffic = new EngineTraffic(engine.client)
    this.#faults = faults
    this.#engine = engine
    const mapper = this.traffic.mapperOf(engine.mapper)
    const { openApi } = engine
    const client = this.traffic.client
    const charts = renderer && new CountedCharts(renderer)
    const { onWritten } = this.secrets
    const rest = { clock, logger: nopLogger, namespace: 'default', ...UNWATCHED, random: steadyBytes(), onWritten }
    this.#operator = new Operator({ project, client, mapper, openApi, charts, secrecy: this.secrets, ...rest })
    this.quiet = new QuietWatch({ clock, traffic: this.traffic, charts, idle: () => this.#operator.idle() })
    server.objects.subscribe(undefined, (event) => {
      this.traffic.changed(event)
      if (!QUIET_KINDS.has(event.object.kind)) this.quiet.changed()
    })
  }

  /** Installs a CRD and returns when its kind is served. */
  async install(crd: KubeObject): Promise<void> {
    const gvk = gvkOf(crd)
    this.server.objects.create(crd, PERSON)
    const isServed = (): boolean => {
      const live = this.server.objects.get(gvk, keyOf(crd))
      return (
        live !== undefined && conditionsOf(live).some(({ type, status }) => type === 'Established' && status === 'True')
      )
    }
    for (let turn = 0; turn < PATIENCE_TURNS && !isServed(); turn++) await nextTurn()
    this.person.mapper.refresh()
  }

  startOperator(): void {
    this.#running = this.#operator.start(this.#stop.signal)
  }

  /** From now on requests of the engine go wrong so. */
  replaceFaults(rules: readonly FaultRule[]): void {
    const ofEngine = rules.map((rule) => ({ ...rule, when: { ...rule.when, userAgent: ENGINE } }))
    this.#faults.replacePlan({ seed: 0, rules: ofEngine })
  }

  get(gvk: Gvk, key: { readonly namespace: string; readonly name: string }): KubeObject | undefined {
    return this.server.objects.get(gvk, key)
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the test is over'))
    await this.#running
    await Promise.all([this.#engine.close(), this.person.close()])
    await this.server.stop()
  }
}

interface Parts {
  readonly clock: FakeClock
  readonly server: ApiServer
  readonly faults: FaultInjector
  readonly person: Connection
  readonly engine: Connection
}

/** The same in every run of a test: what is generated in it is no secret. */
function steadyBytes(): RandomBytes {
  let next = 0
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      next = (next * 75 + 74) % 65_537
      return next % 256
    })
}

const NO_FAULTS = { seed: 0, rules: [] }
/** Changes of these do not keep a test waiting. */
const QUIET_KINDS: ReadonlySet<string> = new Set(['Event', 'Lease'])
/** Longer than any test: whether watches live is no matter of a role. */
const UNWATCHED = { timings: { idleDeadline: 1e12 }, cacheCheckPeriod: 0 }
const PATIENCE_TURNS = 1000

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
