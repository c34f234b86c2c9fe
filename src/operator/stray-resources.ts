import { isForbidden, isNotFound } from '../kube/api-error.ts'
import type { KubeClient } from '../kube/client.ts'
import { hasFinalizer } from '../kube/finalizer.ts'
import type { GroupKind } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
import type { ResourceMapper } from '../kube/resource-mapper.ts'
import type { Ledger } from '../reconcile/ledger.ts'
import { listLive } from '../reconcile/list-live.ts'
import { ownKindsOf, uniqueKinds } from '../reconcile/managed-objects.ts'
import { FINALIZER } from '../reconcile/marks.ts'
import type { ObjectCaches } from '../reconcile/object-caches.ts'
import { type TouchedKind, touchedKinds } from '../reconcile/touched-kinds.ts'
import { namespacesOf } from './watch-sources.ts'
import { isSelected, type WatchSource } from './watched-informers.ts'

export interface StrayTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly ledger: Ledger
  readonly caches: ObjectCaches
}

/**
 * Resources that no entry selects and that have something of ours all the same: they left the selector while the operator
 * was down, or the selector left them. Looked for once, at start, and only for kinds with a selector.
 */
export async function findStrays(
  kind: GroupKind,
  sources: readonly WatchSource[],
  tools: StrayTools & { readonly signal: AbortSignal },
): Promise<readonly KubeObject[]> {
  const { signal } = tools
  const [first] = sources
  if (!first || sources.every(({ selector }) => selector === undefined)) return []
  const all = await listLive(tools.client, first.entry.gvk, { namespaces: namespacesOf(sources), signal })
  const unselected = all.filter((resource) => !sources.some((source) => isSelected(resource, source)))
  const kinds = await childKinds(kind, sources, tools)
  const strays: KubeObject[] = []
  for (const resource of unselected) {
    if (hasFinalizer(resource, FINALIZER) || (await hasChildren(resource, kinds, tools))) strays.push(resource)
  }
  return strays
}

async function childKinds(
  kind: GroupKind,
  sources: readonly WatchSource[],
  { ledger, mapper, signal }: Pick<Parameters<typeof findStrays>[2], 'ledger' | 'mapper' | 'signal'>,
): Promise<readonly TouchedKind[]> {
  const present = uniqueKinds(sources.flatMap(({ entry }) => ownKindsOf(entry.role)))
  const kinds = await touchedKinds(present, (await ledger.entryFor(kind, signal)).own, mapper)
  return kinds.toReversed()
}

/** Of a kind that is not served there are none; one that no role makes any more need not be readable. */
async function hasChildren(
  { metadata: { uid = '' } }: KubeObject,
  kinds: readonly TouchedKind[],
  { caches }: StrayTools,
): Promise<boolean> {
  for (const { gvk, isFormer } of kinds) {
    try {
      if ((await caches.children(gvk, uid)).length > 0) return true
    } catch (error) {
      if (!(isNotFound(error) || (isFormer && isForbidden(error)))) throw error
    }
  }
  return false
}
