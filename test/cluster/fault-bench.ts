import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import type { RunReport } from '../../src/engine/reconcile/trace/run-trace.ts'
import { type AuditedRequest, type AuditLog, isWrite } from '../control-plane/audit-log.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { at, has, newObject, ready, there } from '../scenarios/objects.ts'
import { settledPods } from '../scenarios/settled-pods.ts'
import { openTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { installOperatorAccount } from './operator-account.ts'

/** A control plane that a test may break, and an operator at work on it, with the rights of `deploy/rbac.yaml`. */
export class FaultBench {
  readonly plane: ControlPlane
  readonly cluster: TestCluster
  readonly namespace: string
  readonly driver: ClusterDriver
  readonly #project: Project
  readonly #connection: Connection
  readonly #audit: AuditLog
  readonly #runs = new EventEmitter()
  #operator: RunningOperator
  #size = 1

  static async start(plane: ControlPlane): Promise<FaultBench> {
    const project = await projectAt()
    const operatorKubeconfig = installOperatorAccount(plane)
    const { kubeconfig } = plane
    const cluster = await openTestCluster({ kubeconfig, operatorKubeconfig, stop: async () => undefined }, project.crds)
    const namespace = await cluster.newNamespace('faults')
    const connection = await cluster.connectOperator()
    return new FaultBench({ plane, cluster, namespace, connection, project })
  }

  private constructor(parts: {
    plane: ControlPlane
    cluster: TestCluster
    namespace: string
    connection: Connection
    project: Project
  }) {
    this.plane = parts.plane
    this.cluster = parts.cluster
    this.namespace = parts.namespace
    this.#project = parts.project
    this.#connection = parts.connection
    this.driver = httpDriver(this.cluster.connection.client, this.namespace)
    this.#audit = this.plane.auditLog()
    this.#operator = this.#start()
  }

  async stop(): Promise<void> {
    await this.#operator.stop()
    await this.cluster.stop()
  }

  /** A MaintPage and a Memcached as the tests find them. */
  async begin(): Promise<void> {
    await this.driver.apply(page(false))
    await this.driver.apply(newObject(KIND.memcached, 'cache', { size: this.#size }))
    await this.converged(false)
  }

  /** Edits both resources, so that the operator is at work. */
  async edit(published: boolean): Promise<void> {
    this.#size = 3 - this.#size
    await this.driver.apply(page(published))
    await this.driver.apply(newObject(KIND.memcached, 'cache', { size: this.#size }))
  }

  /**
   * The operator has come to the right objects, follows edits, puts back what is taken away, and then writes nothing, not
   * even when it looks at everything again, nor when it is started anew.
   */
  async expectHealth(): Promise<void> {
    await this.edit(true)
    await this.converged(true)
    const lost = await this.driver.read(KIND.service, 'httpd')
    await this.driver.remove(KIND.service, 'httpd')
    await this.edit(false)
    await this.converged(false)
    const service = await this.driver.read(KIND.service, 'httpd')
    expect(service?.metadata.uid, 'the Service came back').to.not.equal(lost?.metadata.uid)
    await this.expectRest()
    await this.#operator.stop()
    this.#operator = this.#start()
    await this.expectRest()
  }

  /** Has the operator look at both resources again. */
  async expectRest(): Promise<void> {
    await this.#operator.operator.idle()
    this.#audit.take()
    const seen = Promise.all([this.#nextRun('MaintPage'), this.#nextRun('Memcached')])
    const labels = { looked: `at-${Date.now()}` }
    await this.driver.patch(KIND.maintPage, 'page', { metadata: { labels } })
    await this.driver.patch(KIND.memcached, 'cache', { metadata: { labels } })
    await seen
    await this.#operator.operator.idle()
    expect(this.writes(), 'writes at rest').to.deep.equal([])
  }

  /** What the operator has written since the last call, and what was answered. */
  writes(): readonly string[] {
    return this.requests()
      .filter(isWrite)
      .map(({ verb, resource, name, status }) => `${verb} ${resource} ${name} ${status}`)
  }

  requests(): readonly AuditedRequest[] {
    return this.#audit.take()
  }

  idle(): Promise<void> {
    return this.#operator.operator.idle()
  }

  crdOf(kind: string): KubeObject {
    const found = this.#project.crds.find((crd) => at(crd, 'spec', 'names', 'kind') === kind)
    if (!found) throw new Error(`the project has no CRD of ${kind}`)
    return found
  }

  /** Until then no Pod can be made in a new namespace. */
  async untilServiceAccount(namespace: string): Promise<void> {
    const kind = { group: '', version: 'v1', kind: 'ServiceAccount' }
    await httpDriver(this.cluster.connection.client, namespace).until(kind, 'default', there)
  }

  kubectl(...args: readonly string[]): string {
    return execFileSync(this.plane.kubectl, ['--kubeconfig', this.plane.kubeconfig, ...args], { encoding: 'utf8' })
  }

  #start(): RunningOperator {
    const onRun = (report: RunReport): void => void this.#runs.emit(`${report.request.kind} ${report.outcome}`)
    return startOperator({ connection: this.#connection }, this.#project, { onRun })
  }

  async #nextRun(kind: string): Promise<void> {
    await once(this.#runs, `${kind} complete`)
  }

  /** Waits for what an edit asks for. */
  async converged(published: boolean): Promise<void> {
    const { driver } = this
    const app = published ? 'page' : 'httpd'
    await driver.until(KIND.service, 'httpd', has(['spec', 'selector'], { app }))
    await driver.until(KIND.deployment, 'cache', has(['spec', 'replicas'], this.#size))
    await driver.until(KIND.memcached, 'cache', hasNodes(this.#size))
    await driver.until(KIND.maintPage, 'page', ready)
    await driver.until(KIND.memcached, 'cache', ready)
    await this.#expectNothingDoubled()
  }

  async #expectNothingDoubled(): Promise<void> {
    const { driver } = this
    const names = async (kind: (typeof KIND)[keyof typeof KIND]): Promise<readonly string[]> =>
      (await driver.list(kind)).map(({ metadata }) => metadata.name ?? '').sort()
    expect(await names(KIND.deployment)).to.deep.equal(['cache', 'httpd'])
    expect(await names(KIND.service)).to.deep.equal(['httpd'])
    await settledPods(driver, 2 + this.#size)
  }
}

export const page = (published: boolean) =>
  newObject(KIND.maintPage, 'page', {
    maintpageconfig: { maintpagetoggle: published, maintpageimage: 'page:1' },
    appconfig: { appname: 'httpd', appimage: 'app:1' },
  })

const hasNodes = (count: number) => ({
  what: `has ${count} nodes`,
  holds: (object: Parameters<typeof at>[0]) =>
    ((at(object, 'status', 'nodes') ?? []) as readonly unknown[]).length === count,
})
