import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import { loadBuiltinSchemas } from '../../src/cli/load-builtin-schemas.ts'
import type { SandboxCluster } from '../../src/cli/sandbox-cluster.ts'
import type { Project } from '../../src/config/project.ts'
import { offlineKindNames } from '../../src/generate/kind-names.ts'
import { neededRights } from '../../src/generate/needed-rights.ts'
import { rbacObjects } from '../../src/generate/rbac.ts'
import type { KubeObject } from '../../src/kube/object.ts'
import { type Connection, connect } from '../../src/kube-client/connect.ts'

const ACCOUNT = { name: 'rolebook', namespace: 'default' }
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }

/** Installs the rights that are computed for a project, and connects as the ServiceAccount that has them and no more. */
export async function connectWithRights(cluster: SandboxCluster, project: Project): Promise<Connection> {
  const { items } = await cluster.connection.client.list(CRD)
  const names = offlineKindNames(items as readonly object[] as [], loadBuiltinSchemas())
  const rights = neededRights(project, { names, namespace: ACCOUNT.namespace })
  for (const object of rbacObjects(rights, ACCOUNT)) await cluster.apply(object as object as KubeObject)
  const server = { url: cluster.access.url, ca: cluster.access.ca, token: await tokenIn(cluster) }
  return connect({ server, clock: systemClock, logger: nopLogger, userAgent: 'rolebook-operator' })
}

async function tokenIn({ access: { url, token } }: SandboxCluster): Promise<string> {
  const { namespace, name } = ACCOUNT
  const answer = await fetch(`${url}/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} }),
  })
  const { status } = (await answer.json()) as { readonly status: { readonly token: string } }
  return status.token
}
