import type { KubeClient } from '../kube/client.ts'
import { hasFinalizer } from '../kube/finalizer.ts'
import { formatGroupKind, type GroupKind, type Gvk } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
import type { ResourceMapper } from '../kube/resource-mapper.ts'
import type { Ledger } from '../reconcile/ledger.ts'
import { listLive } from '../reconcile/list-live.ts'
import { ownKindsOf } from '../reconcile/managed-objects.ts'
import { FINALIZER } from '../reconcile/marks.ts'
import type { ObjectCaches } from '../reconcile/object-caches.ts'
import { isSelected, type WatchSource } from './watched-informers.ts'

export interface StrayTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly ledger: Ledger
  readonly caches: ObjectCaches
}

/**
 * Resources that no entry selects and that have something of ours all the same: they left the selector while the operator
 * was down. Looked for once, at start, and only for kinds with a selector.
 */
export async function findStrays(
  kind: GroupKind,
  sources: readonly WatchSource[],
  tools: StrayTools & { readonly signal: AbortSignal },
): Promise<readonly KubeObject[]> {
  const { signal } = tools
  const [first] = sources
  if (!first || sources.every(({ selector }) => selector === undefined)) return []
  const places = sources.map((source) => source.namespaces)
  const namespaces = places.every((place) => place !== undefined) ? [...new Set(places.flat())] : undefined
  const all = await listLive(tools.client, first.entry.gvk, { namespaces, signal })
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
): Promise<readonly Gvk[]> {
  const present = sources.flatMap(({ entry }) => ownKindsOf(entry.role))
  const kinds = new Map(present.map((gvk) => [formatGroupKind(gvk), gvk]))
  for (const former of (await ledger.entryFor(kind, signal)).own) {
    const gvk = kinds.has(formatGroupKind(former)) ? undefined : await mapper.preferred(former)
    if (gvk) kinds.set(formatGroupKind(former), gvk)
  }
  return [...kinds.values()]
}

async function hasChildren(
  { metadata: { uid = '' } }: KubeObject,
  kinds: readonly Gvk[],
  { caches }: StrayTools,
): Promise<boolean> {
  for (const gvk of kinds) {
    if ((await caches.children(gvk, uid)).length > 0) return true
  }
  return false
}
