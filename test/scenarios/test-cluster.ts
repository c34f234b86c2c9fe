import { join } from 'node:path'
import { env } from 'node:process'
import type { Context } from 'mocha'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import type { Intercept } from '../../src/sandbox/apiserver/http/request-handler.ts'
import { writeKubeconfig } from '../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../src/sandbox/cluster/sandbox-cluster.ts'
import { installOperatorAccount } from '../cluster/operator-account.ts'
import { sharedControlPlane } from '../cluster/shared-control-plane.ts'
import { AUDITED_NAMESPACE } from '../control-plane/audit-log.ts'
import { installCrd } from '../support/install-crd.ts'
import { InterceptingProxy } from '../support/intercepting-proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { httpDriver } from './http-driver.ts'
import { there } from './objects.ts'

/** The API server that scenarios run on, with the CRDs of a project. */
export interface TestCluster {
  /** Of a person, who may do everything. */
  readonly connection: Connection
  /** The path of a person's kubeconfig. */
  readonly kubeconfig: string
  /** The path of the operator's kubeconfig: on a real server, with the rights of `deploy/rbac.yaml` and no more. */
  readonly operatorKubeconfig: string
  /** The path of a kubectl that fits the server, where one came with it. */
  readonly kubectl?: string
  /** A connection of an operator in this process; it ends with the cluster. */
  connectOperator(): Promise<Connection>
  /** A new namespace for one test, in which Pods can be made. */
  newNamespace(prefix: string): Promise<string>
  /**
   * Removes the custom resources of the tests so far. A later operator of the same installation would find that they have lost
   * their role, and say so in their status.
   */
  clear(): Promise<void>
  stop(): Promise<void>
}

export interface TestClusterOptions {
  /** Sees what the operator asks. */
  readonly intercept?: Intercept
}

/** As `connectOperator` and `rolebook run` say who asks. */
export const OPERATOR_AGENT = /^rolebook(-operator|.*\(run)/

export type Access = Pick<TestCluster, 'kubeconfig' | 'operatorKubeconfig' | 'kubectl' | 'stop'>

/**
 * Chosen by the environment: `ROLEBOOK_TEST_KUBECONFIG` (and `ROLEBOOK_TEST_OPERATOR_KUBECONFIG`) name a cluster;
 * `ROLEBOOK_TEST_SERVER=control-plane` asks for the one that the cluster suites share; without either, it is a sandbox.
 */
export async function startTestCluster(
  context: Context,
  project: Project,
  { intercept }: TestClusterOptions = {},
): Promise<TestCluster> {
  return openTestCluster(await openAccess(context, intercept), project.crds)
}

/** The same for a server that is running already. */
export async function openTestCluster(access: Access, crds: readonly KubeObject[] = []): Promise<TestCluster> {
  const connectAs = (kubeconfig: string, userAgent: string): Promise<Connection> =>
    connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent })
  const connection = await connectAs(access.kubeconfig, 'person')
  const connections = [connection]
  const namespaces: string[] = []
  const clear = async (): Promise<void> => {
    for (const crd of crds) await removeAll(connection.client, storedKindOf(crd), namespaces)
  }
  for (const crd of crds) await installCrd(connection, crd)
  return {
    ...access,
    connection,
    async connectOperator() {
      const operators = await connectAs(access.operatorKubeconfig, 'rolebook-operator')
      connections.push(operators)
      return operators
    },
    async newNamespace(prefix) {
      const name = `${prefix}-${++made}-${Date.now().toString(36)}`
      namespaces.push(name)
      await connection.client.create(namespaceOf(name), { fieldManager: 'test' })
      await httpDriver(connection.client, name).until(SERVICE_ACCOUNT, 'default', there)
      return name
    },
    clear,
    async stop() {
      await clear()
      await forgetInstallation(connection.client)
      // Their end is not awaited: what is left in them disturbs no other suite.
      for (const name of namespaces) await connection.client.delete(NAMESPACE, { namespace: '', name })
      for (const one of connections) await one.close()
      await access.stop()
    },
  }
}

/** The kind that a CRD defines, in the version that the server stores. */
function storedKindOf({ spec }: KubeObject): Gvk {
  const { group, names, versions } = spec as {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[]
  }
  return { group, kind: names.kind, version: versions.find(({ storage }) => storage)?.name ?? '' }
}

/**
 * Deletes the ledger of the operators of a suite. An operator of a later suite would look for what is left of kinds that it does
 * not know, and has no right to.
 */
async function forgetInstallation(client: KubeClient): Promise<void> {
  for (const namespace of ['default', AUDITED_NAMESPACE])
    await client.delete(CONFIG_MAP, { namespace, name: 'rolebook-ledger' })
}

/** Takes off finalizers: the operator may have stopped. */
async function removeAll(client: KubeClient, gvk: Gvk, namespaces: readonly string[]): Promise<void> {
  const { items } = await client.list(gvk)
  for (const { metadata } of items.filter(({ metadata: { namespace = '' } }) => namespaces.includes(namespace))) {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
    if (metadata.finalizers) await client.patch(gvk, key, NO_FINALIZERS, { fieldManager: 'test' })
    await client.delete(gvk, key, { propagationPolicy: 'Background' })
  }
}

const NO_FINALIZERS = { type: 'merge', body: { metadata: { finalizers: null } } } as const
let made = 0
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const SERVICE_ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' }
const namespaceOf = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

/** Whether the scenarios are to run on a real server. */
export const isRealCluster = (env.ROLEBOOK_TEST_KUBECONFIG ?? env.ROLEBOOK_TEST_SERVER) !== undefined

async function openAccess(context: Context, intercept: Intercept | undefined): Promise<Access> {
  if (!isRealCluster) return startSandbox(intercept)
  const access = await realAccess(context)
  if (!intercept) return { ...access, stop: async () => undefined }
  const proxy = await InterceptingProxy.start(access.operatorKubeconfig, intercept)
  return { ...access, operatorKubeconfig: proxy.kubeconfig, stop: () => proxy.stop() }
}

async function realAccess(context: Context): Promise<Omit<Access, 'stop'>> {
  const { ROLEBOOK_TEST_KUBECONFIG: named, ROLEBOOK_TEST_OPERATOR_KUBECONFIG: operators } = env
  if (named !== undefined) return { kubeconfig: named, operatorKubeconfig: operators ?? named }
  const plane = await sharedControlPlane(context)
  const { kubeconfig, kubectl } = plane
  return { kubeconfig, kubectl, operatorKubeconfig: installOperatorAccount(plane) }
}

async function startSandbox(intercept: Intercept | undefined): Promise<Access> {
  const folder = temporaryFolder()
  const sandbox = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, intercept })
  const kubeconfig = join(folder.path, 'kubeconfig')
  writeKubeconfig(kubeconfig, sandbox.access)
  return {
    kubeconfig,
    operatorKubeconfig: kubeconfig,
    async stop() {
      await sandbox.stop()
      folder.remove()
    },
  }
}
