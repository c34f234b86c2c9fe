import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import { formatGroupKind, type GroupKind } from '../../core/kube/group-version-kind.ts'
import { isJob, SeenJobs } from '../reconcile/apply/completed-jobs.ts'
import { SeenDeletions } from '../reconcile/deletion/propagation.ts'
import type { EngineOptions } from '../reconcile/engine-options.ts'
import { newRoleReconciler } from '../reconcile/new-role-reconciler.ts'
import type { Ledger } from '../reconcile/ownership/ledger.ts'
import { OWNER_UID_LABEL } from '../reconcile/ownership/ownership.ts'
import type { WatchedResources } from '../reconcile/reconciler-ports.ts'
import type { RoleReconciler } from '../reconcile/role-reconciler.ts'
import { RETRIABLE } from '../reconcile/run/requeue-policy.ts'
import { PendingTriggers, type RunListener, type Trigger } from '../reconcile/trace/run-trace.ts'
import type { CacheEvent } from '../runtime/cache-event.ts'
import { layered } from '../runtime/client-layers.ts'
import { Controller } from '../runtime/controller.ts'
import type { HungRuns } from '../runtime/hung-runs.ts'
import type { Informer } from '../runtime/informer.ts'
import type { InformerPool } from '../runtime/informer-pool.ts'
import type { LongTurns } from '../runtime/long-turns.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { OwnWrites } from '../runtime/own-writes.ts'
import type { Priority } from '../runtime/priority.ts'
import type { Request } from '../runtime/reconciler.ts'
import type { Runnable } from '../runtime/runnable.ts'
import type { UnseenWrites } from '../runtime/unseen-writes.ts'
import type { Capacity } from '../runtime/work-queue.ts'
import { reachOf } from './project.ts'
import { ReloadProgress } from './project-reload.ts'
import { InformerCaches, ownerUidsOf } from './watching/informer-caches.ts'
import { ForeignWatches, SubscriptionTable, triggerOfObject, triggerOfResource } from './watching/subscription-table.ts'
import { stoppableDiscovery, UnservedKinds, type WatchFailures } from './watching/unserved-kinds.ts'
import { KindScope, kindsOf, placeOf, WatchedInformers, type WatchSource } from './watching/watched-informers.ts'
import { ResourcesWithoutRole } from './without-role/resources-without-role.ts'
import { UnselectedSearch } from './without-role/unselected-search.ts'

/** What the controllers of all kinds share. */
export interface ControllerTools extends EngineOptions {
  readonly pool: InformerPool
  readonly ownWrites: OwnWrites
  readonly unseen: UnseenWrites
  readonly failures: WatchFailures
  readonly ledger: Ledger
  readonly turns: LongTurns
  readonly hung: HungRuns
  readonly reconciliationTimeout: number
  readonly allowTeardown?: boolean | undefined
  readonly onTeardownRefused?: ((reason: string) => void) | undefined
  readonly watchNamespaces?: readonly string[] | undefined
}

let started = 0

/**
 * The controller for all watch entries of one group and kind. It decides what is watched and which change triggers which resource. If it has
 * no entries, the kind was removed from the project, and the controller cleans up what is left.
 */
export class ControllerForKind implements Runnable {
  readonly name: string
  readonly #resources: WatchedInformers
  readonly #caches: InformerCaches
  readonly #subscriptions = new SubscriptionTable()
  readonly #triggers = new PendingTriggers()
  readonly #seenDeletions = new SeenDeletions()
  readonly #seenJobs = new SeenJobs()
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
  #isWatching = false
  /** The sources of the project. */
  #sources: readonly WatchSource[]
  /** The sources of the ledger, once a resource has lost its role. */
  #former: readonly WatchSource[] = []

  constructor(kind: GroupKind, sources: readonly WatchSource[], shared: ControllerTools) {
    const tools = { ...shared, ...stoppableDiscovery(shared, this.#stopping.signal) }
    this.name = formatGroupKind(kind)
    this.#scope = new KindScope(tools)
    this.#sources = sources
    // Each controller has a name of its own: the former one of the kind may release informers after this one has acquired them.
    const holder = `controller ${++started} of ${this.name}`
    const onEvent = (source: WatchSource, event: CacheEvent): void => this.#onResource(source, event)
    this.#resources = new WatchedInformers({ ...tools, kind, holder, onEvent })
    this.#withoutRole = new ResourcesWithoutRole({ ...tools, kind, holder: `without role of ${holder}`, onEvent })
    this.#caches = new InformerCaches({
      ...tools,
      holder: `caches of ${holder}`,
      namespaces: () => reachOf((this.#sources.length > 0 ? this.#sources : this.#former).map(placeOf)),
      onEvent: (informer, event) => this.#onObject(informer, event),
    })
    this.#foreign = new ForeignWatches({ ...tools, caches: this.#caches, subscriptions: this.#subscriptions })
    this.#search = this.#newSearch(kind, tools)
    const notes = { pendingTriggers: this.#triggers, seenDeletions: this.#seenDeletions, seenJobs: this.#seenJobs }
    const ports = { caches: this.#caches, subscriptions: this.#foreign, resources: this.#judged(), ...notes }
    this.#unserved = new UnservedKinds({
      ...tools,
      onServed: (requests) => {
        for (const request of requests) this.#trigger(request, { kind: 'served' }, 'child')
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
    this.#reload.begin(changed)
    for (const request of changed) {
      // Failures of the former role do not count for the new one.
      this.#controller.queue.forget(request)
      this.#trigger(request, { kind: 'reloaded' }, 'backlog')
    }
  }

  /** Resolves when nothing is ready or running. */
  idle(): Promise<void> {
    return this.#controller.idle()
  }

  get #watched(): readonly WatchSource[] {
    return this.#scope.apply(this.#sources)
  }

  #judged(): WatchedResources {
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
      sources: () => this.#watched,
      placed: async (former, signal) => {
        if (this.#sources.length === 0) await this.#scope.learn(former, signal, () => undefined)
        return this.#scope.apply(former)
      },
      onFormer: (former) => {
        this.#former = former
        this.#resources.remember(former)
      },
      onUnselected: (resource) => this.#trigger(this.#resources.requestFor(resource), { kind: 'started' }, 'backlog'),
      idle: () => this.idle(),
    })
  }

  #onResource({ entry }: WatchSource, event: CacheEvent): void {
    this.#seenDeletions.note(event)
    const request = this.#resources.requestFor(event.object)
    const trigger = triggerOfResource(event, entry.role.annotationsRead)
    if (trigger) this.#trigger(request, trigger, trigger.kind === 'started' ? 'backlog' : 'edit')
  }

  /** Handles a change of an object that a run has read or that a resource owns. */
  #onObject({ spec }: Informer, event: CacheEvent): void {
    this.#noteJob(spec, event)
    if (event.type === 'added' && event.initial) return
    const forms = event.type === 'updated' ? [event.old, event.object] : [event.object]
    const trigger = triggerOfObject(event)
    for (const request of this.#subscriptions.requestsFor(spec.gvk, forms)) this.#trigger(request, trigger, 'child')
    if (spec.labelSelector !== OWNER_UID_LABEL) return
    for (const uid of new Set(forms.flatMap(ownerUidsOf))) {
      const owner = this.#resources.requestByUid(uid)
      if (owner && this.#resources.sourceOf(owner)?.watchDependentResources) this.#trigger(owner, trigger, 'child')
    }
  }

  /** Of resources of this kind that are there: nothing would end the memory of others. */
  #noteJob({ labelSelector }: Informer['spec'], event: CacheEvent): void {
    if (labelSelector !== OWNER_UID_LABEL || !isJob(event.object)) return
    const isOurs = ownerUidsOf(event.object).some((uid) => this.#resources.requestByUid(uid) !== undefined)
    if (isOurs) this.#seenJobs.note(event)
  }

  #trigger(request: Request, trigger: Trigger, priority: Priority): void {
    this.#triggers.note(request, trigger)
    this.#controller.enqueue(request, priority)
  }

  #capacityOf(request: Request): Capacity {
    const entry = this.#resources.sourceOf(request)?.entry
    const place = Math.max(0, entry ? this.#sources.findIndex((source) => source.entry === entry) : 0)
    return { key: String(place), limit: this.#sources[place]?.maxConcurrent ?? 1 }
  }
}

export interface ControllerFailuresOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Pick<Metrics, 'controllerFailed'> | undefined
}

/** Milliseconds before the next start of a controller that failed. */
const BACKOFF = { base: 1_000, max: 5 * 60_000 }
/** Milliseconds without a failure after which the backoff starts anew. */
const FORGOTTEN = 2 * BACKOFF.max

/** Controllers that a defect of ours has ended, by kind. Logs each failure and decides when the controller starts again. */
export class ControllerFailures {
  readonly #options: ControllerFailuresOptions
  readonly #down = new Set<string>()
  readonly #last = new Map<string, { readonly at: number; readonly attempt: number }>()

  constructor(options: ControllerFailuresOptions) {
    this.#options = options
  }

  /** The kinds whose controllers wait for their next start. */
  get down(): readonly string[] {
    return [...this.#down]
  }

  /** Resolves when the kind may be started again, or `signal` aborts. */
  async pause(kind: string, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const { clock, logger, metrics } = this.#options
    const delay = backoffDelay(this.#count(kind), BACKOFF)
    this.#down.add(kind)
    metrics?.controllerFailed(kind)
    const fields = { kind, error: explain(error), seconds: Math.round(delay / 1000) }
    try {
      logger.error('a controller has failed: nothing of its kind is reconciled until it is started again', fields)
    } catch {
      // The controller may have failed because the log cannot be written.
    }
    await clock.sleep(delay, signal)
    this.#down.delete(kind)
  }

  /** Counts a failure. Returns how many came before it in short succession. */
  #count(kind: string): number {
    const at = this.#options.clock.monotonic()
    const last = this.#last.get(kind)
    const attempt = last && at - last.at < FORGOTTEN ? last.attempt + 1 : 0
    this.#last.set(kind, { at, attempt })
    return attempt
  }
}
