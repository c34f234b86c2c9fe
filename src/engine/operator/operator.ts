import { untilAborted } from '../../core/base/until-aborted.ts'
import { cutting } from '../../core/kube/client-decorators.ts'
import { formatGroupKind } from '../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../core/kube/object.ts'
import type { EngineOptions } from '../reconcile/engine-options.ts'
import { RunSecrecy } from '../role/secrecy/run-secrecy.ts'
import { layered } from '../runtime/client-layers.ts'
import type { Informer, InformerOptions } from '../runtime/informer.ts'
import { type Leadership, type Shard, soleLeader, wholeOf } from '../runtime/leadership.ts'
import type { QueueDepth, ShardState } from '../runtime/metrics.ts'
import type { Runnable } from '../runtime/runnable.ts'
import type { ControllerForKind } from './controller-for-kind.ts'
import { clientOfProcess } from './dry-run-client.ts'
import type { Project } from './project.ts'
import { RunHistory } from './run-history.ts'
import { newSharedLimits, planReload, ShardWork, type ShardWorkOptions, untilQuiet } from './running-controllers.ts'
import { childrenOf, newSharedInformers } from './watching/informer-caches.ts'
import { WarmCaches } from './watching/warm-caches.ts'
import {
  type SourcesByKind,
  sourcesByKind,
  type WatchedInformers,
  type WatchSource,
} from './watching/watched-informers.ts'
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
  /** The resources are split into these. Absent: `leadership` is over all of them. */
  readonly shards?: readonly Shard[] | undefined
}

export type ReloadResult = { readonly kind: 'replaced' } | { readonly kind: 'refused'; readonly reason: string }

/** Runs a project on a cluster: one controller for each watched kind, with shared informers and one ledger. */
export class Operator implements Runnable {
  readonly name = 'operator'
  /** What the last runs did and why. */
  readonly history = new RunHistory()
  readonly #options: OperatorOptions
  readonly #tools: ShardWorkOptions['tools']
  /** Fills caches before this process leads. Absent if no other process can lead. */
  readonly #warm: WarmCaches | undefined
  readonly #works: readonly ShardWork[]
  #sources: SourcesByKind
  #signal: AbortSignal | undefined

  constructor(options: OperatorOptions) {
    const { secrecy = new RunSecrecy(), reconciliationTimeout = RECONCILIATION_TIMEOUT, leadership, shards } = options
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
    this.#warm = leadership || shards ? new WarmCaches(this.#tools) : undefined
    this.#sources = sourcesByKind(options.project, options.watchNamespaces)
    const common = {
      ...options,
      tools: this.#tools,
      limits: newSharedLimits(options.clock),
      sources: () => this.#sources,
    }
    const all = shards ?? [wholeOf(leadership ?? soleLeader)]
    this.#works = all.map((shard) => new ShardWork({ ...common, shard }))
  }

  /** Runs until `signal` aborts, and resolves when all work has ended. An unreachable server does not end it. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    this.#signal = signal
    this.#warm?.follow(this.#sources)
    for (const work of this.#works) work.start(signal)
    const unwatch = this.#options.metrics?.watch(this)
    await untilAborted(signal)
    await Promise.all(this.#works.map((work) => work.finish()))
    unwatch?.()
    await Promise.all(this.#works.map((work) => work.stop(signal.reason)))
    this.#warm?.stop()
    await this.#tools.pool.stop()
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
    for (const work of this.#works) work.follow(plan)
    return { kind: 'replaced' }
  }

  #refusalOf(next: SourcesByKind): string | undefined {
    return refusalToTearDown(this.#sources, next, {
      watchedOf: (kind) => this.#resourcesOf(kind),
      hasChildren: (uid) => this.objectsOf(uid).length > 0,
    })
  }

  get isStarted(): boolean {
    return this.#signal !== undefined
  }

  /** Whether the caches that it will need when it leads are filled and follow the server. */
  get isWarm(): boolean {
    return this.isStarted && this.#warm?.isLive !== false
  }

  /** Whether this process leads, be it one shard only. */
  get leads(): boolean {
    return this.#works.some(({ shard }) => shard.leads)
  }

  /** Whether this process leads the shard of a resource. */
  leadsFor(key: ObjectKey): boolean {
    return this.#works.some(({ shard }) => shard.leads && shard.owns(key))
  }

  /** The shards, if there are several, and how many resources each of those has that this process leads. */
  *shards(): IterableIterator<ShardState> {
    if (this.#works.length === 1) return
    const counts = this.#resourcesByShard()
    for (const { shard } of this.#works) {
      yield { index: shard.index, held: shard.leads, resources: shard.leads ? (counts[shard.index] ?? 0) : 0 }
    }
  }

  /** How many requests are ready, by kind. */
  *queues(): IterableIterator<QueueDepth> {
    for (const { controllers } of this.#works) yield* controllers.queues()
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

  /** The resources that entries select, each with its role, as the caches have them. */
  *resources(): IterableIterator<{ readonly resource: KubeObject; readonly role: WatchSource['entry']['role'] }> {
    for (const kind of this.#sources.keys()) {
      for (const { resource, source } of this.#resourcesOf(kind)?.resources() ?? [])
        yield { resource, role: source.entry.role }
    }
  }

  /** The objects made for the resource with this uid, as the caches have them. */
  objectsOf(uid: string): readonly KubeObject[] {
    return childrenOf(this.#tools, uid)
  }

  /** Whether some resources have lost their role and keep their objects. */
  get hasResourcesWithoutRole(): boolean {
    return this.withoutRole().size > 0
  }

  /** How many resources have lost their role and keep their objects, by kind. */
  withoutRole(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { controllers } of this.#works) {
      for (const [kind, count] of controllers.withoutRole()) counts.set(kind, count + (counts.get(kind) ?? 0))
    }
    return counts
  }

  /** How many milliseconds the oldest run has taken so far. */
  get longestRun(): number {
    return Math.max(...this.#works.map(({ controllers }) => controllers.longestRun))
  }

  /** Milliseconds that a run may take; 0 is no limit. */
  get reconciliationTimeout(): number {
    return this.#tools.reconciliationTimeout
  }

  /** The kinds whose controllers have failed and have not started again yet. */
  get failing(): readonly string[] {
    return [...new Set(this.#works.flatMap((work) => work.failing))]
  }

  /** The kinds of the resources with hung runs, one for each run. */
  hungRuns(): readonly string[] {
    // They are known to the process, not to a shard.
    return this.#works[0]?.controllers.hungRuns() ?? []
  }

  /** Resolves when nothing is queued or running and the caches have all our writes. */
  async idle(): Promise<void> {
    await untilQuiet({ ...this.#tools, controllers: () => this.#allControllers })
  }

  get #allControllers(): readonly ControllerForKind[] {
    return this.#works.flatMap(({ controllers }) => controllers.all)
  }

  #resourcesByShard(): readonly number[] {
    const counts = this.#works.map(() => 0)
    const [first] = this.#works
    for (const kind of this.#sources.keys()) {
      for (const { resource } of this.#resourcesOf(kind)?.resources() ?? []) {
        const index = first?.shard.indexFor(keyOf(resource)) ?? 0
        counts[index] = 1 + (counts[index] ?? 0)
      }
    }
    return counts
  }

  *#needed(): IterableIterator<Informer> {
    for (const controller of this.#allControllers) yield* controller.needed()
    if (this.#warm) yield* this.#warm.informers()
  }

  #resourcesOf(kind: string): WatchedInformers | undefined {
    const controllers = this.#works.flatMap((work) => work.controllers.ofKind(kind) ?? [])
    return controllers[0]?.resources ?? this.#warm?.resources(kind)
  }
}

/** Milliseconds. An ordinary run of many requests takes far less; one request takes at most 30 s. */
const RECONCILIATION_TIMEOUT = 10 * 60_000

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
