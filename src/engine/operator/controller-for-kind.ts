import { formatGroupKind, type GroupKind } from '../../core/kube/group-version-kind.ts'
import { type EngineOptions, type RoleReconcilerOptions, SeenChanges } from '../reconcile/engine-options.ts'
import { newRoleReconciler } from '../reconcile/new-role-reconciler.ts'
import type { RoleReconciler } from '../reconcile/role-reconciler.ts'
import { RETRIABLE } from '../reconcile/run/requeue-policy.ts'
import type { RunListener, RunReport } from '../reconcile/trace/run-trace.ts'
import { layered } from '../runtime/client-layers.ts'
import { Controller, type ControllerOptions } from '../runtime/controller.ts'
import type { Informer } from '../runtime/informer.ts'
import type { Shard } from '../runtime/leadership.ts'
import type { Priority } from '../runtime/priority.ts'
import { type Reconciler, type Request, requestKey } from '../runtime/reconciler.ts'
import type { Runnable } from '../runtime/runnable.ts'
import type { Capacity } from '../runtime/work-queue.ts'
import { ChangeRouter, ForeignWatches, SubscriptionTable, type Triggered } from './watching/change-router.ts'
import { InformerCaches, type SharedInformers } from './watching/informer-caches.ts'
import { stoppableDiscovery, UnservedKinds } from './watching/unserved-kinds.ts'
import {
  KindScope,
  kindsOf,
  reachOfSources,
  WatchedInformers,
  type WatchedInformersOptions,
  type WatchSource,
} from './watching/watched-informers.ts'
import { ResourcesWithoutRole } from './without-role/resources-without-role.ts'
import { UnselectedSearch } from './without-role/unselected-search.ts'

/** What the controllers of all kinds share. */
export interface ControllerTools extends EngineOptions, SharedInformers, Pick<RoleReconcilerOptions, 'ledger'> {
  readonly turns: NonNullable<ControllerOptions['turns']>
  readonly hung: NonNullable<ControllerOptions['hung']>
  /** Only its resources are reconciled. */
  readonly shard: Pick<Shard, 'index' | 'owns'>
  readonly reconciliationTimeout: number
  readonly allowTeardown?: boolean | undefined
  readonly onTeardownRefused?: ((reason: string) => void) | undefined
  readonly watchNamespaces?: readonly string[] | undefined
}

let started = 0

/**
 * The controller for all watch entries of one group and kind, in one shard. It decides what is watched and which change triggers which resource. If it has
 * no entries, the kind was removed from the project, and the controller cleans up what is left.
 */
export class ControllerForKind implements Runnable {
  readonly name: string
  readonly #resources: WatchedInformers
  readonly #caches: InformerCaches
  readonly #subscriptions = new SubscriptionTable()
  readonly #seen = new SeenChanges()
  readonly #changes: ChangeRouter
  readonly #controller: Controller
  readonly #reconciler: RoleReconciler
  readonly #drained = new AbortController()
  readonly #stopping = new AbortController()
  readonly #reload = new ReloadProgress(() => this.#caches.releaseUnused(this.#subscriptions.all()))
  readonly #unserved: UnservedKinds
  readonly #foreign: ForeignWatches
  readonly #scope: KindScope
  readonly #withoutRole: ResourcesWithoutRole
  readonly #search: UnselectedSearch
  readonly #shard: ControllerTools['shard']
  #isWatching = false
  /** The sources of the project. */
  #sources: readonly WatchSource[]
  /** The sources of the ledger, once a resource has lost its role. */
  #former: readonly WatchSource[] = []

  constructor(kind: GroupKind, sources: readonly WatchSource[], shared: ControllerTools) {
    const tools = { ...shared, ...stoppableDiscovery(shared, this.#stopping.signal) }
    this.name = formatGroupKind(kind)
    this.#shard = tools.shard
    this.#scope = new KindScope(tools)
    this.#sources = sources
    // Each controller has a name of its own: the former one of the kind may release informers after this one has acquired them.
    const holder = `controller ${++started} of ${this.name}`
    const onEvent: WatchedInformersOptions['onEvent'] = (source, event) => {
      const isOurs = this.#shard.owns(this.#resources.requestFor(event.object))
      if (isOurs) this.#triggerAll(this.#changes.ofResource(source, event))
    }
    this.#resources = new WatchedInformers({ ...tools, kind, holder, onEvent })
    this.#withoutRole = new ResourcesWithoutRole({ ...tools, kind, holder: `without role of ${holder}`, onEvent })
    this.#caches = new InformerCaches({
      ...tools,
      holder: `caches of ${holder}`,
      namespaces: () => reachOfSources(this.#sources.length > 0 ? this.#sources : this.#former),
      onEvent: (informer, event) => this.#triggerAll(this.#changes.ofObject(informer, event)),
    })
    const [subscriptions, resources, caches] = [this.#subscriptions, this.#resources, this.#caches]
    this.#changes = new ChangeRouter({ subscriptions, resources, caches, seen: this.#seen, shard: this.#shard })
    this.#foreign = new ForeignWatches({ ...tools, caches: this.#caches, subscriptions: this.#subscriptions })
    this.#search = this.#newSearch(kind, tools)
    const ports = { caches: this.#caches, subscriptions: this.#foreign, resources: this.#judged(), seen: this.#seen }
    this.#unserved = new UnservedKinds({
      ...tools,
      onServed: (requests) => {
        for (const request of requests) this.#trigger({ request, trigger: { kind: 'served' }, priority: 'child' })
      },
    })
    const onRun: RunListener = (report) => {
      this.#unserved.observe(report)
      this.#reload.observe(report)
      if (report.outcome === 'gone') this.#search.ended()
      tools.metrics?.ran(this.name, report.outcome)
      tools.onRun?.(report)
    }
    const client = layered(tools.client, { unserved: (inner) => this.#unserved.observing(inner) })
    this.#reconciler = newRoleReconciler({ ...tools, ...ports, client, mapper: this.#unserved, onRun })
    this.#controller = this.#newController(sources, tools)
  }

  get sources(): readonly WatchSource[] {
    return this.#sources
  }

  get informers(): readonly Informer[] {
    return this.#resources.informers
  }

  /** Whether its resources are watched. */
  get isWatching(): boolean {
    return this.#isWatching
  }

  get resources(): WatchedInformers {
    return this.#resources
  }

  /** The informers that the present roles need: of the kind itself, and of the kinds that roles write and read. */
  *needed(): IterableIterator<Informer> {
    yield* this.#resources.informers
    const kinds = kindsOf(this.#sources)
    for (const informer of this.#caches.informers()) {
      if (kinds.has(formatGroupKind(informer.spec.gvk))) yield informer
    }
  }

  /** How many requests are ready in each class. */
  get depth(): Record<Priority, number> {
    return this.#controller.queue.depth()
  }

  /** How many resources have lost their role and keep their objects. */
  get withoutRole(): number {
    return this.#withoutRole.count
  }

  /** How many milliseconds the oldest run has taken so far. */
  get longestRun(): number {
    return this.#controller.longestRun
  }

  /** Resolves when all work has ended after `signal` aborts. Rejects after all work has ended if a defect ends it earlier. */
  start(signal: AbortSignal): Promise<void> {
    return this.#work(signal).finally(() => this.#letGo())
  }

  async #work(signal: AbortSignal): Promise<void> {
    const untilDrained = AbortSignal.any([signal, this.#drained.signal])
    await this.#scope.learn(this.#sources, untilDrained, () => this.#resources.follow(this.#watched))
    this.#resources.follow(this.#watched)
    this.#isWatching = true
    void this.#search.run(untilDrained).then(() => {
      if (this.#sources.length === 0) this.drain()
    })
    signal.addEventListener('abort', () => this.#endWaits(signal.reason), { once: true })
    await this.#controller.start(signal)
    await this.#reconciler.flushed(signal)
  }

  #letGo(): void {
    this.drain()
    this.#unserved.stop()
    this.#foreign.stop()
    this.#resources.stop()
    this.#withoutRole.stop()
    this.#caches.stop()
  }

  /** Ends the waits of runs in code that does not heed their signals. */
  #endWaits(reason: Error): void {
    this.#stopping.abort(reason)
    this.#caches.stop()
  }

  /** Takes no more work. Present runs go on to their end, and then `start` resolves. */
  drain(): void {
    this.#drained.abort()
    this.#controller.drain()
  }

  /** Goes on with other entries of the kind. Triggers the resources whose entry has changed, and no others. */
  replace(sources: readonly WatchSource[]): void {
    const former = new Map(
      [...this.#resources.resources()].map(({ resource, source }) => [resource.metadata.uid, source]),
    )
    this.#sources = sources
    void this.#search.remember(AbortSignal.any([this.#stopping.signal, this.#drained.signal]))
    this.#resources.follow(this.#watched)
    const changed = [...this.#resources.resources()]
      .filter(({ resource, source }) => former.get(resource.metadata.uid)?.entry.hash !== source.entry.hash)
      .map(({ resource }) => this.#resources.requestFor(resource))
      .filter((request) => this.#shard.owns(request))
    this.#reload.begin(changed)
    for (const request of changed) {
      // Failures of the former role do not count for the new one.
      this.#controller.queue.forget(request)
      this.#trigger({ request, trigger: { kind: 'reloaded' }, priority: 'backlog' })
    }
  }

  /** Resolves when nothing is ready or running. */
  idle(): Promise<void> {
    return this.#controller.idle()
  }

  get #watched(): readonly WatchSource[] {
    return this.#scope.apply(this.#sources)
  }

  #judged(): RoleReconcilerOptions['resources'] {
    return {
      find: async (request, signal) => this.#withoutRole.judge(await this.#resources.find(request, signal)),
      latest: (request, uid) => this.#resources.latest(request, uid),
      isDeletionDue: (request, uid) => this.#resources.isDeletionDue(request, uid),
    }
  }

  #newController(sources: readonly WatchSource[], tools: ControllerTools): Controller {
    return new Controller({
      name: this.name,
      reconciler: this.#reload.observing(this.#reconciler),
      maxConcurrent: sources.reduce((sum, { maxConcurrent }) => sum + maxConcurrent, 0) || 1,
      capacity: (request) => this.#capacityOf(request),
      backoff: RETRIABLE,
      clock: tools.clock,
      turns: tools.turns,
      hung: tools.hung,
      reconciliationTimeout: tools.reconciliationTimeout,
      logger: tools.logger.child({ controller: this.name }),
      observe: (run) => tools.metrics?.reconciled({ ...run, kind: this.name }),
    })
  }

  #newSearch(kind: GroupKind, tools: ControllerTools): UnselectedSearch {
    return new UnselectedSearch({
      ...tools,
      kind,
      caches: this.#caches,
      withoutRole: this.#withoutRole,
      isMine: (resource) => this.#shard.owns(this.#resources.requestFor(resource)),
      sources: () => this.#watched,
      placed: async (former, signal) => {
        if (this.#sources.length === 0) await this.#scope.learn(former, signal, () => undefined)
        return this.#scope.apply(former)
      },
      onFormer: (former) => {
        this.#former = former
        this.#resources.remember(former)
      },
      onUnselected: (resource) => {
        const request = this.#resources.requestFor(resource)
        this.#trigger({ request, trigger: { kind: 'started' }, priority: 'backlog' })
      },
      idle: () => this.idle(),
    })
  }

  #triggerAll(all: Iterable<Triggered>): void {
    for (const one of all) this.#trigger(one)
  }

  #trigger({ request, trigger, priority }: Triggered): void {
    if (!this.#shard.owns(request)) return
    this.#seen.triggers.note(request, trigger)
    this.#controller.enqueue(request, priority)
  }

  #capacityOf(request: Request): Capacity {
    const entry = this.#resources.sourceOf(request)?.entry
    const place = Math.max(0, entry ? this.#sources.findIndex((source) => source.entry === entry) : 0)
    return { key: String(place), limit: this.#sources[place]?.maxConcurrent ?? 1 }
  }
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
