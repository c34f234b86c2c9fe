import { hasFinalizer, isTerminating } from '../kube/finalizer.ts'
import { type LabelSelector, matchesLabels } from '../kube/label-selector.ts'
import type { KubeObject } from '../kube/object.ts'
import type { Ledger } from '../reconcile/ledger.ts'
import { FINALIZER } from '../reconcile/marks.ts'
import { teardownRefusal } from './teardown-refusal.ts'
import { namespacesOf } from './watch-sources.ts'
import { isSelected, WatchedInformers, type WatchedInformersOptions, type WatchSource } from './watched-informers.ts'

export interface SparedResourcesOptions extends WatchedInformersOptions {
  readonly ledger: Pick<Ledger, 'entryFor' | 'record' | 'keepSelectors'>
  /** Whether none is to be spared. Defaults to false. */
  readonly allowTeardown?: boolean | undefined
  /** Told why some are spared. */
  readonly onSpared?: ((reason: string) => void) | undefined
  /** Told of those that somebody deletes and that wait for us, and of nothing else. */
  readonly onEvent: WatchedInformersOptions['onEvent']
}

/**
 * Resources that no entry selects any more because the selectors have changed: while a teardown is not allowed, what was made
 * for them stays as it is. The ledger knows which selectors were worked with before, namespaces left aside.
 *
 * They are watched by these selectors for one thing alone: a resource that is deleted must not wait for our finalizer.
 */
export class SparedResources {
  readonly #options: SparedResourcesOptions
  readonly #watched: WatchedInformers
  #uids: ReadonlySet<string | undefined> = new Set()
  #sources: readonly WatchSource[] = []

  constructor(options: SparedResourcesOptions) {
    this.#options = options
    const onEvent: typeof options.onEvent = (source, event) => {
      if (this.#isSpared(event.object) && isLeaving(event.object)) options.onEvent(source, event)
    }
    this.#watched = new WatchedInformers({ ...options, onEvent })
  }

  /** The selectors of these entries are worked with from now on, also if the process should end now. */
  async begin(sources: readonly WatchSource[], signal: AbortSignal): Promise<void> {
    const { ledger, kind } = this.#options
    await ledger.record(kind, { selectors: selectorsOf(sources) }, signal)
  }

  /**
   * Which of the resources that no entry selects are to be torn down: they left by themselves, or it is allowed. The others
   * are spared from now on. Former selectors are forgotten once nothing is spared for their sake.
   */
  async sift(
    strays: readonly KubeObject[],
    sources: readonly WatchSource[],
    signal: AbortSignal,
  ): Promise<readonly KubeObject[]> {
    const { ledger, kind, allowTeardown = false } = this.#options
    const { selectors } = await ledger.entryFor(kind, signal)
    signal.throwIfAborted()
    const spared = allowTeardown ? [] : strays.filter((stray) => !isLeaving(stray) && isReachedBy(selectors, stray))
    if (spared.length === 0) await ledger.keepSelectors(kind, selectorsOf(sources), signal)
    else this.#spare(spared, sources, selectors)
    return strays.filter((stray) => !this.#isSpared(stray))
  }

  /** Whether there is one still, and no entry selects it again. */
  get isSparing(): boolean {
    return [...this.#watched.resources()].some(
      ({ resource }) => this.#isSpared(resource) && !this.#sources.some((source) => isSelected(resource, source)),
    )
  }

  stop(): void {
    this.#watched.stop()
  }

  #spare(spared: readonly KubeObject[], sources: readonly WatchSource[], selectors: readonly LabelSelector[]): void {
    this.#uids = new Set(spared.map(({ metadata }) => metadata.uid))
    this.#sources = sources
    const namespaces = namespacesOf(sources)
    // Any entry will do: whoever goes has no role any more.
    this.#watched.follow(
      sources.slice(0, 1).flatMap((source) => selectors.map((selector) => ({ ...source, selector, namespaces }))),
    )
    this.#options.onSpared?.(teardownRefusal(spared))
  }

  #isSpared({ metadata: { uid } }: KubeObject): boolean {
    return this.#uids.has(uid)
  }
}

/** Somebody deletes it, and it waits for us. */
function isLeaving(resource: KubeObject): boolean {
  return isTerminating(resource) && hasFinalizer(resource, FINALIZER)
}

function isReachedBy(selectors: readonly LabelSelector[], { metadata: { labels } }: KubeObject): boolean {
  return selectors.some((selector) => matchesLabels(selector, labels))
}

function selectorsOf(sources: readonly WatchSource[]): readonly LabelSelector[] {
  return sources.map(({ selector = {} }) => selector)
}
