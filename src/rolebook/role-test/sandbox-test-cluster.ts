import { FakeClock } from '../../core/base/fake-clock.ts'
import { nopLogger } from '../../core/base/logger.ts'
import type { RandomBytes } from '../../core/base/random-text.ts'
import { conditionsOf } from '../../core/kube/condition.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import { objectId } from '../../core/kube/object-id.ts'
import { secretValues } from '../../core/kube/secret-values.ts'
import { type Connection, connect } from '../../core/kube-client/connect.ts'
import type { Project } from '../../engine/operator/project.ts'
import { AllSecrets } from '../../engine/role/secrecy/run-secrecy.ts'
import { ApiServer } from '../../sandbox/apiserver/api-server.ts'
import { FaultInjector } from '../../sandbox/apiserver/faults/fault-injector.ts'
import type { FaultRule } from '../../sandbox/apiserver/faults/fault-plan.ts'
import { type Answer, InMemoryDispatcher } from '../../sandbox/apiserver/http/in-memory-dispatcher.ts'
import type { ObjectEvent } from '../../sandbox/apiserver/object-api.ts'
import { SteadyIdentities } from '../../sandbox/apiserver/write/identities.ts'
import { CountedCharts } from './counted-charts.ts'
import { EngineTraffic, LEDGER } from './engine-traffic.ts'
import { OperatorProcess } from './operator-process.ts'
import { QuietWatch } from './quiet-watch.ts'
import { RecordedLog } from './recorded-log.ts'
import type { Ending } from './test-case.ts'
import type { ClusterOptions, FoundFailures, Settled, TestCluster } from './test-cluster.ts'

const ENGINE = 'rolebook-engine'
const PERSON = 'rolebook-test'

/**
 * A new API server with an operator on it and a person beside it, who share a clock that stands still. Requests are carried
 * within the process, without a socket: all happens in the same order each time.
 */
export class SandboxTestCluster implements TestCluster {
  readonly server: ApiServer
  readonly person: Connection
  readonly traffic = new EngineTraffic()
  readonly #quiet: QuietWatch
  readonly secrets = new AllSecrets()
  readonly secretValues = new Set<string>()
  readonly log = new RecordedLog()
  readonly isSteady = true
  readonly writers = new Map<string, string>()
  readonly #options: ClusterOptions
  readonly #clock: FakeClock
  readonly #faults: FaultInjector
  readonly #serve: Answer
  readonly #charts: CountedCharts | undefined
  readonly #random = steadyBytes()
  #process: OperatorProcess | undefined

  static async start(options: ClusterOptions): Promise<SandboxTestCluster> {
    const clock = new FakeClock()
    const faults = new FaultInjector(NO_FAULTS, clock)
    const { schemas, workloads } = options
    const settings = { token: TOKEN, stages: { events: false }, identities: new SteadyIdentities() }
    const server = new ApiServer({ schemas, workloads, clock, faults, ...settings })
    const serve = server.open()
    const { connection } = await connectTo(serve, PERSON, clock)
    return new SandboxTestCluster(options, { clock, server, serve, faults, person: connection })
  }

  private constructor(options: ClusterOptions, { clock, server, serve, faults, person }: Parts) {
    this.server = server
    this.person = person
    this.#options = options
    this.#clock = clock
    this.#serve = serve
    this.#faults = faults
    this.#charts = options.charts && new CountedCharts(options.charts)
    const idle = async (): Promise<void> => this.#process?.idle()
    this.#quiet = new QuietWatch({ clock, traffic: this.traffic, charts: this.#charts, idle })
    server.objects.subscribe(undefined, (event) => this.#see(event))
  }

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

  async startOperator(): Promise<void> {
    const link = await connectTo(this.#serve, ENGINE, this.#clock)
    this.#process = new OperatorProcess({
      connection: link.connection,
      cut: () => void link.dispatcher.destroy(),
      namespace: 'default',
      ...UNWATCHED,
      ...{ project: this.#options.project, clock: this.#clock, traffic: this.traffic, charts: this.#charts },
      ...{ random: this.#random, secrecy: this.secrets, logger: this.log.logger },
      onWritten: (change, task) => {
        this.secrets.onWritten(change, task)
        if (task) this.writers.set(objectId(gvkOf(change.after), keyOf(change.after)), task.name)
      },
    })
  }

  async restartOperator(how: Ending): Promise<void> {
    if (how === 'crash') this.#process?.crash()
    else this.#process?.askToEnd()
    for (let turn = 1; this.#process?.hasEnded === false; turn++) {
      await nextTurn()
      if (turn % TURNS_OF_AN_END === 0) this.#clock.fireNext()
    }
    await this.#process?.stop()
    await this.startOperator()
    this.#quiet.restarted()
  }

  replaceFaults(rules: readonly FaultRule[]): void {
    const ofEngine = rules.map((rule) => ({ ...rule, when: { ...rule.when, userAgent: ENGINE } }))
    this.#faults.replacePlan({ seed: 0, rules: ofEngine })
  }

  get project(): Project {
    return this.#options.project
  }

  advance(milliseconds: number): Promise<void> {
    return this.#quiet.advance(milliseconds)
  }

  pass(milliseconds: number): Promise<void> {
    return this.#quiet.pass(milliseconds)
  }

  async settle<Checked extends FoundFailures>(check: () => Checked): Promise<Settled<Checked>> {
    const isQuiet = await this.#quiet.untilQuiet()
    return { checked: check(), unrest: isQuiet ? undefined : 'objects still change after ten minutes' }
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
    await this.person.close()
    await this.server.stop()
  }

  #see(event: ObjectEvent): void {
    const { object } = event
    this.traffic.changed(event)
    if (!QUIET_KINDS.has(object.kind)) this.#quiet.changed()
    if (object.metadata.name === LEDGER) return
    for (const [, value] of secretValues(object)) this.secretValues.add(value)
  }
}

interface Parts {
  readonly clock: FakeClock
  readonly server: ApiServer
  readonly serve: Answer
  readonly faults: FaultInjector
  readonly person: Connection
}

async function connectTo(
  serve: Answer,
  userAgent: string,
  clock: FakeClock,
): Promise<{ connection: Connection; dispatcher: InMemoryDispatcher }> {
  const dispatcher = new InMemoryDispatcher(serve, () => undefined)
  const server = { url: 'http://in-memory', token: TOKEN, dispatcher }
  return { connection: await connect({ server, userAgent, clock, logger: nopLogger }), dispatcher }
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

/** Longer than any test: whether watches live is no matter of a role. */
const UNWATCHED = { timings: { idleDeadline: 1e12 }, cacheCheckPeriod: 0 }
const TOKEN = 'role-test'
const NO_FAULTS = { seed: 0, rules: [] }
/** Changes of these do not keep a test waiting. */
const QUIET_KINDS: ReadonlySet<string> = new Set(['Event', 'Lease'])
const PATIENCE_TURNS = 1000
/** Turns of the event loop in which an operator that waits for nothing ends. One that has not waits for the clock. */
const TURNS_OF_AN_END = 50

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
