import { hasFinalizer } from '../kube/finalizer.ts'
import { formatKey, keyOf } from '../kube/object.ts'
import { FINALIZER } from '../reconcile/marks.ts'
import type { ControllerForKind } from './controller-for-kind.ts'
import { settingsKey } from './watch-sources.ts'
import { isSelected, type WatchSource } from './watched-informers.ts'

/** What becomes of each kind when one project takes the place of another. Kinds that stay as they are do not occur. */
export interface ReloadPlan {
  readonly start: readonly string[]
  readonly stop: readonly string[]
  /** The roles have changed, or the entries' order: the watches go on. */
  readonly update: readonly string[]
  /** The watches themselves have changed. */
  readonly restart: readonly string[]
}

export type SourcesByKind = ReadonlyMap<string, readonly WatchSource[]>

export function planReload(present: SourcesByKind, next: SourcesByKind): ReloadPlan {
  const changed = [...next.keys()].filter(
    (kind) => present.has(kind) && hashesOf(present, kind) !== hashesOf(next, kind),
  )
  const isRestart = (kind: string): boolean =>
    settingsKey(present.get(kind) ?? []) !== settingsKey(next.get(kind) ?? [])
  return {
    start: [...next.keys()].filter((kind) => !present.has(kind)),
    stop: [...present.keys()].filter((kind) => !next.has(kind)),
    update: changed.filter((kind) => !isRestart(kind)),
    restart: changed.filter(isRestart),
  }
}

function hashesOf(sources: SourcesByKind, kind: string): string {
  const entries = sources.get(kind) ?? []
  return [settingsKey(entries), ...entries.map(({ entry }) => entry.hash)].join()
}

/** Resources that the present entries select and the next ones do not: their children would go. */
export function tornDownBy(controller: ControllerForKind, next: readonly WatchSource[]): readonly string[] {
  const left = [...controller.resources.resources()].filter(
    ({ resource, source }) =>
      isSelected(resource, source) && !next.some((one) => isSelected(resource, { ...one, namespaces: undefined })),
  )
  return left.map(({ resource }) => `${resource.kind} ${formatKey(keyOf(resource))}`)
}

/** Resources that still hold our finalizer when nobody looks after them any more. */
export function strandedBy(controller: ControllerForKind): readonly string[] {
  return [...controller.resources.resources()]
    .filter(({ resource }) => hasFinalizer(resource, FINALIZER))
    .map(({ resource }) => `${resource.kind} ${formatKey(keyOf(resource))}`)
}
