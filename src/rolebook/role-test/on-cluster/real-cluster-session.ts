import type { Clock } from '../../../core/base/clock.ts'
import { type RandomBytes, randomText } from '../../../core/base/random-text.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { projectOfTest } from '../project-of-test.ts'
import type { ClusterSession, SessionOptions } from '../run-test.ts'
import type { TestCase } from '../test-case.ts'
import type { TestCluster } from '../test-cluster.ts'
import type { TestPlan } from '../test-plan.ts'
import { ClusterCrds } from './cluster-crds.ts'
import { confinedProject } from './confined-project.ts'
import { NamespaceAlias } from './namespace-alias.ts'
import { OwnObjects } from './own-objects.ts'
import { planOnCluster } from './plan-on-cluster.ts'
import { RealTestCluster } from './real-test-cluster.ts'
import { untilHolds } from './until-holds.ts'

export interface RealSessionOptions {
  /** A new connection for a client of this name. */
  connect(client: string): Promise<Connection>
  readonly clock: Clock
  readonly random: RandomBytes
  /** Milliseconds for which a step waits for what it expects. */
  readonly timeout: number
  /** Ends the tests before their time. */
  readonly signal: AbortSignal
}

/** The label of namespaces and CRDs that tests have made: it shows what a lost process has left. */
const MARK = 'rolebook.dev/role-test'
const FIELD_MANAGER = 'rolebook-test'
const [LENGTH, CHARACTERS] = [8, 'bcdfghjkmnpqrstvwxz23456789']
/** Milliseconds for which a namespace may be without its ServiceAccount. A server without controllers never makes one. */
const ACCOUNT_PATIENCE = 5000

/** Tests of roles on a cluster that others may use, too: each in a namespace of its own, which goes with it. */
export class RealClusterSession implements ClusterSession {
  readonly #options: RealSessionOptions
  readonly #connection: Connection
  readonly #crds: ClusterCrds
  readonly #left: string[] = []

  static async open(options: RealSessionOptions): Promise<RealClusterSession> {
    return new RealClusterSession(options, await options.connect('rolebook-test'))
  }

  private constructor(options: RealSessionOptions, connection: Connection) {
    const { clock, signal } = options
    this.#options = options
    this.#connection = connection
    this.#crds = new ClusterCrds({ connection, clock, signal, mark: MARK })
  }

  /** Whether the tests can run there. Writes nothing. @throws CodedError `DifferentCrd`, ApiError */
  async check(tests: readonly TestCase[], project: Project): Promise<void> {
    const projects = tests.map((test) => [test, projectOfTest(project, test)] as const)
    const done = projects.filter(([test, ofTest]) => this.planFor(test, ofTest).skipped === undefined)
    const crds = done.flatMap(([, ofTest]) => ofTest.crds)
    await this.#crds.compare([...new Set(crds)])
  }

  planFor(test: TestCase, project: Project): TestPlan {
    return planOnCluster(test, project, this.#options)
  }

  async open(test: TestCase, options: SessionOptions): Promise<TestCluster> {
    const { clock, timeout, signal, connect } = this.#options
    const namespace = `rolebook-test-${randomText(LENGTH, CHARACTERS, this.#options.random)}`
    const alias = new NamespaceAlias(namespace)
    const own = new OwnObjects(this.#connection)
    own.add(await this.#makeNamespace(namespace, test))
    const { project: confined, watchNamespaces } = confinedProject(options.project, test, alias)
    return new RealTestCluster({
      ...options,
      ...{ confined, namespace, watchNamespaces, alias, own, clock, timeout, signal },
      crds: this.#crds,
      connection: this.#connection,
      connectOperator: () => connect('rolebook-test-operator'),
      onLeft: (left) => this.#left.push(...left),
    })
  }

  /** Ends everything. Returns what could not be removed. */
  async close(): Promise<readonly string[]> {
    const crds = await this.#crds.remove()
    await this.#connection.close()
    return [...this.#left, ...crds]
  }

  async #makeNamespace(name: string, { path }: TestCase): Promise<KubeObject> {
    const { client } = this.#connection
    const { clock } = this.#options
    const metadata = { name, labels: { [MARK]: 'true' }, annotations: { [MARK]: path } }
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata }
    // Without the signal of the tests: a namespace whose answer is not waited for would stay.
    const made = await client.create(namespace, { fieldManager: FIELD_MANAGER })
    const hasAccount = async (): Promise<boolean> =>
      (await client.get(SERVICE_ACCOUNT, { namespace: name, name: 'default' })) !== undefined
    await untilHolds(hasAccount, { clock, patience: ACCOUNT_PATIENCE }).catch(() => false)
    return made
  }
}

const SERVICE_ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' }
