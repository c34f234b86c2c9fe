import { systemClock } from '../../src/core/base/clock.ts'
import type { JsonObject } from '../../src/core/base/json.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { ControlPlane } from '../../test/control-plane/control-plane.ts'
import { installCrd } from '../../test/support/install-crd.ts'
import { inParallel } from '../in-parallel.ts'
import { Observer } from './observer.ts'
import { parseServerMetrics, type RequestCount, type ServerMetrics } from './server-metrics.ts'
import {
  CONFIG_MAP,
  GROUP,
  NAMESPACE,
  specOf,
  type Workload,
  widget,
  widgetCrd,
  widgetGvks,
  widgetKind,
} from './workload.ts'

const MANAGER = { fieldManager: 'bench' }
/** Of the bench; an operator's are its own affair. */
const REQUESTS_IN_FLIGHT = 16
const USER = 'contestant'

/** A control plane for one contestant, and what the bench does there. */
export class Stage {
  readonly workload: Workload
  readonly observer: Observer
  /** Of a user who may do everything, but is bound by the fairness of the server as any other. */
  readonly kubeconfig: string
  readonly #plane: ControlPlane
  readonly #connection: Connection
  #own: RequestCount[] = []

  private constructor(
    workload: Workload,
    parts: { plane: ControlPlane; connection: Connection; observer: Observer; kubeconfig: string },
  ) {
    this.workload = workload
    this.#plane = parts.plane
    this.#connection = parts.connection
    this.observer = parts.observer
    this.kubeconfig = parts.kubeconfig
  }

  static async open(workload: Workload): Promise<Stage> {
    const plane = await ControlPlane.start()
    try {
      const { kubeconfig } = plane
      const parts = { clock: systemClock, logger: nopLogger, userAgent: 'rolebook-bench' }
      const connection = await connect({ ...parts, kubeconfig })
      await prepare(connection, workload, { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: USER })
      // What the server counts is then what the contestant and the bench send.
      for (const name of ['kwok', 'kube-scheduler', 'kube-controller-manager'] as const) await plane.halt(name)
      const observer = await Observer.start(connection.client, workload)
      return new Stage(workload, { plane, connection, observer, kubeconfig: await plane.userKubeconfig(USER) })
    } catch (error) {
      await plane.stop()
      throw error
    }
  }

  async createAll(): Promise<void> {
    const { resources } = this.workload
    await inParallel(resources, (index) => this.#create(widget(this.workload, index, 0)), REQUESTS_IN_FLIGHT)
  }

  /** One widget of each kind that does not count: resolves when all have a status. */
  async probe(): Promise<void> {
    for (const gvk of widgetGvks(this.workload)) {
      const name = `probe-${gvk.kind.toLowerCase()}`
      const metadata = { name, namespace: NAMESPACE }
      const made = await this.#connection.client.create(
        { apiVersion: `${GROUP}/v1`, kind: gvk.kind, metadata, spec: specOf(name, 0) },
        MANAGER,
      )
      await this.#untilStatus(gvk, made)
    }
  }

  async updateAll(revision: number): Promise<void> {
    await inParallel(this.workload.resources, (index) => this.#update(index, revision), REQUESTS_IN_FLIGHT)
  }

  /** Milliseconds that each of so many ConfigMaps took to come back. */
  async deleteSome(count: number): Promise<readonly number[]> {
    const times: number[] = []
    for (let index = 0; index < count; index++) {
      const name = `w-${Math.floor((index * this.workload.resources) / count)}`
      const repaired = this.observer.repaired(name)
      await this.#connection.client.delete(CONFIG_MAP, { namespace: NAMESPACE, name })
      this.#note('DELETE', 'configmaps', '200')
      times.push(await repaired)
    }
    return times
  }

  async metrics(): Promise<ServerMetrics> {
    return parseServerMetrics(await this.#connection.read('/metrics'))
  }

  /** What the bench has sent since it was asked last. */
  takeOwn(): readonly RequestCount[] {
    const own = this.#own
    this.#own = []
    return own
  }

  async close(): Promise<void> {
    this.observer.stop()
    await this.#connection.close()
    await this.#plane.stop()
  }

  async #create(object: KubeObject): Promise<void> {
    await this.#connection.client.create(object, MANAGER)
    this.#note('POST', resourceOf(object.kind), '201')
  }

  async #update(index: number, revision: number): Promise<void> {
    const kind = widgetKind(index % this.workload.kinds)
    const name = `w-${index}`
    const body = { spec: specOf(name, revision) }
    const key = { namespace: NAMESPACE, name }
    await this.#connection.client.patch({ group: GROUP, version: 'v1', kind }, key, { type: 'merge', body }, MANAGER)
    this.#note('PATCH', resourceOf(kind), '200')
  }

  async #untilStatus(gvk: Gvk, { metadata: { name, resourceVersion } }: KubeObject): Promise<void> {
    const options = { namespace: NAMESPACE, fieldSelector: `metadata.name=${name}`, resourceVersion }
    for await (const event of this.#connection.client.watch(gvk, options)) {
      if (event.type === 'MODIFIED' && event.object.status !== undefined) return
    }
  }

  #note(verb: string, resource: string, code: string): void {
    this.#own.push({ verb, resource, code, count: 1 })
  }
}

/** The kinds and the namespace of the workload. `subject` may do everything. */
export async function prepare(connection: Connection, workload: Workload, subject: JsonObject): Promise<void> {
  const { client } = connection
  for (const { kind } of widgetGvks(workload)) await installCrd(connection, widgetCrd(kind))
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, MANAGER)
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: USER },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [subject],
  }
  await client.create(binding, MANAGER)
}

function resourceOf(kind: string): string {
  return `${kind.toLowerCase()}s.${GROUP}`
}
