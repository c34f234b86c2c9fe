import { hashJson } from '../../../core/base/hash.ts'
import { formatGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { WatchEntry } from '../../reconcile/watch-entry.ts'
import type { Project, Reaching, WatchedRole } from '../project.ts'
import type { WatchSource } from './watched-informers.ts'

/** The watch entries of a project by group and kind. The entries of one kind share a controller. */
export function sourcesByKind(
  project: Project,
  watchNamespaces: readonly string[] | undefined,
): ReadonlyMap<string, readonly WatchSource[]> {
  const byKind = Map.groupBy(project.watches, ({ watch }) => formatGroupKind(watch.gvk))
  return new Map([...byKind].map(([kind, watched]) => [kind, sourcesOf(watched, watchNamespaces)]))
}

function sourcesOf(
  watched: readonly WatchedRole[],
  watchNamespaces: readonly string[] | undefined,
): readonly WatchSource[] {
  const allowedToKind = watched.map(({ watch }) => watch.allowedNamespaces)
  return watched.map((one) => sourceOf(one, allowedToKind, watchNamespaces))
}

function sourceOf(
  { watch, role }: WatchedRole,
  allowedToKind: WatchEntry['allowedToKind'],
  watchNamespaces: readonly string[] | undefined,
): WatchSource {
  const { gvk, reconcilePeriod, allowedNamespaces, manageStatus, deletion, maxConcurrentReconciles } = watch
  const { read, write } = allowedNamespaces
  const hash = hashJson([role.hash, { read, write }, manageStatus, { ...deletion }])
  return {
    entry: { gvk, role, hash, reconcilePeriod, allowedNamespaces, allowedToKind, manageStatus, deletion },
    selector: watch.selector,
    namespaces: watch.namespaces ?? watchNamespaces,
    maxConcurrent: maxConcurrentReconciles,
    watchDependentResources: watch.watchDependentResources,
  }
}

/** Equal for sources that watch the same objects in the same way, no matter which roles they have. */
export function settingsKey(sources: readonly WatchSource[]): string {
  return hashJson(
    sources.map(({ entry, selector, namespaces, maxConcurrent, watchDependentResources }) => ({
      gvk: entry.gvk,
      reconcilePeriod: entry.reconcilePeriod,
      allowedNamespaces: { ...entry.allowedNamespaces },
      selector,
      namespaces,
      maxConcurrent,
      watchDependentResources,
    })),
  )
}

/** The namespaces that the entries watch together; `undefined` is all. */
export function namespacesOf(sources: readonly WatchSource[]): readonly string[] | undefined {
  const places = sources.map(({ namespaces }) => namespaces)
  return places.every((place) => place !== undefined) ? [...new Set(places.flat())] : undefined
}

/** The kinds that the roles of entries write and read. */
export function kindsOf(sources: readonly WatchSource[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ entry }) => entry.role.permissions.map(({ gvk }) => formatGroupKind(gvk))))
}

/** The namespaces that an entry and its role may read. */
export function placeOf({ namespaces, entry: { allowedNamespaces } }: WatchSource): Reaching {
  return { namespaces, allowedNamespaces }
}
