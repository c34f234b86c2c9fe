import { systemClock } from '../../src/core/base/clock.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { formatGroupKind, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { readinessOf } from '../../src/core/kube/readiness.ts'
import type { ReloadResult } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { fastClock } from '../support/fast-clock.ts'
import type { ClusterBackend } from './cluster-backend.ts'
import { EngineProcesses } from './engine-processes.ts'
import { type ArmedFault, FaultGate } from './fault-gate.ts'
import type { World } from './fault-kind.ts'
import { interfere } from './interfere.ts'
import type { PreparedRole } from './prepared-role.ts'
import type { Stage } from './stage.ts'
import { Witness } from './witness.ts'

export interface ClusterStageOptions {
  readonly role: PreparedRole
  readonly faults: readonly ArmedFault[]
  /** A new one, which is the life's own. */
  readonly namespace: string
  /** Milliseconds in which nothing travels and nothing changes, after which a step is over. */
  readonly quietPeriod: number
}

/** How much faster the clock of the engine is than that of the machine, so that what waits does not wait for long. */
const SPEED = 6
/** Milliseconds after which a step is looked at although things still move. */
const QUIET_PATIENCE = 30_000
const POLL = 25
/**
 * Milliseconds for which a step waits for controllers that are behind. A controller of Kubernetes retries at most ten objects a second, of all
 * namespaces together (`DefaultTypedControllerRateLimiter` of client-go). Where many lives delete and make Deployments at once, one may wait
 * in that queue for minutes.
 */
const PATIENCE_WITH_CONTROLLERS = 6 * 60_000
/** Milliseconds in which a stop has to come to its end. */
const STOP_PATIENCE = 30_000
/** Milliseconds of the engine's clock, and not hours: what a watch has lost shows within the patience for a step. */
const CACHE_CHECK = 5 * 60_000

/** A namespace of a real server, with an operator of its own that looks at nothing else. */
export class ClusterStage implements Stage {
  readonly namespace: string
  readonly gate: FaultGate
  readonly witness: Witness
  readonly problems: string[] = []
  readonly person: KubeClient
  readonly #backend: ClusterBackend
  readonly #quietPeriod: number
  readonly #processes: EngineProcesses
  readonly #unlisten: () => void
  #formerVersion = '1'
  #activeAt = performance.now()
  #jumped = 0

  constructor(backend: ClusterBackend, { role, faults, namespace, quietPeriod }: ClusterStageOptions) {
    this.#quietPeriod = quietPeriod
    this.#backend = backend
    this.namespace = namespace
    this.person = backend.person
    this.witness = new Witness(formatGroupKind(gvkOf(role.resource)), { namespace, ownOnly: true })
    this.#unlisten = backend.listen(namespace, (event) => {
      this.#activeAt = performance.now()
      this.witness.see(event)
    })
    const fast = fastClock(SPEED)
    const monotonic = (): number => SPEED * systemClock.monotonic()
    const clock = { ...fast, monotonic, now: () => systemClock.now() + this.#jumped }
    this.gate = new FaultGate(backend.forward, faults, this.#world(clock))
    const onActivity = (): void => {
      this.#activeAt = performance.now()
    }
    const { gate, problems } = this
    this.#processes = new EngineProcesses({
      namespace,
      watchNamespaces: [namespace],
      gate,
      problems,
      clock,
      cacheCheckPeriod: CACHE_CHECK,
      onActivity,
    })
  }

  async close(): Promise<void> {
    this.#processes.abandon()
    this.#unlisten()
  }

  startOperator(project: Project): Promise<void> {
    return this.#processes.start(project)
  }

  async stopOperator(): Promise<void> {
    const stopped = this.#processes.stop().then(() => true)
    const isOver = await Promise.race([stopped, systemClock.sleep(STOP_PATIENCE).then(() => false)])
    if (!isOver) this.problems.push('the operator does not stop')
  }

  reload(project: Project): ReloadResult | undefined {
    return this.#processes.reload(project)
  }

  markStep(): void {
    this.#formerVersion = this.#backend.version
  }

  async untilQuiet(): Promise<void> {
    const end = performance.now() + QUIET_PATIENCE
    this.#activeAt = performance.now()
    while (performance.now() < end || !this.#processes.isUp) {
      if (performance.now() - this.#activeAt > this.#quietPeriod && this.#processes.isUp) return
      await systemClock.sleep(POLL)
    }
  }

  /** The time counts from the moment at which the controllers are done with the objects of the life. */
  async advance(milliseconds: number, holds: () => boolean = () => false): Promise<void> {
    const last = performance.now() + Math.max(milliseconds, PATIENCE_WITH_CONTROLLERS)
    let end = performance.now() + milliseconds
    while (performance.now() < end && !holds()) {
      await systemClock.sleep(POLL)
      if (this.#controllersAreBehind()) end = Math.min(performance.now() + milliseconds, last)
    }
  }

  #controllersAreBehind(): boolean {
    return [...this.witness.objects.values()].some(isUnderWay)
  }

  #world(clock: World['clock']): World {
    const stage = this
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
      compact: () => undefined,
      jump: (milliseconds) => {
        this.#jumped += milliseconds
      },
      pause: () => undefined,
      interfere: (request) => interfere(this, request),
    }
  }
}

/** Whether it is a workload that its controller has not brought to its spec yet. Pods are ready at once: kwok says so. */
function isUnderWay(object: KubeObject): boolean {
  return object.apiVersion === 'apps/v1' && readinessOf(object).kind !== 'ready'
}
