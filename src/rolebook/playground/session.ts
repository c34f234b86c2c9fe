import { nopLogger } from '../../core/base/logger.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { type Connection, connect } from '../../core/kube-client/connect.ts'
import { Operator } from '../../engine/operator/operator.ts'
import type { Project } from '../../engine/operator/project.ts'
import { SandboxCluster } from '../../sandbox/cluster/sandbox-cluster.ts'
import { detailsOf, readEvents } from '../dashboard/resource-details.ts'
import { nameOf as resourceName, rowOf } from '../dashboard/resource-row.ts'
import { AppliedSamples } from '../library/applied-samples.ts'
import type { ResourceDetails, ResourceRow } from '../ui/model.ts'
import { ClusterView } from './cluster-view.ts'
import type { ProjectTools } from './project-folder.ts'
import type { ClusterState, ObjectName, WriteView } from './protocol.ts'
import { RunningClock } from './running-clock.ts'
import { SwitchedClient } from './switched-client.ts'
import { WriteLog } from './write-log.ts'

export interface SessionOptions extends Pick<ProjectTools, 'charts'> {
  readonly project: Project
  /** Receives a message about what a sample lacks to be applied. */
  readonly complain: (message: string) => void
  /** Which of the projects that the page has opened it runs. */
  readonly revision: number
}

/** On a clock that a person moves, a watch that is silent for long says nothing about the connection. */
const UNWATCHED = { timings: { idleDeadline: 1e12 }, cacheCheckPeriod: 0 }

const NO_HISTORY = { runs: [], skipped: 0 }

/** A sandbox with the operator of a project on it. */
export class Session {
  readonly cluster: SandboxCluster
  readonly clock: RunningClock
  readonly revision: number
  readonly #switch: SwitchedClient
  readonly #engine: Connection
  readonly #operator: Operator
  readonly #samples: AppliedSamples
  readonly #view = new ClusterView()
  readonly #writes: WriteLog
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #isIdle = false
  #wasIdle = false
  #asked = false

  /** Resolves when the samples are applied. */
  static async start(options: SessionOptions): Promise<Session> {
    const clock = new RunningClock()
    const ports = { clock: clock.clock, logger: nopLogger }
    const cluster = await SandboxCluster.start({ ...ports, tls: false, userAgent: 'rolebook-playground' })
    const engine = await connect({ ...ports, server: cluster.access, userAgent: 'rolebook-operator' })
    const session = new Session(options, { clock, cluster, engine })
    await cluster.install(...options.project.crds)
    session.#running = session.#operator.start(session.#stop.signal)
    await session.#samples.follow(options.project.samples)
    return session
  }

  private constructor(
    { project, charts, complain, revision }: SessionOptions,
    { clock, cluster, engine }: { clock: RunningClock; cluster: SandboxCluster; engine: Connection },
  ) {
    this.cluster = cluster
    this.clock = clock
    this.revision = revision
    this.#engine = engine
    this.#switch = new SwitchedClient(engine.client)
    this.#writes = new WriteLog(clock.clock)
    const { mapper, openApi } = engine
    const ports = { client: this.#switch.client, mapper, openApi, clock: clock.clock, logger: nopLogger }
    this.#operator = new Operator({
      ...ports,
      ...UNWATCHED,
      project,
      charts,
      namespace: 'default',
      allowTeardown: true,
    })
    this.#samples = new AppliedSamples({
      apply: (object) => cluster.apply(object),
      remove: (object) => cluster.remove(object),
      complain,
    })
    cluster.objects.subscribe(undefined, (event) => {
      this.#view.changed(event)
      this.#writes.changed(event)
      this.#isIdle = false
    })
  }

  /** Goes on with another version of the project. The operator refuses none, since it may tear down whatever has no role any more. */
  async replaceProject(project: Project): Promise<void> {
    await this.cluster.install(...project.crds)
    this.#operator.replaceProject(project)
    this.#isIdle = false
    await this.#samples.follow(project.samples)
  }

  connectOperator(isConnected: boolean): void {
    this.#switch.connect(isConnected)
    this.#isIdle = false
  }

  /** @throws Error when it does not exist */
  get({ apiVersion, kind, namespace, name }: ObjectName): KubeObject {
    const found = this.cluster.objects.get(gvkOf({ apiVersion, kind }), { namespace, name })
    if (!found) throw new Error(`there is no ${kind} ${name}`)
    return found
  }

  /** Everything about a resource that the operator looks after. */
  async details(wanted: string): Promise<ResourceDetails | undefined> {
    for (const { resource, role } of this.#operator.resources()) {
      if (resource.metadata.uid !== wanted) continue
      const history = this.#operator.history.of(resourceName(resource)) ?? NO_HISTORY
      const events = await readEvents(resource, this.cluster.connection)
      const now = this.clock.clock.now()
      const details = detailsOf({ resource, role, objects: this.#operator.objectsOf(wanted), history, events, now })
      return { ...details, objects: this.#view.withOwned(details.objects) }
    }
    return undefined
  }

  takeWrites(): readonly WriteView[] {
    return this.#writes.take()
  }

  /** The cluster of now. `undefined`: it is as it was at the last call, but for the time. */
  takeState(): ClusterState | undefined {
    this.#askIdle()
    if (!this.#view.takeChange() && this.#isIdle && this.#wasIdle) return undefined
    this.#wasIdle = this.#isIdle
    return this.state()
  }

  state(): ClusterState {
    return {
      now: this.clock.clock.now(),
      isClockRunning: this.clock.isRunning,
      isConnected: this.#switch.isConnected,
      isIdle: this.#isIdle,
      rows: this.#rows(),
      objects: this.#view.objects(),
    }
  }

  #rows(): readonly ResourceRow[] {
    return [...this.#operator.resources()].map(({ resource, role }) => {
      const objects = this.#operator.objectsOf(resource.metadata.uid ?? '')
      const [lastRun] = this.#operator.history.of(resourceName(resource))?.runs ?? []
      return rowOf({ resource, role: role.name, objects, lastRun })
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the session is over'))
    await this.#running
    this.clock.stop()
    await this.#engine.close()
    await this.cluster.stop()
  }

  #askIdle(): void {
    if (this.#asked || this.#isIdle) return
    this.#asked = true
    void this.#operator.idle().then(() => {
      this.#asked = false
      this.#isIdle = true
    })
  }
}
