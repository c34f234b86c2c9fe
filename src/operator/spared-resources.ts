import { hasFinalizer, isTerminating } from '../kube/finalizer.ts'
import { formatGroupKind } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
import type { Ledger } from '../reconcile/ledger.ts'
import { FINALIZER } from '../reconcile/marks.ts'
import type { FoundResource } from '../reconcile/watch-entry.ts'
import { formerEntriesOf } from './former-sources.ts'
import { lossOf, teardownRefusal } from './teardown-refusal.ts'
import { isSelected, WatchedInformers, type WatchedInformersOptions, type WatchSource } from './watched-informers.ts'

export interface SparedResourcesOptions extends WatchedInformersOptions {
  readonly ledger: Pick<Ledger, 'keepEntries'>
  /** Whether none is to be spared. Defaults to false. */
  readonly allowTeardown?: boolean | undefined
  /** Told why some are spared. */
  readonly onSpared?: ((reason: string) => void) | undefined
  /** Told of those that somebody deletes and that wait for us, and of nothing else. */
  readonly onEvent: WatchedInformersOptions['onEvent']
}

/** Where a kind is looked for now, and where it was. */
export interface Reach {
  readonly sources: readonly WatchSource[]
  readonly former: readonly WatchSource[]
}

/**
 * Resources that no entry selects any more because the entries have changed: while a teardown is not allowed, what was made
 * for them stays as it is. The ledger knows which entries were worked with before.
 *
 * They are watched by these for one thing alone: a resource that is deleted must not wait for our finalizer.
 */
export class SparedResources {
  readonly #options: SparedResourcesOptions
  readonly #watched: WatchedInformers
  /** By uid, as little of each as says where it is. */
  readonly #spared = new Map<string | undefined, KubeObject>()
  /** Uids of the unselected resources that were judged. */
  readonly #known = new Set<string | undefined>()
  #sources: readonly WatchSource[] = []

  constructor(options: SparedResourcesOptions) {
    this.#options = options
    const onEvent: typeof options.onEvent = (source, event) => {
      if (this.#isSpared(event.object) && isLeaving(event.object)) options.onEvent(source, event)
    }
    this.#watched = new WatchedInformers({ ...options, onEvent })
  }

  /**
   * The unselected resources that need a run, each once: those that are torn down, because they left by themselves or a teardown is
   * allowed, and those that have lost their role from now on, because their status must say so.
   */
  sift(unselected: readonly KubeObject[], { sources, former }: Reach): readonly KubeObject[] {
    const { kind, allowTeardown = false } = this.#options
    const news = unselected.filter(({ metadata: { uid } }) => !this.#known.has(uid))
    for (const { metadata } of news) this.#known.add(metadata.uid)
    const spared = allowTeardown ? [] : news.filter((resource) => isTaken(resource, former))
    if (spared.length > 0) this.#spare(spared, { sources, former })
    const losses = spared.flatMap((resource) => lossOf(resource, formatGroupKind(kind), sources) ?? [])
    if (losses.length > 0) this.#options.onSpared?.(teardownRefusal(losses))
    return news
  }

  /** Former entries are forgotten once nothing is spared for their sake. */
  async forgetFormer(sources: readonly WatchSource[], signal: AbortSignal): Promise<void> {
    if (this.#spared.size > 0) return
    await this.#options.ledger.keepEntries(this.#options.kind, formerEntriesOf(sources), signal)
  }

  /** What a resource is that no entry selects. One that somebody deletes is finished like one that left. */
  judge(found: FoundResource): FoundResource {
    if (found.kind !== 'left' || !this.#isSpared(found.resource) || isLeaving(found.resource)) return found
    return { ...found, kind: 'spared' }
  }

  /** How many there are still that no entry selects again. */
  get count(): number {
    const uids = [...this.#watched.resources()].flatMap(({ resource }) => {
      const isLost = this.#isSpared(resource) && !this.#sources.some((source) => isSelected(resource, source))
      return isLost ? [resource.metadata.uid] : []
    })
    return new Set(uids).size
  }

  stop(): void {
    this.#watched.stop()
  }

  #spare(spared: readonly KubeObject[], { sources, former }: Reach): void {
    for (const { metadata, ...type } of spared) {
      const { uid, name, namespace, labels } = metadata
      this.#spared.set(uid, { ...type, metadata: { uid, name, namespace, labels } })
    }
    this.#sources = sources
    const all = [...this.#spared.values()]
    this.#watched.follow(former.flatMap((source) => narrowed(source, all)))
  }

  #isSpared({ metadata: { uid } }: KubeObject): boolean {
    return this.#spared.has(uid)
  }
}

/** A change of the entries took its role from it, and it stays. */
export function isTaken(resource: KubeObject, former: readonly WatchSource[]): boolean {
  return !isLeaving(resource) && former.some((source) => isSelected(resource, source))
}

/** Somebody deletes it, and it waits for us. */
function isLeaving(resource: KubeObject): boolean {
  return isTerminating(resource) && hasFinalizer(resource, FINALIZER)
}

/** The source, where it has some of these: elsewhere the operator need not be allowed to look. */
function narrowed(source: WatchSource, resources: readonly KubeObject[]): readonly WatchSource[] {
  const reached = resources.filter((resource) => isSelected(resource, source))
  if (reached.length === 0) return []
  const places = new Set(reached.map(({ metadata: { namespace } }) => namespace ?? ''))
  return [{ ...source, ...(source.namespaces && { namespaces: [...places] }) }]
}
