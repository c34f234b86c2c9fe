import { untilAborted } from '../../core/base/until-aborted.ts'
import { cutting, guarded } from '../../core/kube/client-decorators.ts'
import { formatGroupKind } from '../../core/kube/group-version-kind.ts'
import type { EngineOptions } from '../reconcile/engine-options.ts'
import { Ledger } from '../reconcile/ownership/ledger.ts'
import { RunSecrecy } from '../role/run-secrecy.ts'
import { layered } from '../runtime/client-layers.ts'
import type { Informer, InformerOptions } from '../runtime/informer.ts'
import { type Leadership, notLeading, soleLeader } from '../runtime/leadership.ts'
import type { QueueDepth } from '../runtime/metrics.ts'
import type { Runnable } from '../runtime/runnable.ts'
import { clientOfProcess } from './dry-run-client.ts'
import type { Project } from './project.ts'
import { RunHistory } from './run-history.ts'
import { planReload, RunningControllers, type Term, untilQuiet } from './running-controllers.ts'
import { hasChildren, newSharedInformers } from './watching/informer-caches.ts'
import { WarmCaches } from './watching/warm-caches.ts'
import { type SourcesByKind, sourcesByKind, type WatchedInformers } from './watching/watched-informers.ts'
import { refusalToTearDown } from './without-role/resources-without-role.ts'

export interface OperatorOptions extends EngineOptions {
  readonly project: Project
  /** The namespace of the operator, which holds its ledger. */
  readonly namespace: string
  /** For watch entries that name none. Defaults to all. */
  readonly watchNamespaces?: readonly string[] | undefined
  /** How long watches may be silent. Defaults to what suits a cluster. */
  readonly timings?: InformerOptions['timings']
  /** Whether changed or removed entries may tear down what exists, in a reload or at a start. Defaults to false. */
  readonly allowTeardown?: boolean | undefined
  /** Called with the reason for which resources without a role keep their objects. */
  readonly onTeardownRefused?: ((reason: string) => void) | undefined
  /** Milliseconds that present runs may take after a stop before they are aborted. Defaults to 0. */
  readonly gracePeriod?: number | undefined
  /** Milliseconds after which a run is aborted and tried again; 0 is never. Defaults to 10 minutes. */
  readonly reconciliationTimeout?: number | undefined
  /** About how many milliseconds pass between two comparisons of a cache with the server; 0 is never. Defaults to 6 hours. */
  readonly cacheCheckPeriod?: number | undefined
  /** Whether to log what would be done instead of doing it. Defaults to false. */
  readonly dryRun?: boolean | undefined
  /** Nothing is written while it does not lead; caches are always kept filled. Defaults to always leading. */
  readonly leadership?: Leadership | undefined
}

export type ReloadResult = { readonly kind: 'replaced' } | { readonly kind: 'refused'; readonly reason: string }

/** Runs a project on a cluster: one controller for each watched kind, with shared informers and one ledger. */
export class Operator implements Runnable {
  readonly name = 'operator'
  /** What the last runs did and why. */
  readonly history = new RunHistory()
  readonly #options: OperatorOptions
  readonly #tools: Omit<Term['tools'], 'ledger'>
  readonly #leadership: Leadership
  /** Fills caches before this process leads. Absent if no other process can lead. */
  readonly #warm: WarmCaches | undefined
  readonly #controllers: RunningControllers
  #term: Term | undefined
  #sources: SourcesByKind
  #signal: AbortSignal | undefined

  constructor(options: OperatorOptions) {
    const { secrecy = new RunSecrecy(), reconciliationTimeout = RECONCILIATION_TIMEOUT } = options
    const client = clientOfProcess({ ...options, secrecy })
    this.#options = options
    this.#tools = {
      ...options,
      ...newSharedInformers({ ...options, client }),
      // Informers cut deep nesting themselves, so their lists are not walked twice.
      client: layered(client, { nesting: cutting }),
      secrecy,
      reconciliationTimeout,
      onRun: (report) => {
        this.history.record(report)
        options.onRun?.(report)
      },
    }
    this.#leadership = options.leadership ?? soleLeader
    this.#warm = options.leadership && new WarmCaches(this.#tools)
    this.#sources = sourcesByKind(options.project, options.watchNamespaces)
    this.#controllers = new RunningControllers({ ...options, sources: () => this.#sources })
  }

  /** Runs until `signal` aborts, and resolves when all work has ended. An unreachable server does not end it. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    this.#signal = signal
    this.#warm?.follow(this.#sources)
    const unfollow = this.#leadership.onChange((leads) => (leads ? this.#takeUp() : this.#layDown(LOST)))
    if (this.#leadership.leads) this.#takeUp()
    const unwatch = this.#options.metrics?.watch(this)
    await untilAborted(signal)
    await this.#finish()
    unwatch?.()
    this.#controllers.abort(signal.reason)
    await this.#controllers.ended()
    unfollow()
    this.#layDown(signal.reason)
    this.#warm?.stop()
    await this.#tools.pool.stop()
  }

  /** Waits until present runs have ended, up to the grace period. */
  async #finish(): Promise<void> {
    const { gracePeriod = 0, clock, logger } = this.#options
    if (gracePeriod === 0) return
    this.#controllers.drain()
    const done = new AbortController()
    const ended = this.#controllers.ended().then(() => done.abort())
    await Promise.race([ended, clock.sleep(gracePeriod, done.signal)])
    if (!done.signal.aborted) logger.warn('runs are aborted: they did not end within the grace period', { gracePeriod })
  }

  /** Goes on with another project. Watches that stay the same are not interrupted, and a run ends with the role with which it began. */
  replaceProject(project: Project): ReloadResult {
    const next = sourcesByKind(project, this.#options.watchNamespaces)
    const refusal = this.#options.allowTeardown ? undefined : this.#refusalOf(next)
    if (refusal !== undefined) return { kind: 'refused', reason: refusal }
    const plan = planReload(this.#sources, next)
    this.#sources = next
    if (this.#signal?.aborted !== false) return { kind: 'replaced' }
    this.#warm?.follow(next)
    if (this.#term) this.#controllers.follow(plan, this.#term)
    return { kind: 'replaced' }
  }

  #refusalOf(next: SourcesByKind): string | undefined {
    return refusalToTearDown(this.#sources, next, {
      watchedOf: (kind) => this.#resourcesOf(kind),
      hasChildren: (uid) => hasChildren(this.#tools, uid),
    })
  }

  get isStarted(): boolean {
    return this.#signal !== undefined
  }

  /** Whether this process is the leader. */
  get leads(): boolean {
    return this.#leadership.leads
  }

  /** How many requests are ready, by kind. */
  queues(): IterableIterator<QueueDepth> {
    return this.#controllers.queues()
  }

  /** The state of all watches, and of each kind of the project that is not watched yet. */
  *watches(): IterableIterator<WatchState> {
    for (const kind of this.#sources.keys()) {
      const isWatched = this.#resourcesOf(kind)?.informers.length !== 0
      if (!isWatched) yield { kind, live: false, isSynced: false, isMain: true, isNeeded: true, blindFor: 0 }
    }
    const needed = new Set(this.#needed())
    for (const informer of this.#tools.pool.informers()) {
      const { spec, live, isSynced, blindFor } = informer
      const kind = formatGroupKind(spec.gvk)
      yield { kind, live, isSynced, isMain: this.#sources.has(kind), isNeeded: needed.has(informer), blindFor }
    }
  }

  /** Whether some resources have lost their role and keep their objects. */
  get hasResourcesWithoutRole(): boolean {
    return this.withoutRole().size > 0
  }

  /** How many resources have lost their role and keep their objects, by kind. */
  withoutRole(): ReadonlyMap<string, number> {
    return this.#controllers.withoutRole()
  }

  /** How many milliseconds the oldest run has taken so far. */
  get longestRun(): number {
    return this.#controllers.longestRun
  }

  /** Milliseconds that a run may take; 0 is no limit. */
  get reconciliationTimeout(): number {
    return this.#tools.reconciliationTimeout
  }

  /** The kinds whose controllers have failed and have not started again yet. */
  get failing(): readonly string[] {
    return this.#term ? this.#controllers.failing : []
  }

  /** The kinds of the resources with hung runs, one for each run. */
  hungRuns(): readonly string[] {
    return this.#controllers.hungRuns()
  }

  /** Resolves when nothing is queued or running and the caches have all our writes. */
  async idle(): Promise<void> {
    await untilQuiet({ ...this.#tools, controllers: () => this.#controllers.all })
  }

  #takeUp(): void {
    const signal = this.#signal
    if (this.#term || signal?.aborted !== false) return
    this.#term = this.#newTerm(signal)
    this.#controllers.start(this.#term)
  }

  #layDown(reason: Error): void {
    if (!this.#term) return
    this.#term.isOver = true
    this.#term = undefined
    this.#controllers.clear(reason)
  }

  #newTerm(signal: AbortSignal): Term {
    const check = (): void => {
      if (!this.#leadership.leads) this.#layDown(LOST)
      if (term.isOver) throw notLeading()
    }
    const client = layered(this.#tools.client, { leadership: (inner) => guarded(inner, check) })
    const ledger = new Ledger(client, this.#options.namespace)
    const term: Term = { tools: { ...this.#tools, client, ledger }, signal, isOver: false }
    return term
  }

  *#needed(): IterableIterator<Informer> {
    for (const controller of this.#controllers.all) yield* controller.needed()
    if (this.#warm) yield* this.#warm.informers()
  }

  #resourcesOf(kind: string): WatchedInformers | undefined {
    return this.#controllers.ofKind(kind)?.resources ?? this.#warm?.resources(kind)
  }
}

/** Milliseconds. An ordinary run of many requests takes far less; one request takes at most 30 s. */
const RECONCILIATION_TIMEOUT = 10 * 60_000

const LOST = new Error('another process may lead')

/** The state of a watch. */
export interface WatchState {
  readonly kind: string
  /** Whether changes are delivered now. */
  readonly live: boolean
  /** Whether its objects have been listed once. */
  readonly isSynced: boolean
  /** Whether the project has a watch entry for the kind. Else only a role uses it. */
  readonly isMain: boolean
  /** Whether the project needs the watch. One that only former roles needed may fail, since the right or the kind may be gone. */
  readonly isNeeded: boolean
  /** How many milliseconds it has not been live. */
  readonly blindFor: number
}
