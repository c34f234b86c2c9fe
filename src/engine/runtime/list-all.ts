import { CodedError } from '../../core/base/coded-error.ts'
import type { KubeClient, Reader } from '../../core/kube/client.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { InformerSpec } from './informer-spec.ts'

export interface ListAllOptions {
  /** How many objects a page has; absent: all. */
  readonly limit: number | undefined
  readonly signal: AbortSignal
  readonly strip: (object: KubeObject) => KubeObject
}

/** All objects at one version. */
export interface CompleteList {
  readonly objects: ReadonlyMap<string, KubeObject>
  readonly resourceVersion: string
}

/** Reads all pages of a consistent list. The server keeps the version of the first page for all pages, or answers 410. */
export async function listAll(client: Reader, spec: InformerSpec, options: ListAllOptions): Promise<CompleteList> {
  const { gvk, namespace, labelSelector, metadataOnly } = spec
  const { limit, signal, strip } = options
  const objects = new Map<string, KubeObject>()
  let token: string | undefined
  for (;;) {
    const page = await client.list(gvk, { namespace, labelSelector, metadataOnly, limit, signal, continue: token })
    for (const object of page.items) objects.set(formatKey(keyOf(object)), strip(object))
    if (!page.continue) return { objects, resourceVersion: page.resourceVersion }
    if (page.continue === token) throw new CodedError('EndlessList', 'cannot list: the server repeats a page')
    token = page.continue
  }
}

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
