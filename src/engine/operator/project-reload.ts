import type { KubeObject } from '../../core/kube/object.ts'
import type { RunReport } from '../reconcile/trace/run-trace.ts'
import { type Reconciler, type Request, requestKey } from '../runtime/reconciler.ts'
import { isSelected, settingsKey, type WatchedInformers, type WatchSource } from './watching/watched-informers.ts'
import { lossOf, NEW_SELECTORS, teardownRefusal } from './without-role/resources-without-role.ts'

/** What happens to each kind when a project replaces another. Kinds without a change are not listed. */
export interface ReloadPlan {
  /** Kinds that no entry names any more. */
  readonly stop: readonly string[]
  readonly start: SourcesByKind
  /** Kinds whose roles or order of entries have changed. Their watches go on. */
  readonly update: SourcesByKind
  /** Kinds whose watches have changed. */
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

/** Why a project is refused because it would tear down what exists; `undefined` if it may be used. */
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
    // Removing an entry of resources that have nothing of ours tears nothing down. New selectors are refused even so, since they affect more than one expects.
    return lost.filter(({ resource, by }) => by === NEW_SELECTORS || hasOurs(resource))
  })
  return losses.length === 0 ? undefined : teardownRefusal(losses)
}

/** Follows a reload to its end: all runs that began before it have ended, and all resources that it concerns have run since. */
export class ReloadProgress {
  readonly #onEnd: () => void
  readonly #running = new Set<string>()
  /** The running requests whose run began before the last reload. */
  readonly #former = new Set<string>()
  readonly #awaited = new Set<string>()
  #isOver = true

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Begins to follow a reload that concerns these requests. */
  begin(concerned: readonly Request[]): void {
    this.#isOver = false
    for (const key of this.#running) this.#former.add(key)
    for (const request of concerned) this.#awaited.add(requestKey(request))
    this.#endIfOver()
  }

  /** Wraps a reconciler, so that its runs are counted. */
  observing(reconciler: Reconciler): Reconciler {
    return {
      timedOut: async (run, signal) => reconciler.timedOut?.(run, signal),
      reconcile: async (request, signal, turn) => {
        const key = requestKey(request)
        this.#running.add(key)
        try {
          return await reconciler.reconcile(request, signal, turn)
        } finally {
          this.#running.delete(key)
          this.#former.delete(key)
          this.#endIfOver()
        }
      },
    }
  }

  /** Notes that a run has ended with a result. A run without one is tried again. */
  observe({ request }: RunReport): void {
    const key = requestKey(request)
    if (!this.#former.has(key)) this.#awaited.delete(key)
  }

  #endIfOver(): void {
    if (this.#isOver || this.#former.size > 0 || this.#awaited.size > 0) return
    this.#isOver = true
    this.#onEnd()
  }
}
