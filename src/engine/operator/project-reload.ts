import type { KubeObject } from '../../core/kube/object.ts'
import { lossOf, NEW_SELECTORS, teardownRefusal } from './teardown-refusal.ts'
import { settingsKey } from './watch-sources.ts'
import { isSelected, type WatchedInformers, type WatchSource } from './watched-informers.ts'

/** What becomes of each kind when one project takes the place of another. Kinds that stay as they are do not occur. */
export interface ReloadPlan {
  /** No entry names them any more. */
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
  present: SourcesByKind,
  next: SourcesByKind,
  {
    watchedOf,
    hasOurs,
  }: { watchedOf(kind: string): WatchedInformers | undefined; hasOurs(resource: KubeObject): boolean },
): string | undefined {
  const losses = [...present.keys()].flatMap((kind) => {
    const watched = [...(watchedOf(kind)?.resources() ?? [])].filter(({ resource, source }) =>
      isSelected(resource, source),
    )
    const lost = watched.flatMap(({ resource }) => lossOf(resource, kind, next.get(kind) ?? []) ?? [])
    // Resources with nothing of ours make a removal no teardown; selectors are refused sooner: they move more than one means.
    return lost.filter(({ resource, by }) => by === NEW_SELECTORS || hasOurs(resource))
  })
  return losses.length === 0 ? undefined : teardownRefusal(losses)
}
