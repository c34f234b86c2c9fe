import { isNotFound } from '../../../core/kube/api-error.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'

export interface ReadOptions {
  readonly connection: Pick<Connection, 'client' | 'mapper'>
  readonly namespaces: Iterable<string>
  readonly signal?: AbortSignal | undefined
}

/** All objects of a kind in these namespaces, or in the cluster if they are in none. A kind that is not served has none. */
export async function readObjects(
  gvk: Gvk,
  { connection, namespaces, signal }: ReadOptions,
): Promise<readonly KubeObject[]> {
  const { client, mapper } = connection
  try {
    const { namespaced } = await mapper.mappingFor(gvk)
    const places = namespaced ? [...namespaces] : ['']
    const pages = await Promise.all(places.map((namespace) => client.list(gvk, { namespace, signal })))
    return pages.flatMap(({ items }) => items)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}
