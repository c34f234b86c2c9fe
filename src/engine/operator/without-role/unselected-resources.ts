import { isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { hasFinalizer } from '../../../core/kube/finalizer.ts'
import type { GroupKind } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { ObjectCaches } from '../../reconcile/object-caches.ts'
import type { Ledger } from '../../reconcile/ownership/ledger.ts'
import { FINALIZER, OWNER_UID_LABEL } from '../../reconcile/ownership/marks.ts'
import { type WrittenKind, writtenKinds } from '../../reconcile/ownership/written-kinds.ts'
import { listLive } from '../../reconcile/prune/list-live.ts'
import { ownKindsOf, uniqueKinds } from '../../reconcile/prune/managed-objects.ts'
import { namespacesOf } from '../watching/watch-sources.ts'
import { isSelected, type WatchSource } from '../watching/watched-informers.ts'

export interface UnselectedTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly ledger: Pick<Ledger, 'entryFor'>
  readonly caches: Pick<ObjectCaches, 'children'>
  readonly signal: AbortSignal
}

export interface Unselected {
  readonly unselected: readonly KubeObject[]
  /** Set when the operator may not look where only former entries looked: there may be more. */
  readonly forbidden?: Error | undefined
}

/**
 * Finds resources that no entry selects although they have our finalizer or children: either their labels or the entries have changed.
 *
 * It runs once, at start. In the namespaces of the present entries it looks only if some entry has a selector. It also looks where only
 * former entries looked.
 */
export async function findUnselected(
  kind: GroupKind,
  { sources, former }: { readonly sources: readonly WatchSource[]; readonly former: readonly WatchSource[] },
  tools: UnselectedTools,
): Promise<Unselected> {
  const kinds = await childKinds(kind, sources, tools)
  const owns = (uid: string): Promise<boolean> => isAny(kinds, async (gvk) => tools.caches.children(gvk, uid))
  const hasSelector = sources.some(({ selector }) => selector !== undefined)
  const near = hasSelector ? await unselectedIn(namespacesOf(sources), sources, { sources, tools }) : []
  const unselected = await filtered(near, ({ metadata: { uid = '' } }) => owns(uid))
  const places = placesLeft(former, sources)
  try {
    const far = places?.length === 0 ? [] : await unselectedIn(places, former, { sources, tools })
    const known = new Set(unselected.map(({ metadata: { uid } }) => uid))
    const found = await filtered(far, livingChildren(kinds, places, tools))
    return { unselected: [...unselected, ...found.filter(({ metadata: { uid } }) => !known.has(uid))] }
  } catch (error) {
    if (!(error instanceof Error && isForbidden(error))) throw error
    return { unselected, forbidden: error }
  }
}

/** The namespaces in which only former entries looked; `undefined` is all. */
function placesLeft(former: readonly WatchSource[], sources: readonly WatchSource[]): readonly string[] | undefined {
  const [before, now] = [namespacesOf(former), namespacesOf(sources)]
  if (now === undefined) return []
  return before?.filter((namespace) => !now.includes(namespace))
}

async function unselectedIn(
  namespaces: readonly string[] | undefined,
  [first]: readonly WatchSource[],
  { sources, tools: { client, signal } }: { readonly sources: readonly WatchSource[]; readonly tools: UnselectedTools },
): Promise<readonly KubeObject[]> {
  const all = first ? await listLive(client, first.entry.gvk, { namespaces, signal }) : []
  return all.filter((resource) => !sources.some((source) => isSelected(resource, source)))
}

async function filtered(
  resources: readonly KubeObject[],
  hasChildren: (resource: KubeObject) => Promise<boolean>,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = []
  for (const resource of resources) {
    if (hasFinalizer(resource, FINALIZER) || (await hasChildren(resource))) found.push(resource)
  }
  return found
}

async function childKinds(
  kind: GroupKind,
  sources: readonly WatchSource[],
  { ledger, mapper, signal }: UnselectedTools,
): Promise<readonly WrittenKind[]> {
  const present = uniqueKinds(sources.flatMap(({ entry }) => ownKindsOf(entry.role)))
  const kinds = await writtenKinds(present, (await ledger.entryFor(kind, signal)).own, mapper)
  // A kind without an entry has former children only: one that may not be read leaves it in doubt whether there are any.
  const isRemoved = sources.length === 0
  return kinds.toReversed().map((one) => (isRemoved ? { ...one, isFormer: false } : one))
}

/**
 * Tells whether a resource has children on the server: no cache watches where no entry does. A resource without our finalizer has no children
 * outside of its namespace.
 */
function livingChildren(
  kinds: readonly WrittenKind[],
  places: readonly string[] | undefined,
  { client, signal }: UnselectedTools,
): (resource: KubeObject) => Promise<boolean> {
  const lists = new Map<string, Promise<readonly KubeObject[]>>()
  return ({ metadata: { uid, namespace } }) =>
    isAny(kinds, async (gvk) => {
      const place = places === undefined ? undefined : namespace
      const id = JSON.stringify([gvk, place])
      const namespaces = place === undefined ? undefined : [place]
      const list = lists.get(id) ?? listLive(client, gvk, { namespaces, labelSelector: OWNER_UID_LABEL, signal })
      lists.set(id, list)
      return (await list).filter(({ metadata: { labels } }) => labels?.[OWNER_UID_LABEL] === uid)
    })
}

/** Whether there are children of one of the kinds. A kind that is not served has none, and a former kind may be forbidden. */
async function isAny(
  kinds: readonly WrittenKind[],
  childrenOf: (gvk: WrittenKind['gvk']) => Promise<readonly KubeObject[]>,
): Promise<boolean> {
  for (const { gvk, isFormer } of kinds) {
    try {
      if ((await childrenOf(gvk)).length > 0) return true
    } catch (error) {
      if (!(isNotFound(error) || (isFormer && isForbidden(error)))) throw error
    }
  }
  return false
}
