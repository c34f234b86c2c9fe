import type { JsonObject } from '../../src/core/base/json.ts'
import type { Writer } from '../../src/core/kube/client.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

const ACCOUNT = { kind: 'ServiceAccount', name: 'rolebook', namespace: 'rolebook-system' }
const MANAGER = { fieldManager: 'test', force: true }

/** Rules of RBAC under a name: in one namespace, or in all. */
export interface Granted {
  readonly name: string
  readonly namespace?: string | undefined
  readonly rules: readonly JsonObject[]
}

/** Gives the ServiceAccount of the operator rights on top of those in `deploy/rbac.yaml`, in place of what stood under the name. */
export async function grantOperator(client: Pick<Writer, 'apply'>, { name, namespace, rules }: Granted): Promise<void> {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const metadata = { name, ...(namespace !== undefined && { namespace }) }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name }
  const objects: readonly KubeObject[] = [
    { apiVersion, kind, metadata, rules },
    { apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects: [ACCOUNT] },
  ]
  for (const object of objects) await client.apply(object, MANAGER)
}
