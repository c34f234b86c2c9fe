import type { GroupKind, Gvk } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../core/kube/object.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import { ownNamespace } from './cluster-options.ts'
import { type Invocation, UsageError } from './command.ts'
import { findKind, splitResource } from './kind-argument.ts'
import { findOperatorNamespace } from './operator-namespace.ts'

/** A resource of the cluster that a person names, and the operator that looks after it. */
export interface LocatedResource {
  readonly kind: GroupKind
  readonly gvk: Gvk
  readonly key: ObjectKey
  readonly operatorNamespace: string
  /** Reads it as it is now. */
  read(): Promise<KubeObject>
}

/** Kind and name of the arguments. @throws UsageError */
export function namedResource({ files }: Pick<Invocation, 'files'>): { readonly kind: string; readonly name: string } {
  const { kind, name } = splitResource(files)
  if (kind === undefined || !name) throw new UsageError('a name is missing: `memcached sample` or `memcached/sample`')
  return { kind, name }
}

/** @throws UsageError for a kind that the server does not have */
export async function locateResource(
  { kind, name }: { readonly kind: string; readonly name: string },
  { text }: Pick<Invocation, 'text'>,
  connection: Connection,
): Promise<LocatedResource> {
  const { client, mapper, namespace: ofContext } = connection
  const found = await findKind(kind, connection)
  const gvk = await mapper.preferred(found)
  if (!gvk) throw new UsageError(`the server does not serve ${found.kind}.${found.group}`)
  const { namespaced } = await mapper.mappingFor(gvk)
  const key = { namespace: namespaced ? (text('namespace') ?? ownNamespace(connection)) : '', name }
  const operatorNamespace = await findOperatorNamespace(client, { given: text('operator-namespace'), ofContext })
  return { kind: found, gvk, key, operatorNamespace, read: () => readResource(connection, gvk, key) }
}

async function readResource({ client }: Connection, gvk: Gvk, key: ObjectKey): Promise<KubeObject> {
  const resource = await client.get(gvk, key)
  if (!resource) throw new Error(`there is no ${gvk.kind} ${formatKey(key)}`)
  return resource
}
