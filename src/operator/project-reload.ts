import { hasFinalizer } from '../kube/finalizer.ts'
import { formatObject, type KubeObject } from '../kube/object.ts'
import { FINALIZER } from '../reconcile/marks.ts'
import type { ControllerForKind } from './controller-for-kind.ts'
import { teardownRefusal } from './teardown-refusal.ts'
import { settingsKey } from './watch-sources.ts'
import { isSelected, type WatchedInformers, type WatchSource } from './watched-informers.ts'

/** What becomes of each kind when one project takes the place of another. Kinds that stay as they are do not occur. */
export interface ReloadPlan {
  readonly stop: readonly string[]
  readonly start: SourcesByKind
  /** The roles have changed, or the entries' order: the watches go on. */
  readonly update: SourcesByKind
  /** The watches themselves have changed. */
  readonly restart: SourcesByKind
}

export type SourcesByKind = ReadonlyMap<string, readonly WatchSource[]>

export function planReload(present: SourcesByKind, next: SourcesByKind): ReloadPlan {
  const changes = Map.groupBy(next, ([kind, sources]) => changeOf(present.get(kind), sources))
  return {
    stop: [...present.keys()].filter((kind) => !next.has(kind)),
    start: new Map(changes.get('start')),
    update: new Map(changes.get('update')),
    restart: new Map(changes.get('restart')),
  }
}

function changeOf(
  present: readonly WatchSource[] | undefined,
  next: readonly WatchSource[],
): 'start' | 'update' | 'restart' | 'none' {
  if (!present) return 'start'
  if (settingsKey(present) !== settingsKey(next)) return 'restart'
  return hashesOf(present) === hashesOf(next) ? 'none' : 'update'
}

function hashesOf(sources: readonly WatchSource[]): string {
  return sources.map(({ entry }) => entry.hash).join()
}

/** Why a project must not take over that would tear down what exists; `undefined` when it may. */
export function refusalToTearDown(
  next: SourcesByKind,
  watchedOf: (kind: string) => WatchedInformers | undefined,
): string | undefined {
  const left = [...next].flatMap(([kind, sources]) => {
    const watched = watchedOf(kind)
    return watched ? tornDownBy(watched, sources) : []
  })
  return left.length === 0 ? undefined : teardownRefusal(left)
}

/** Resources that the present entries select and the next ones do not: their children would go. */
function tornDownBy(watched: WatchedInformers, next: readonly WatchSource[]): readonly KubeObject[] {
  const left = [...watched.resources()].filter(
    ({ resource, source }) =>
      isSelected(resource, source) && !next.some((one) => isSelected(resource, { ...one, namespaces: undefined })),
  )
  return left.map(({ resource }) => resource)
}

/** Resources that still hold our finalizer when nobody looks after them any more: where none of `next` looks. */
export function strandedBy(controller: ControllerForKind, next: readonly WatchSource[]): readonly string[] {
  return [...controller.resources.resources()]
    .filter(({ resource }) => hasFinalizer(resource, FINALIZER) && !isInside(resource, next))
    .map(({ resource }) => formatObject(resource))
}

/** What is cluster-scoped is in no namespace, so none that is given confines it. */
function isInside({ metadata: { namespace } }: KubeObject, sources: readonly WatchSource[]): boolean {
  return sources.some(({ namespaces }) => !namespaces || !namespace || namespaces.includes(namespace))
}
