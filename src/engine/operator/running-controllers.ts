import { backoffDelay } from '../../core/base/backoff.ts'
import { explain } from '../../core/base/coded-error.ts'
import { guarded } from '../../core/kube/client-decorators.ts'
import { formatGroupKind, parseGroupKind } from '../../core/kube/group-version-kind.ts'
import type { EngineOptions } from '../reconcile/engine-options.ts'
import { Ledger } from '../reconcile/ownership/ledger.ts'
import { layered } from '../runtime/client-layers.ts'
import { HungRuns } from '../runtime/hung-runs.ts'
import type { Informer } from '../runtime/informer.ts'
import { notLeading, type Shard } from '../runtime/leadership.ts'
import { LongTurns } from '../runtime/long-turns.ts'
import type { Metrics, QueueDepth } from '../runtime/metrics.ts'
import { ControllerForKind, type ControllerTools } from './controller-for-kind.ts'
import type { SharedInformers } from './watching/informer-caches.ts'
import { type SourcesByKind, settingsKey, type WatchSource } from './watching/watched-informers.ts'

/** The time from when the process leads until it may not lead any more. What began in a term is not written after it. */
export interface Term {
  readonly tools: Omit<ControllerTools, 'turns' | 'hung'>
  /** Of the whole operator. */
  readonly signal: AbortSignal
  isOver: boolean
}

/** What all controllers of a process share, those of former terms included. */
export type SharedLimits = Pick<ControllerTools, 'turns' | 'hung'>

export function newSharedLimits(clock: EngineOptions['clock']): SharedLimits {
  return { turns: new LongTurns(clock), hung: new HungRuns() }
}

export interface RunningControllersOptions extends Pick<EngineOptions, 'clock' | 'logger' | 'metrics'> {
  readonly limits: SharedLimits
  /** The present entries of the project. */
  sources(): SourcesByKind
}

interface Running {
  readonly controller: ControllerForKind
  readonly stop: AbortController
}

/** Milliseconds. */
const LEDGER_RETRY = 30_000

/** The controllers of a project, one for each kind. Two of one kind never work at the same time. */
export class RunningControllers {
  readonly #options: RunningControllersOptions
  readonly #limits: SharedLimits
  readonly #running = new Map<string, Running>()
  /** By kind: resolves when the last controller has ended, which is after all former ones have. */
  readonly #ended = new Map<string, Promise<void>>()
  /** Controllers that run, and former ones that have not ended yet. */
  readonly #alive = new Set<ControllerForKind>()
  readonly #failures: ControllerFailures

  constructor(options: RunningControllersOptions) {
    this.#options = options
    this.#limits = options.limits
    this.#failures = new ControllerFailures(options)
  }

  get all(): readonly ControllerForKind[] {
    return [...this.#running.values()].map(({ controller }) => controller)
  }

  ofKind(kind: string): ControllerForKind | undefined {
    return this.#running.get(kind)?.controller
  }

  /** How many requests are ready, by kind. */
  *queues(): IterableIterator<QueueDepth> {
    for (const [kind, { controller }] of this.#running) yield { kind, depth: controller.depth }
  }

  /** How many resources have lost their role and keep their objects, by kind. */
  withoutRole(): ReadonlyMap<string, number> {
    const counts = [...this.#running].map(([kind, { controller }]) => [kind, controller.withoutRole] as const)
    return new Map(counts.filter(([, count]) => count > 0))
  }

  /** How many milliseconds the oldest run has taken so far. */
  get longestRun(): number {
    const now = this.#options.clock.monotonic()
    const ofHung = now - (this.#limits.hung.oldest ?? now)
    return Math.max(ofHung, ...[...this.#alive].map((controller) => controller.longestRun))
  }

  /** The kinds whose controllers have failed and have not started again yet. */
  get failing(): readonly string[] {
    return this.#failures.down.filter((kind) => !this.#running.has(kind))
  }

  /** The kinds of the resources with hung runs, one for each run. */
  hungRuns(): readonly string[] {
    return this.#limits.hung.requests().map(formatGroupKind)
  }

  /** Resolves when all controllers have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#ended.values())
  }

  /** Starts a term with new controllers: what those of a former term remember is out of date. */
  start(term: Term): void {
    for (const [kind, sources] of this.#options.sources()) this.#startKind(kind, sources, term)
    void this.#serveRemoved(term)
  }

  /** Goes on with another project. */
  follow({ stop, start, update, restart }: ReloadPlan, term: Term): void {
    for (const [kind, running] of this.#running) {
      if (stop.includes(kind) || start.has(kind) || restart.has(kind)) this.#giveUp(kind, running)
    }
    for (const [kind, sources] of [...start, ...restart]) this.#startKind(kind, sources, term)
    for (const kind of stop) this.#startRemoved(kind, term)
    for (const [kind, sources] of update) this.ofKind(kind)?.replace(sources)
  }

  /** Takes no more work. Present runs go on to their end. */
  drain(): void {
    for (const controller of this.all) controller.drain()
  }

  abort(reason: Error): void {
    for (const { stop } of this.#running.values()) stop.abort(reason)
  }

  /** Aborts all controllers and forgets them. */
  clear(reason: Error): void {
    this.abort(reason)
    this.#running.clear()
  }

  /** Starts controllers for kinds that the ledger knows and no entry names: their resources have lost their role. */
  async #serveRemoved(term: Term): Promise<void> {
    const { clock, logger, sources } = this.#options
    const { signal, tools } = term
    while (!(signal.aborted || term.isOver)) {
      try {
        for (const kind of (await tools.ledger.watched(signal)).map(formatGroupKind)) {
          const isServed = sources().has(kind) || this.#running.has(kind)
          if (!isServed && !term.isOver) this.#startRemoved(kind, term)
        }
        return
      } catch (error) {
        logger.debug('cannot read which kinds have been watched before', { error: explain(error) })
        await clock.sleep(LEDGER_RETRY, signal)
      }
    }
  }

  #startKind(kind: string, sources: readonly WatchSource[], term: Term): void {
    const former = this.#ended.get(kind) ?? Promise.resolve()
    const controller = new ControllerForKind(parseGroupKind(kind), sources, { ...term.tools, ...this.#limits })
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
    await this.#failures.pause(kind, error, term.signal)
    if (this.#running.has(kind) || term.isOver || term.signal.aborted) return
    const sources = this.#options.sources().get(kind)
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

export interface ShardWorkOptions extends RunningControllersOptions {
  readonly shard: Shard
  readonly tools: Omit<Term['tools'], 'ledger' | 'shard'>
  /** Of the ledger. */
  readonly namespace: string
  /** Milliseconds that present runs may take before they are aborted. Defaults to 0. */
  readonly gracePeriod?: number | undefined
}

/** The work on one shard: controllers for its resources while this process leads it. Without shards there is one, for all resources. */
export class ShardWork {
  readonly shard: Shard
  readonly controllers: RunningControllers
  readonly #options: ShardWorkOptions
  #term: Term | undefined
  #signal: AbortSignal | undefined
  #unfollow: () => void = () => undefined

  constructor(options: ShardWorkOptions) {
    this.#options = options
    this.shard = options.shard
    this.controllers = new RunningControllers(options)
    this.shard.beforeRelease(() => this.#finishTerm())
  }

  /** Works whenever this process leads the shard, until `stop`. */
  start(signal: AbortSignal): void {
    this.#signal = signal
    this.#unfollow = this.shard.onChange((leads) => (leads ? this.#takeUp() : this.#layDown(LOST)))
    if (this.shard.leads) this.#takeUp()
  }

  /** Goes on with another project. */
  follow(plan: ReloadPlan): void {
    if (this.#term) this.controllers.follow(plan, this.#term)
  }

  /** The kinds whose controllers have failed and have not started again yet. */
  get failing(): readonly string[] {
    return this.#term ? this.controllers.failing : []
  }

  /** Waits until present runs have ended, up to the grace period. */
  async finish(): Promise<void> {
    const { gracePeriod = 0, clock, logger } = this.#options
    if (gracePeriod === 0) return
    this.controllers.drain()
    const done = new AbortController()
    const ended = this.controllers.ended().then(() => done.abort())
    await Promise.race([ended, clock.sleep(gracePeriod, done.signal)])
    if (!done.signal.aborted) logger.warn('runs are aborted: they did not end within the grace period', { gracePeriod })
  }

  async stop(reason: Error): Promise<void> {
    this.controllers.abort(reason)
    await this.controllers.ended()
    this.#unfollow()
    this.#layDown(reason)
  }

  /** Before another process gets the shard. */
  async #finishTerm(): Promise<void> {
    const term = this.#term
    if (!term) return
    await this.finish()
    if (this.#term === term) this.#layDown(RELEASED)
    await this.controllers.ended()
  }

  #takeUp(): void {
    const signal = this.#signal
    if (this.#term || signal?.aborted !== false) return
    this.#term = this.#newTerm(signal)
    this.controllers.start(this.#term)
  }

  #layDown(reason: Error): void {
    if (!this.#term) return
    this.#term.isOver = true
    this.#term = undefined
    this.controllers.clear(reason)
  }

  #newTerm(signal: AbortSignal): Term {
    const { shard, tools, namespace } = this.#options
    const check = (): void => {
      if (!shard.leads) this.#layDown(LOST)
      if (term.isOver) throw notLeading()
    }
    const client = layered(tools.client, { leadership: (inner) => guarded(inner, check) })
    const term: Term = {
      tools: { ...tools, shard, client, ledger: new Ledger(client, namespace) },
      signal,
      isOver: false,
    }
    return term
  }
}

const LOST = new Error('another process may lead')
const RELEASED = new Error('another process is to work on these resources')

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

export interface ControllerFailuresOptions extends Pick<EngineOptions, 'clock' | 'logger'> {
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

interface QuietOptions extends Pick<SharedInformers, 'pool' | 'unseen'> {
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
