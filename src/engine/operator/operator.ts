import { explain } from '../../core/base/coded-error.ts'
import { untilAborted } from '../../core/base/until-aborted.ts'
import type { Reader } from '../../core/kube/client.ts'
import { cutting, guarded } from '../../core/kube/client-decorators.ts'
import { hasFinalizer } from '../../core/kube/finalizer.ts'
import { formatGroupKind, parseGroupKind } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { EngineOptions } from '../reconcile/engine-options.ts'
import { Ledger } from '../reconcile/ownership/ledger.ts'
import { FINALIZER, OWNER_UID_LABEL } from '../reconcile/ownership/ownership.ts'
import type { RunReport } from '../reconcile/trace/run-trace.ts'
import { redactingLogger } from '../role/redacting-logger.ts'
import { RunSecrecy } from '../role/run-secrecy.ts'
import { layered } from '../runtime/client-layers.ts'
import { counting } from '../runtime/counting-client.ts'
import { HungRuns } from '../runtime/hung-runs.ts'
import type { Informer, InformerOptions } from '../runtime/informer.ts'
import { InformerPool } from '../runtime/informer-pool.ts'
import { type Leadership, notLeading, soleLeader } from '../runtime/leadership.ts'
import { LongTurns } from '../runtime/long-turns.ts'
import type { QueueDepth } from '../runtime/metrics.ts'
import { OwnWrites } from '../runtime/own-writes.ts'
import type { Runnable } from '../runtime/runnable.ts'
import { UnseenWrites } from '../runtime/unseen-writes.ts'
import { ControllerFailures, ControllerForKind, type ControllerTools } from './controller-for-kind.ts'
import { dryRunClient } from './dry-run-client.ts'
import type { Project } from './project.ts'
import { planReload, type ReloadPlan, refusalToTearDown, type SourcesByKind } from './project-reload.ts'
import { RunHistory } from './run-history.ts'
import { OWNER_UID_INDEX, ownerUidsOf, stripObject, WarmCaches } from './watching/informer-caches.ts'
import { servedReader, WatchFailures } from './watching/unserved-kinds.ts'
import { sourcesByKind, UID_INDEX, type WatchedInformers, type WatchSource } from './watching/watched-informers.ts'

export interface OperatorOptions extends EngineOptions {
  readonly project: Project
  /** The namespace of the operator, which holds its ledger. */
  readonly namespace: string
  /** For watch entries that name none. Defaults to all. */
  readonly watchNamespaces?: readonly string[] | undefined
  /** How long watches may be silent, and how often they list again. Defaults to what suits a cluster. */
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

interface Running {
  readonly controller: ControllerForKind
  readonly stop: AbortController
}

/** The time from when the process leads until it may not lead any more. What began in a term is not written after it. */
interface Term {
  readonly tools: ControllerTools
  isOver: boolean
}

/** Runs a project on a cluster: one controller for each watched kind, with shared informers and one ledger. */
export class Operator implements Runnable {
  readonly name = 'operator'
  /** What the last runs did and why. */
  readonly history = new RunHistory()
  readonly #options: OperatorOptions
  readonly #tools: Omit<ControllerTools, 'ledger'>
  readonly #leadership: Leadership
  /** Fills caches before this process leads. Absent if no other process can lead. */
  readonly #warm: WarmCaches | undefined
  #term: Term | undefined
  readonly #running = new Map<string, Running>()
  /** By kind: resolves when the last controller has ended, which is after all former ones have. */
  readonly #ended = new Map<string, Promise<void>>()
  /** Controllers that run, and former ones that have not ended yet. */
  readonly #alive = new Set<ControllerForKind>()
  readonly #failures: ControllerFailures
  #sources: SourcesByKind
  #signal: AbortSignal | undefined

  constructor(options: OperatorOptions) {
    const { mapper, clock, logger, timings, cacheCheckPeriod, metrics, secrecy = new RunSecrecy() } = options
    const client = layered(options.client, {
      dryRun: options.dryRun ? (inner) => dryRunClient(inner, redactingLogger(logger, secrecy)) : undefined,
      metrics: metrics && ((inner) => counting(inner, metrics)),
    })
    const failures = new WatchFailures()
    const ownWrites = new OwnWrites({ clock })
    const newReader = (): Reader => failures.observe(servedReader(client, { mapper, clock }))
    const pool = new InformerPool({
      ...{ newReader, clock, logger, timings, cacheCheckPeriod, ownWrites, indexes, stripObject },
      onRelist: ({ gvk }, reason) => metrics?.relisted(formatGroupKind(gvk), reason),
    })
    this.#options = options
    this.#failures = new ControllerFailures(options)
    const onRun = (report: RunReport): void => {
      this.history.record(report)
      options.onRun?.(report)
    }
    const unseen = new UnseenWrites(() => pool.informers())
    const turns = new LongTurns(clock)
    const { reconciliationTimeout = RECONCILIATION_TIMEOUT } = options
    const limits = { turns, reconciliationTimeout, hung: new HungRuns() }
    // Informers cut deep nesting themselves, so their lists are not walked twice.
    this.#tools = {
      ...options,
      ...limits,
      onRun,
      client: layered(client, { nesting: cutting }),
      secrecy,
      failures,
      ownWrites,
      unseen,
      pool,
    }
    this.#leadership = options.leadership ?? soleLeader
    this.#warm = options.leadership && new WarmCaches(this.#tools)
    this.#sources = sourcesByKind(options.project, options.watchNamespaces)
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
    for (const { stop } of this.#running.values()) stop.abort(signal.reason)
    await Promise.all(this.#ended.values())
    unfollow()
    this.#layDown(signal.reason)
    this.#warm?.stop()
    await this.#tools.pool.stop()
  }

  /** Waits until present runs have ended, up to the grace period. */
  async #finish(): Promise<void> {
    const { gracePeriod = 0, clock, logger } = this.#options
    if (gracePeriod === 0) return
    for (const { controller } of this.#running.values()) controller.drain()
    const done = new AbortController()
    const ended = Promise.all(this.#ended.values()).then(() => done.abort())
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
    if (this.#term) this.#follow(plan, this.#term)
    return { kind: 'replaced' }
  }

  #refusalOf(next: SourcesByKind): string | undefined {
    const children = [...this.#tools.pool.informers()].filter(({ spec }) => spec.labelSelector === OWNER_UID_LABEL)
    const hasOurs = (resource: KubeObject): boolean =>
      hasFinalizer(resource, FINALIZER) ||
      children.some(({ cache }) => cache.byIndex(OWNER_UID_INDEX, resource.metadata.uid ?? '').length > 0)
    return refusalToTearDown(this.#sources, next, { watchedOf: (kind) => this.#resourcesOf(kind), hasOurs })
  }

  get isStarted(): boolean {
    return this.#signal !== undefined
  }

  /** Whether this process is the leader. */
  get leads(): boolean {
    return this.#leadership.leads
  }

  /** How many requests are ready, by kind. */
  *queues(): IterableIterator<QueueDepth> {
    for (const [kind, { controller }] of this.#running) yield { kind, depth: controller.depth }
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
    const counts = [...this.#running].map(([kind, { controller }]) => [kind, controller.withoutRole] as const)
    return new Map(counts.filter(([, count]) => count > 0))
  }

  /** How many milliseconds the oldest run has taken so far. */
  get longestRun(): number {
    const { hung, clock } = this.#tools
    const ofHung = clock.monotonic() - (hung.oldest ?? clock.monotonic())
    return Math.max(ofHung, ...[...this.#alive].map((controller) => controller.longestRun))
  }

  /** Milliseconds that a run may take; 0 is no limit. */
  get reconciliationTimeout(): number {
    return this.#tools.reconciliationTimeout
  }

  /** The kinds whose controllers have failed and have not started again yet. */
  get failing(): readonly string[] {
    return this.#term ? this.#failures.down.filter((kind) => !this.#running.has(kind)) : []
  }

  /** The kinds of the resources with hung runs, one for each run. */
  hungRuns(): readonly string[] {
    return this.#tools.hung.requests().map(formatGroupKind)
  }

  /** Resolves when nothing is queued or running and the caches have all our writes. */
  async idle(): Promise<void> {
    const { pool, unseen } = this.#tools
    const controllers = (): ControllerForKind[] => [...this.#running.values()].map(({ controller }) => controller)
    await untilQuiet({ pool, unseen, controllers })
  }

  /** Starts a term with new controllers: what those of a former term remember is out of date. */
  #takeUp(): void {
    if (this.#term || this.#signal?.aborted !== false) return
    const term = this.#newTerm()
    this.#term = term
    for (const [kind, sources] of this.#sources) this.#startKind(kind, sources, term)
    void this.#serveRemoved(term)
  }

  /** Starts controllers for kinds that the ledger knows and no entry names: their resources have lost their role. */
  async #serveRemoved(term: Term): Promise<void> {
    const { clock, logger } = this.#options
    for (const signal = this.#signal; signal && !signal.aborted && !term.isOver; ) {
      try {
        for (const kind of (await term.tools.ledger.watched(signal)).map(formatGroupKind)) {
          const isServed = this.#sources.has(kind) || this.#running.has(kind)
          if (!isServed && !term.isOver) this.#startRemoved(kind, term)
        }
        return
      } catch (error) {
        logger.debug('cannot read which kinds have been watched before', { error: explain(error) })
        await clock.sleep(LEDGER_RETRY, signal)
      }
    }
  }

  #layDown(reason: Error): void {
    if (!this.#term) return
    this.#term.isOver = true
    this.#term = undefined
    for (const { stop } of this.#running.values()) stop.abort(reason)
    this.#running.clear()
  }

  #newTerm(): Term {
    const check = (): void => {
      if (!this.#leadership.leads) this.#layDown(LOST)
      if (term.isOver) throw notLeading()
    }
    const client = layered(this.#tools.client, { leadership: (inner) => guarded(inner, check) })
    const ledger = new Ledger(client, this.#options.namespace)
    const term: Term = { tools: { ...this.#tools, client, ledger }, isOver: false }
    return term
  }

  *#needed(): IterableIterator<Informer> {
    for (const { controller } of this.#running.values()) yield* controller.needed()
    if (this.#warm) yield* this.#warm.informers()
  }

  #resourcesOf(kind: string): WatchedInformers | undefined {
    return this.#running.get(kind)?.controller.resources ?? this.#warm?.resources(kind)
  }

  #follow({ stop, start, update, restart }: ReloadPlan, term: Term): void {
    for (const [kind, running] of this.#running) {
      if (stop.includes(kind) || start.has(kind) || restart.has(kind)) this.#giveUp(kind, running)
    }
    for (const [kind, sources] of [...start, ...restart]) this.#startKind(kind, sources, term)
    for (const kind of stop) this.#startRemoved(kind, term)
    for (const [kind, sources] of update) this.#running.get(kind)?.controller.replace(sources)
  }

  #startKind(kind: string, sources: readonly WatchSource[], term: Term): void {
    const former = this.#ended.get(kind) ?? Promise.resolve()
    const controller = new ControllerForKind(parseGroupKind(kind), sources, term.tools)
    const stop = new AbortController()
    // Two workers never reconcile one resource: the former controller of the kind ends before this one starts, and its hung runs keep their resources.
    const running = { controller, stop }
    const stopped = former
      .then(() => controller.start(stop.signal))
      .catch((error) => void this.#startAgain(kind, running, { error, term }))
    this.#running.set(kind, running)
    this.#ended.set(kind, stopped)
    this.#alive.add(controller)
    const forget = (): void => {
      this.#alive.delete(controller)
      if (this.#ended.get(kind) === stopped) this.#ended.delete(kind)
    }
    stopped.then(forget, forget)
  }

  /** Starts the controller of a kind again after a defect has ended it. */
  async #startAgain(kind: string, failed: Running, { error, term }: { error: unknown; term: Term }): Promise<void> {
    const wasRunning = this.#running.get(kind) === failed
    if (wasRunning) this.#running.delete(kind)
    await this.#failures.pause(kind, error, this.#signal)
    if (this.#running.has(kind) || term.isOver || this.#signal?.aborted) return
    const sources = this.#sources.get(kind)
    if (sources) this.#startKind(kind, sources, term)
    else if (wasRunning) this.#startRemoved(kind, term)
  }

  /** Starts a controller without entries. It ends when nothing of the kind is left. */
  #startRemoved(kind: string, term: Term): void {
    this.#startKind(kind, [], term)
    const started = this.#running.get(kind)
    const forget = (): void => {
      if (this.#running.get(kind) === started) this.#running.delete(kind)
    }
    this.#ended.get(kind)?.then(forget, forget)
  }

  #giveUp(kind: string, { stop }: Running): void {
    stop.abort(new Error('the watch entry has changed, or is not part of the project any more'))
    this.#running.delete(kind)
  }
}

/** Milliseconds. */
const LEDGER_RETRY = 30_000
/** Milliseconds. An ordinary run of many requests takes far less; one request takes at most 30 s. */
const RECONCILIATION_TIMEOUT = 10 * 60_000

const LOST = new Error('another process may lead')

const indexes = {
  [OWNER_UID_INDEX]: ownerUidsOf,
  [UID_INDEX]: ({ metadata: { uid = '' } }: KubeObject): readonly string[] => [uid],
}

interface QuietOptions {
  readonly pool: InformerPool
  readonly unseen: UnseenWrites
  controllers(): readonly ControllerForKind[]
}

/** Rounds in a row without work. One is not enough, since a watch may be delivering the next change. */
const QUIET_ROUNDS = 3

/**
 * Resolves when all kinds are watched, all informers have their first list, the watches have delivered our writes, and nothing is queued or
 * running. Informers that fail are not waited for.
 */
export async function untilQuiet(options: QuietOptions): Promise<void> {
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
    await nextTurn()
    await Promise.all(options.controllers().map((controller) => controller.idle()))
    if (!isCaughtUp(options)) quiet = -1
  }
}

function isCaughtUp({ pool, unseen, controllers }: QuietOptions): boolean {
  if (!controllers().every(({ isWatching }) => isWatching)) return false
  const isListed = ({ isSynced, lastError }: Informer): boolean => isSynced || lastError !== undefined
  return [...pool.informers()].every(isListed) && unseen.areSeen()
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

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
