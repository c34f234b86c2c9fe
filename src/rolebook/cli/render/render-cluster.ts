import { FakeClock } from '../../../core/base/fake-clock.ts'
import { isJsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type Logger, nopLogger } from '../../../core/base/logger.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { Operator } from '../../../engine/operator/operator.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { LEDGER_NAME } from '../../../engine/reconcile/ownership/ledger.ts'
import type { RunReport } from '../../../engine/reconcile/trace/run-trace.ts'
import { requestKey } from '../../../engine/runtime/reconciler.ts'
import { builtinWorkloads } from '../../../sandbox/apiserver/workloads/builtin-workloads.ts'
import { SteadyIdentities } from '../../../sandbox/apiserver/write/identities.ts'
import { SandboxCluster } from '../../../sandbox/cluster/sandbox-cluster.ts'
import { sharedHelmRenderer } from '../../library/helm-renderer.ts'
import { CountedCharts } from '../../role-test/counted-charts.ts'
import { EngineTraffic } from '../../role-test/engine-traffic.ts'
import { QuietWatch } from '../../role-test/quiet-watch.ts'
import { UsageError } from '../command.ts'
import { MadeObjects } from './made-objects.ts'

export interface Pass {
  /** Whether the operator changed anything, the status of its resources included. */
  readonly changed: boolean
  /** The last run of each resource, sorted by their names. */
  readonly runs: readonly RunReport[]
}

const FIELD_MANAGER = 'rolebook-render'
/** Where the engine would keep what it has chosen at random. */
const INSTALLATION: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: LEDGER_NAME, namespace: 'default' },
  stringData: { id: 'render', key: 'render' },
}
const ALWAYS_IDLE = (): Promise<void> => Promise.resolve()

/** A cluster in memory whose clock stands still, on which the operator and the controllers of workloads take turns. */
export class RenderCluster {
  readonly made: MadeObjects
  readonly #cluster: SandboxCluster
  readonly #clock: FakeClock
  readonly #traffic: EngineTraffic
  readonly #charts = new CountedCharts(sharedHelmRenderer())
  readonly #quiet: QuietWatch
  #idle = ALWAYS_IDLE

  static async start(logger: Logger): Promise<RenderCluster> {
    const clock = new FakeClock()
    const identities = new SteadyIdentities()
    const cluster = await SandboxCluster.start({ clock, logger, identities, workloads: false, tls: false })
    await cluster.apply(INSTALLATION)
    return new RenderCluster(cluster, clock)
  }

  private constructor(cluster: SandboxCluster, clock: FakeClock) {
    this.#cluster = cluster
    this.#clock = clock
    this.made = new MadeObjects(cluster.connection.client)
    this.#traffic = new EngineTraffic()
    this.#quiet = new QuietWatch({ clock, traffic: this.#traffic, charts: this.#charts, idle: () => this.#idle() })
    cluster.objects.subscribe(undefined, (event) => {
      this.#traffic.changed(event)
      this.#quiet.changed()
    })
  }

  install(...crds: readonly KubeObject[]): Promise<void> {
    return this.#cluster.install(...crds)
  }

  /** An object that exists, with the status that it has. Its namespace is made if there is none. @throws UsageError */
  async give(object: KubeObject): Promise<KubeObject> {
    try {
      return await this.#give(object)
    } catch (error) {
      throw new UsageError(`cannot give ${object.kind} ${object.metadata.name}`, { cause: error })
    }
  }

  async #give(object: KubeObject): Promise<KubeObject> {
    await this.#ensureNamespace(object.metadata.namespace)
    const created = await this.#cluster.apply(object)
    const { status } = object
    if (!isJsonObject(status) || jsonEquals(created.status, status)) return created
    const options = { fieldManager: FIELD_MANAGER, subresource: 'status' } as const
    const { client } = this.#cluster.connection
    return client.patch(gvkOf(created), keyOf(created), { type: 'merge', body: { status } }, options)
  }

  /** Asks for the deletion of an object, as a person does. */
  async remove(object: KubeObject): Promise<void> {
    const { client } = this.#cluster.connection
    await client.delete(gvkOf(object), keyOf(object), { propagationPolicy: 'Background' })
  }

  live(object: KubeObject): KubeObject | undefined {
    return this.#cluster.objects.get(gvkOf(object), keyOf(object))
  }

  /** Lets the operator, which has just started, do all it can while nothing else happens. */
  async pass(project: Project, logger: Logger): Promise<Pass> {
    const { mapper, openApi } = this.#cluster.connection
    const reports = new Map<string, RunReport>()
    const onRun = (report: RunReport): void => void reports.set(requestKey(report.request), report)
    const client = this.#traffic.through(this.made.client)
    const { secrets: secrecy, onWritten } = this.made
    const ports = { client, mapper, openApi, clock: this.#clock, logger, secrecy, onWritten }
    // What is generated is a placeholder that does not look like a secret.
    const random = (count: number): Uint8Array => new Uint8Array(count)
    const operator = new Operator({ ...ports, project, onRun, random, charts: this.#charts, namespace: 'default' })
    const stop = new AbortController()
    this.made.pass += 1
    this.#traffic.writes.length = 0
    this.#idle = () => operator.idle()
    const running = operator.start(stop.signal)
    await this.#quiet.untilQuiet()
    stop.abort()
    await running
    this.#idle = ALWAYS_IDLE
    const runs = [...reports].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, report]) => report)
    return { changed: this.#traffic.writes.length > 0, runs }
  }

  /** Lets workloads become what their specs say, as in a cluster that has been left alone. */
  async settle(): Promise<void> {
    const workloads = builtinWorkloads({ events: false })
    const stops = workloads.map((one) => one.start(this.#cluster.objects, this.#clock, nopLogger))
    await this.#quiet.untilQuiet()
    for (const stop of stops) stop()
  }

  stop(): Promise<void> {
    return this.#cluster.stop()
  }

  async #ensureNamespace(name: string | undefined): Promise<void> {
    if (name === undefined) return
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    if (!this.live(namespace)) await this.#cluster.apply(namespace)
  }
}
