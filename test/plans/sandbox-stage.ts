import type { Clock } from '../../src/core/base/clock.ts'
import { FakeClock } from '../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { formatGroupKind, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import type { BuiltinSchemas } from '../../src/core/schema/builtin-schemas.ts'
import type { ReloadResult } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { type Answer, InMemoryDispatcher } from '../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import { SteadyIdentities } from '../../src/sandbox/apiserver/write/identities.ts'
import { EngineProcesses, TOKEN } from './engine-processes.ts'
import { type ArmedFault, FaultGate } from './fault-gate.ts'
import type { World } from './fault-kind.ts'
import { interfere } from './interfere.ts'
import type { PreparedRole } from './prepared-role.ts'
import type { RememberedCharts } from './remembered-charts.ts'
import type { Stage } from './stage.ts'
import { Witness } from './witness.ts'

export interface SandboxStageOptions {
  readonly role: PreparedRole
  readonly schemas: BuiltinSchemas
  readonly charts: RememberedCharts
  readonly faults: readonly ArmedFault[]
  /** What stands between the engine and its client, such as a defect. Defaults to nothing. */
  readonly between?: ((client: KubeClient) => KubeClient) | undefined
}

/** A server of this process, reached without a socket, on a clock that stands still: all happens in the same order each time. */
export class SandboxStage implements Stage {
  readonly namespace = 'default'
  readonly gate: FaultGate
  readonly witness: Witness
  readonly problems: string[] = []
  readonly person: KubeClient
  readonly #options: SandboxStageOptions
  readonly #clock: FakeClock
  /** By how much the wall clock of the engine differs from that of the cluster. */
  #jumped = 0
  readonly #server: ApiServer
  readonly #processes: EngineProcesses
  #activity = 0
  #changedAt = 0
  #version = '1'
  #formerVersion = '1'

  static async open(options: SandboxStageOptions): Promise<SandboxStage> {
    const clock = new FakeClock()
    const settings = { workloads: true, tls: false, token: TOKEN, stages: { events: false } }
    const { schemas, role } = options
    const server = new ApiServer({ schemas, clock, identities: new SteadyIdentities(), ...settings })
    const serve = server.open()
    const onActivity = (): void => stage.#onActivity()
    const dispatcher = new InMemoryDispatcher(serve, onActivity)
    const access = { url: 'http://in-memory', token: TOKEN, dispatcher }
    const { client } = await connect({ server: access, userAgent: 'person', clock, logger: nopLogger })
    const stage = new SandboxStage(options, { clock, server, serve, person: client })
    for (const crd of role.project.crds) server.objects.create(crd, 'person')
    await stage.#settle()
    return stage
  }

  private constructor(options: SandboxStageOptions, { clock, server, serve, person }: Parts) {
    const { role, charts, between } = options
    this.#options = options
    this.#clock = clock
    this.#server = server
    this.person = person
    this.witness = new Witness(formatGroupKind(gvkOf(role.resource)))
    this.#server.objects.subscribe(undefined, (event) => {
      this.#onActivity()
      this.#version = event.object.metadata.resourceVersion ?? this.#version
      if (!QUIET_KINDS.has(event.object.kind)) this.#changedAt = clock.monotonic()
      this.witness.see(event)
    })
    this.gate = new FaultGate(serve, options.faults, this.#world())
    const { namespace, gate, problems } = this
    const onActivity = (): void => this.#onActivity()
    const own = { ...clockOf(clock), now: () => clock.now() + this.#jumped }
    const settings = { namespace, gate, problems, charts, random, cacheCheckPeriod: CACHE_CHECK, between, onActivity }
    this.#processes = new EngineProcesses({ ...settings, clock: own })
  }

  async close(): Promise<void> {
    this.#processes.abandon()
    await this.#server.stop()
  }

  startOperator(project: Project): Promise<void> {
    return this.#processes.start(project)
  }

  async stopOperator(): Promise<void> {
    let isOver = false
    void this.#processes.stop().then(() => {
      isOver = true
    })
    await this.advance(STOP_PATIENCE, () => isOver)
    if (!isOver) this.problems.push('the operator does not stop')
  }

  reload(project: Project): ReloadResult | undefined {
    return this.#processes.reload(project)
  }

  markStep(): void {
    this.#formerVersion = this.#version
  }

  /**
   * As long as something changes at least each ten seconds, or the operator is down: a person acts when it is at work. What is
   * meant for the children of a resource that is deleted while no operator is there cannot be known, and they stay.
   */
  async untilQuiet(): Promise<void> {
    const clock = this.#clock
    this.#changedAt = clock.monotonic()
    for (;;) {
      await this.#settle()
      const { nextIn } = clock
      const isQuiet = nextIn === undefined || clock.monotonic() + nextIn > this.#changedAt + QUIET_PERIOD
      if (isQuiet && this.#processes.isUp) return
      clock.fireNext()
    }
  }

  async advance(milliseconds: number, holds: () => boolean = () => false): Promise<void> {
    const clock = this.#clock
    const end = clock.monotonic() + milliseconds
    await this.#settle()
    for (let next = clock.nextIn; next !== undefined && !holds(); next = clock.nextIn) {
      if (clock.monotonic() + next > end) break
      clock.fireNext()
      await this.#settle()
    }
    if (!holds()) clock.pass(Math.max(0, end - clock.monotonic()))
  }

  #onActivity(): void {
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
    const clock = this.#clock
    return {
      clock,
      get formerVersion() {
        return stage.#formerVersion
      },
      stand: (fault) => void this.gate.standing.add(fault),
      kill: () => this.#processes.kill(),
      restart: () => this.#processes.restart(),
      loseLease: (milliseconds) => this.#processes.loseLease(milliseconds),
      cut: () => this.#processes.cut(),
      compact: () => this.#server.compact(),
      jump: (milliseconds) => {
        this.#jumped += milliseconds
      },
      pause: (milliseconds) => clock.pass(milliseconds),
      interfere: (request) => interfere(this, request),
    }
  }
}

interface Parts {
  readonly clock: FakeClock
  readonly server: ApiServer
  readonly serve: Answer
  readonly person: KubeClient
}

/** A change of one of these does not prolong a step. */
const QUIET_KINDS: ReadonlySet<string> = new Set(['Event', 'Lease'])
/** Milliseconds of the clock: longer than any workload takes for a step. */
const QUIET_PERIOD = 10_000
/** Turns of the event loop in which nothing travels. What waits for no clock goes on within a few. */
const SETTLED_TURNS = 8
/** Milliseconds of the clock in which a stop has to come to its end. */
const STOP_PATIENCE = 60_000
/** Milliseconds, and not hours: what a watch has lost shows within the patience for a step. */
const CACHE_CHECK = 30 * 60_000

/** Another value each time, and the same ones in each life. */
const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(Math.random() * 256))

function clockOf(clock: FakeClock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    schedule: (milliseconds, callback) => clock.schedule(milliseconds, callback),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
