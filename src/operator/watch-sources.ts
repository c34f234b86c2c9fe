import { hashJson } from '../base/hash.ts'
import type { Project, WatchedRole } from '../config/project.ts'
import type { Reaching } from '../config/reach.ts'
import { formatGroupKind } from '../kube/group-version-kind.ts'
import type { WatchSource } from './watched-informers.ts'

/** The watch entries of a project by group and kind: the entries of one kind share a controller. */
export function sourcesByKind(
  project: Project,
  watchNamespaces: readonly string[] | undefined,
): ReadonlyMap<string, readonly WatchSource[]> {
  const byKind = new Map<string, WatchSource[]>()
  for (const watched of project.watches) {
    const name = formatGroupKind(watched.watch.gvk)
    byKind.set(name, [...(byKind.get(name) ?? []), sourceOf(watched, watchNamespaces)])
  }
  return byKind
}

function sourceOf({ watch, role }: WatchedRole, watchNamespaces: readonly string[] | undefined): WatchSource {
  const { gvk, reconcilePeriod, allowedNamespaces, manageStatus, maxConcurrentReconciles } = watch
  const { read, write } = allowedNamespaces
  const hash = hashJson([role.hash, { read, write }, manageStatus])
  return {
    entry: { gvk, role, hash, reconcilePeriod, allowedNamespaces, manageStatus },
    selector: watch.selector,
    namespaces: watch.namespaces ?? watchNamespaces,
    maxConcurrent: maxConcurrentReconciles,
    watchDependentResources: watch.watchDependentResources,
  }
}

/** Equal for sources that watch the same in the same way, whatever their roles. */
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

/** Where the entries look, all together. Absent: everywhere. */
export function namespacesOf(sources: readonly WatchSource[]): readonly string[] | undefined {
  const places = sources.map(({ namespaces }) => namespaces)
  return places.every((place) => place !== undefined) ? [...new Set(places.flat())] : undefined
}

/** The kinds that the roles of entries make, patch and read. */
export function kindsOf(sources: readonly WatchSource[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ entry }) => entry.role.permissions.map(({ gvk }) => formatGroupKind(gvk))))
}

/** Where an entry may look. */
export function placeOf({ namespaces, entry: { allowedNamespaces } }: WatchSource): Reaching {
  return { namespaces, allowedNamespaces }
}
