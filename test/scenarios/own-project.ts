import type { Context } from 'mocha'
import type { JsonObject } from '../../src/core/base/json.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { apiVersionOf, formatGroupKind, type Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { type WhatIfResult, whatIf } from '../../src/rolebook/cli/what-if/what-if.ts'
import { offlineKindNames } from '../../src/rolebook/generate/kind-names.ts'
import { neededRights } from '../../src/rolebook/generate/needed-rights.ts'
import { rulesOf } from '../../src/rolebook/generate/rbac.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { grantOperator } from '../support/grant-operator.ts'
import { crd } from '../support/operator-sandbox.ts'
import { ProjectFolder } from '../support/project-folder.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { WriteLog } from '../support/write-log.ts'
import type { ClusterDriver } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from './test-cluster.ts'

/** A kind for these scenarios alone. Its spec and status may hold anything. */
export const THING: Gvk = { group: 'scenarios.example.com', version: 'v1', kind: 'Thing' }
const WATCHES = `- {group: ${THING.group}, version: ${THING.version}, kind: ${THING.kind}, role: thing}\n`

/** A cluster on which scenarios run roles of their own, each with the rights that it needs and no more. */
export class OwnProject {
  readonly #cluster: TestCluster
  readonly #operatorSide: Connection
  readonly #log: WriteLog
  #running: RunningOperator | undefined
  #project: Project | undefined

  static async start(context: Context): Promise<OwnProject> {
    const log = new WriteLog(OPERATOR_AGENT)
    const cluster = await startTestCluster(context, await projectOf('tasks: [{set: {a: 1}}]'), {
      intercept: log.intercept,
    })
    return new OwnProject(cluster, await cluster.connectOperator(), log)
  }

  private constructor(cluster: TestCluster, operatorSide: Connection, log: WriteLog) {
    this.#cluster = cluster
    this.#operatorSide = operatorSide
    this.#log = log
  }

  /** A person in a namespace of their own, where an operator runs the role. */
  async play(role: string): Promise<Stage> {
    const namespace = await this.#cluster.newNamespace('own')
    const driver = httpDriver(this.#cluster.connection.client, namespace)
    await this.run(role, namespace)
    const { connection, kubectl, kubeconfig } = this.#cluster
    return { driver, namespace, client: connection.client, kubeconfig, ...(kubectl !== undefined && { kubectl }) }
  }

  /** Takes the place of the operator that runs, if one does. `around` changes its client. */
  async run(
    role: string,
    namespace: string,
    around: (client: KubeClient) => KubeClient = (client) => client,
  ): Promise<void> {
    await this.halt()
    const project = await projectOf(role)
    await this.#grant(project)
    this.#project = project
    const options = { watchNamespaces: [namespace], client: around(this.#operatorSide.client) }
    this.#running = startOperator({ connection: this.#operatorSide }, project, options)
  }

  /** What a role would do for the resources of a namespace, while no operator runs. */
  async foresee(role: string, namespace: string): Promise<WhatIfResult> {
    const project = await projectOf(role)
    await this.#grant(project)
    const { signal } = new AbortController()
    const operatorNamespace = this.#operatorSide.namespace ?? 'default'
    const options = { logger: nopLogger, operatorNamespace, only: { namespace }, signal }
    for (;;) {
      const result = await whatIf(project, { connection: this.#operatorSide, ...options })
      // A server learns of new rights in its own time.
      if (!result.resources.some(({ report }) => report?.ready?.reason === 'Forbidden')) return result
    }
  }

  /** Another version of the role, while the operator runs. The rights of the former stay, until what it made is gone. */
  async reload(role: string): Promise<void> {
    const project = await projectOf(role)
    await this.#grant(...(this.#project ? [this.#project] : []), project)
    this.#project = project
    this.#running?.operator.replaceProject(project)
  }

  /**
   * Waits until the operator has nothing to do. Returns what it wrote since the last call, by resource. What is refused does
   * not count: a server learns of new rights in its own time.
   */
  async settled(): Promise<Record<string, number>> {
    await this.#running?.operator.idle()
    const done = this.#log.writes.splice(0).filter(({ status }) => status < 400)
    const counts = Map.groupBy(done, ({ resource }) => resource)
    return Object.fromEntries([...counts].map(([resource, { length }]) => [resource, length]))
  }

  async halt(): Promise<void> {
    await this.#running?.stop()
    this.#running = undefined
  }

  async stop(): Promise<void> {
    await this.halt()
    await this.#cluster.stop()
  }

  async #grant(...projects: readonly Project[]): Promise<void> {
    const { client } = this.#cluster.connection
    await grantOperator(client, { name: 'rolebook-scenario', rules: projects.flatMap(rulesFor) })
  }
}

export interface Stage {
  readonly driver: ClusterDriver
  readonly namespace: string
  readonly client: Connection['client']
  /** Of a person. */
  readonly kubeconfig: string
  /** The path of a kubectl that fits the server, where one came with it. */
  readonly kubectl?: string
}

/** Those in the namespace of the operator are in deploy/rbac.yaml. */
function rulesFor(project: Project): readonly JsonObject[] {
  const names = offlineKindNames(project.crds as readonly object[] as [], loadBuiltinSchemas())
  const needed = neededRights(project, { names, namespace: 'rolebook-system' })
  return rulesOf(needed.filter(({ namespace }) => namespace === undefined)).map((rule) => ({ ...rule }))
}

/** A resource of the kind. */
export function thing(name: string, spec: KubeObject['spec'] = {}): KubeObject {
  return { apiVersion: apiVersionOf(THING), kind: THING.kind, metadata: { name }, spec }
}

async function projectOf(role: string): Promise<Project> {
  const folder = await ProjectFolder.create({
    'watches.yaml': WATCHES,
    'roles/thing/role.yaml': role,
    'roles/thing/crd.yaml': printYaml([crd(THING)]),
  })
  try {
    return await projectAt(folder.options)
  } catch (error) {
    throw new Error(`the role of ${formatGroupKind(THING)} is wrong`, { cause: error })
  } finally {
    await folder.delete()
  }
}
