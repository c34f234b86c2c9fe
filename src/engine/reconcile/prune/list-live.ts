import type { KubeClient } from '../../../core/kube/client.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { NamespaceRules } from '../ownership/namespace-rules.ts'

export interface LiveQuery {
  /** Absent: all. */
  readonly namespaces?: readonly string[] | undefined
  readonly labelSelector?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const PAGE_SIZE = 500

/** Lists the metadata of the objects of a kind from the server, page by page. */
export async function listLive(client: KubeClient, gvk: Gvk, query: LiveQuery): Promise<readonly KubeObject[]> {
  const { namespaces = [undefined], labelSelector, signal } = query
  const found: KubeObject[] = []
  for (const namespace of namespaces) {
    const options = { namespace, labelSelector, signal, metadataOnly: true, limit: PAGE_SIZE }
    let token: string | undefined
    do {
      const page = await client.list(gvk, { ...options, continue: token })
      found.push(...page.items)
      token = page.continue
    } while (token)
  }
  return found
}

/** Lists only those in namespaces where the rules let a role write. */
export async function listWritable(
  { client, mapper }: { readonly client: KubeClient; readonly mapper: Pick<ResourceMapper, 'mappingFor'> },
  gvk: Gvk,
  { rules, ...query }: Omit<LiveQuery, 'namespaces'> & { readonly rules: NamespaceRules },
): Promise<readonly KubeObject[]> {
  const { namespaced } = await mapper.mappingFor(gvk)
  return listLive(client, gvk, { ...query, namespaces: namespaced ? rules.reach('write') : undefined })
}
