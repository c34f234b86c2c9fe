import { FakeClock } from '../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { formatGroupKind, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { ChartRenderer } from '../../src/core/kube/helm-chart.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import type { BuiltinSchemas } from '../../src/core/schema/builtin-schemas.ts'
import { Operator, type ReloadResult } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { SteadyIdentities } from '../../src/sandbox/apiserver/write/identities.ts'
import { type Answer, InMemoryDispatcher } from '../support/in-memory-dispatcher.ts'
import { Switch } from '../support/switched-leadership.ts'
import { type ArmedFault, FaultGate, type SeenRequest } from './fault-gate.ts'
import type { World } from './fault-kind.ts'
import type { PreparedRole } from './prepared-role.ts'
import { Witness } from './witness.ts'

export interface StageOptions {
  readonly role: PreparedRole
  readonly schemas: BuiltinSchemas
  readonly charts: ChartRenderer & { readonly isBusy: boolean }
  readonly faults: readonly ArmedFault[]
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

const NAMESPACE = 'default'
const TOKEN = 'plans'
/** Milliseconds until a process that has died is started again. */
const RESTART_DELAY = 1000

/** The cluster of one life: a server, an operator that comes and goes, and a person, in this process and on a clock that stands still. */
export class Stage {
  readonly clock = new FakeClock()
  readonly gate: FaultGate
  readonly witness: Witness
  /** What must never happen, such as a controller that ends. */
  readonly problems: string[] = []
  /** The version of the cluster at the beginning of the last step. */
  formerVersion = '1'
  readonly #options: StageOptions
  readonly #server: ApiServer
  readonly #serve: Answer
  readonly #logger: Logger = {
    ...nopLogger,
    error: (message, fields) => {
      if (message !== REFUSED) this.problems.push(`${message} ${JSON.stringify(fields ?? {})}`)
    },
    child: () => this.#logger,
  }
  readonly #identities = new SteadyIdentities()
  #person: Connection | undefined
  #activity = 0
  #changedAt = 0
  #version = '1'
  #wanted: Project | undefined
  #process: Process | undefined

  constructor(options: StageOptions) {
    this.#options = options
    const { schemas, role } = options
    const settings = { workloads: true, tls: false, token: TOKEN, stages: { events: false } }
    this.#server = new ApiServer({ schemas, clock: this.clock, identities: this.#identities, ...settings })
    this.witness = new Witness(formatGroupKind(gvkOf(role.resource)))
    this.#server.objects.subscribe(undefined, (event) => {
      this.#activity++
      this.#version = event.object.metadata.resourceVersion ?? this.#version
      if (!QUIET_KINDS.has(event.object.kind)) this.#changedAt = this.clock.monotonic()
      this.witness.see(event)
    })
    this.#serve = this.#server.open()
    this.gate = new FaultGate(this.#serve, options.faults, this.#world())
  }

  /** The client of somebody who is not the engine. */
  get person(): KubeClient {
    if (!this.#person) throw new Error('the stage is not open')
    return this.#person.client
  }

  async open(): Promise<void> {
    this.#person = await this.#connect(new InMemoryDispatcher(this.#serve, this.#onActivity), 'person')
    for (const crd of this.#options.role.project.crds) this.#server.objects.create(crd, 'person')
    await this.#settle()
  }

  async close(): Promise<void> {
    this.#wanted = undefined
    this.#crash()
    await this.#person?.close()
    await this.#server.stop()
  }

  async startOperator(project: Project): Promise<void> {
    this.#wanted = project
    await this.#run()
  }

  /** Asks the operator to end, and waits until it has. */
  async stopOperator(): Promise<void> {
    this.#wanted = undefined
    const process = this.#process
    if (!process) return
    this.#process = undefined
    await this.#end(process)
  }

  /** `undefined`: there is no operator at the moment; the next one starts with the project. */
  reload(project: Project): ReloadResult | undefined {
    const result = this.#process?.operator.replaceProject(project)
    if (result?.kind !== 'refused') this.#wanted = project
    return result
  }

  /** The cluster as it is now is what a stale answer shows during the next step. */
  markStep(): void {
    this.formerVersion = this.#version
  }

  /** Lets everything happen that follows from what has happened, as long as something changes at least each ten seconds. */
  async untilQuiet(): Promise<void> {
    const { clock } = this
    this.#changedAt = clock.monotonic()
    for (;;) {
      await this.#settle()
      const { nextIn } = clock
      if (nextIn === undefined || clock.monotonic() + nextIn > this.#changedAt + QUIET_PERIOD) return
      clock.fireNext()
    }
  }

  /** Lets time pass, step by step, until `holds` or so many milliseconds have gone by. */
  async advance(milliseconds: number, holds: () => boolean = () => false): Promise<void> {
    const { clock } = this
    const end = clock.monotonic() + milliseconds
    await this.#settle()
    for (
      let next = clock.nextIn;
      next !== undefined && clock.monotonic() + next <= end && !holds();
      next = clock.nextIn
    ) {
      clock.fireNext()
      await this.#settle()
    }
    if (!holds()) clock.pass(Math.max(0, end - clock.monotonic()))
  }

  async #run(): Promise<void> {
    if (this.#process || !this.#wanted) return
    const { between, charts } = this.#options
    const dispatcher = new InMemoryDispatcher((message) => this.gate.answer(message), this.#onActivity)
    const leadership = new Switch()
    const abort = new AbortController()
    const connection = await this.#connect(dispatcher, 'engine')
    const { mapper, openApi } = connection
    const client = between ? between(connection.client) : connection.client
    const tools = { client, mapper, openApi, charts, leadership, random, clock: this.clock, logger: this.#logger }
    const operator = new Operator({ project: this.#wanted, namespace: NAMESPACE, ...tools })
    const ended = operator
      .start(abort.signal)
      .catch((error: unknown) => void this.problems.push(`the operator ended: ${error}`))
    this.#process = { operator, dispatcher, connection, leadership, abort, ended }
  }

  async #end({ abort, ended, connection }: Process): Promise<void> {
    abort.abort(new Error('SIGTERM'))
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    await this.advance(STOP_PATIENCE, () => isOver)
    if (!isOver) this.problems.push('the operator does not stop')
    await connection.close()
  }

  /** Nothing that the process does from now on reaches the server. */
  #crash(): void {
    const process = this.#process
    this.#process = undefined
    void process?.dispatcher.destroy()
    process?.abort.abort(new Error('SIGKILL'))
  }

  #connect(dispatcher: InMemoryDispatcher, userAgent: string): Promise<Connection> {
    const server = { url: 'http://in-memory', token: TOKEN, dispatcher }
    return connect({ server, userAgent, clock: this.clock, logger: nopLogger })
  }

  readonly #onActivity = (): void => {
    this.#activity++
  }

  /** Lets everything happen that does not wait for the clock. */
  async #settle(): Promise<void> {
    let seen = -1
    for (let turns = 0; turns < SETTLED_TURNS; turns++) {
      if (this.#activity !== seen || this.#options.charts.isBusy) turns = 0
      seen = this.#activity
      await nextTurn()
    }
  }

  #world(): World {
    const stage = this
    return {
      clock: this.clock,
      get formerVersion() {
        return stage.formerVersion
      },
      stand: (fault) => void this.gate.standing.add(fault),
      kill: () => {
        this.#crash()
        this.clock.schedule(RESTART_DELAY, () => void this.#run())
      },
      restart: () => {
        const process = this.#process
        this.#process = undefined
        process?.abort.abort(new Error('SIGTERM'))
        void process?.ended.then(() => process.connection.close()).then(() => this.#run())
      },
      loseLease: (milliseconds) => {
        const leadership = this.#process?.leadership
        leadership?.turn(false)
        this.clock.schedule(milliseconds, () => leadership?.turn(true))
      },
      cut: () => this.#process?.dispatcher.cut(),
      compact: () => this.#server.compact(),
      jump: (milliseconds) => this.clock.stepWallTime(milliseconds),
      pause: (milliseconds) => this.clock.pass(milliseconds),
      interfere: (request) => this.#interfere(request),
    }
  }

  async #interfere({ resource }: SeenRequest): Promise<void> {
    const object = [...this.witness.objects.values()].find(
      ({ kind, metadata: { name, namespace = '' } }) =>
        name === resource?.name && namespace === resource?.namespace && `${kind.toLowerCase()}s` === resource.plural,
    )
    if (!object) return
    const { uid: _uid, ...metadata } = object.metadata
    const annotations = { ...metadata.annotations, 'example.com/touched': 'now' }
    const touched = this.#server.objects.update(
      { ...object, metadata: { ...metadata, annotations } } as KubeObject,
      'person',
    )
    this.#server.objects.update(
      { ...touched, metadata: { ...touched.metadata, annotations: metadata.annotations } } as KubeObject,
      'person',
    )
  }
}

/** What the log says of a run whose status could not be written: a fault of the server, and no defect. */
const REFUSED = 'cannot reconcile: the reconciler failed; it is tried again'
/** Changes of these keep nobody waiting. */
const QUIET_KINDS: ReadonlySet<string> = new Set(['Event', 'Lease'])
/** Milliseconds of the clock: longer than any workload takes for a step. */
const QUIET_PERIOD = 10_000
/** Turns of the event loop in which nothing travels. What waits for no clock goes on within a few. */
const SETTLED_TURNS = 8
/** Milliseconds of the clock in which a stop has to come to its end. */
const STOP_PATIENCE = 60_000

/** Another value each time, and the same ones in each life. */
const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(Math.random() * 256))

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
