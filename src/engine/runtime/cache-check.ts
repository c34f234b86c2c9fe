import type { Reader } from '../../core/kube/client.ts'
import { formatKey, type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { InformerSpec } from './informer-spec.ts'
import type { ObjectCache } from './object-cache.ts'

const PAGE_SIZE = 500

export interface CacheCheckOptions {
  readonly client: Reader
  readonly spec: InformerSpec
  readonly signal: AbortSignal
}

/**
 * The names of the objects in which a cache differs from the server: names, uids and versions are compared. The server is asked for its state at
 * the version of the cache, so changes that are under way make no difference. Only metadata is transferred.
 *
 * The cache must not be in the middle of a new list. Rejects if the server cannot show that version, for example because it has dropped it.
 */
export async function differencesOf(cache: ObjectCache, options: CacheCheckOptions): Promise<readonly string[]> {
  const { client, spec, signal } = options
  const { gvk, namespace, labelSelector } = spec
  const held = new Map([...cache.values()].map((object) => [formatKey(keyOf(object)), object]))
  const query = { namespace, labelSelector, metadataOnly: true, limit: PAGE_SIZE, signal }
  const different: string[] = []
  const at = { resourceVersion: cache.resourceVersion, resourceVersionMatch: 'Exact' } as const
  let page = await client.list(gvk, { ...query, ...at })
  for (;;) {
    for (const object of page.items) {
      const key = formatKey(keyOf(object))
      if (!isSameVersion(held.get(key), object)) different.push(key)
      held.delete(key)
    }
    if (!page.continue) return [...different, ...held.keys()]
    page = await client.list(gvk, { ...query, continue: page.continue })
  }
}

function isSameVersion(held: KubeObject | undefined, { metadata }: KubeObject): boolean {
  return held?.metadata.uid === metadata.uid && held?.metadata.resourceVersion === metadata.resourceVersion
}
