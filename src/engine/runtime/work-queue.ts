import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { FairQueue, type Ticket } from './fair-queue.ts'
import type { LongTurns, Turn } from './long-turns.ts'
import { byPriority, moreUrgent, PRIORITIES, type Priority } from './priority.ts'
import { type Request, requestKey } from './reconciler.ts'

/** A share of the workers: requests of one key run at most `limit` at once. */
export interface Capacity {
  readonly key: string
  readonly limit: number
}

export interface WorkQueueOptions<Item extends Request = Request> {
  readonly clock: Clock
  /** Defaults to one share without limit. */
  readonly capacity?: ((request: Item) => Capacity) | undefined
  /** Shared with all queues on the same event loop. Defaults to none: runs may compute as long as they need. */
  readonly turns?: LongTurns | undefined
  /** Milliseconds of the first and of the longest backoff. */
  readonly backoff: { readonly base: number; readonly max: number }
  /** A number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: () => number
}

/** A request that a worker has taken. */
export interface Taken<Item extends Request = Request> {
  readonly request: Item
  readonly priority: Priority
  /** How many milliseconds it was ready. */
  readonly waited: number
  /** `done` ends it. */
  readonly turn?: Turn
}

/** The state of one request. It is forgotten when it is neither ready nor running nor delayed and has no failures. */
interface Entry<Item extends Request> {
  readonly request: Item
  readonly key: string
  ready?: { readonly priority: Priority; readonly ticket: Ticket<Entry<Item>> } | undefined
  /** When it last became ready. */
  readySince: number
  /** The capacity when the request last became ready. It is cached, since computing it is expensive with many shares. */
  capacity: Capacity
  running?: { readonly turn: Turn | undefined; again: Priority | undefined; isSetAside: boolean } | undefined
  delayed?: { readonly due: number; readonly priority: Priority; readonly cancel: () => void } | undefined
  failures: number
}

/**
 * Requests waiting for a worker.
 *
 * - A request is in the queue once, no matter how often it is added, in the most urgent class that was requested.
 * - It is never taken twice at once. If it is added while it runs, it runs exactly once more. This holds also for a run that was set aside,
 *   which uses no worker.
 * - Within a class, shares of capacity take turns, and within a share the namespaces.
 * - If a request runs before its delayed add is due, the delayed add is dropped: the run decides when to run again.
 * - A request in backoff runs sooner only after an edit, or once its failures are forgotten. Nothing else makes a failure less likely.
 * - Long runs begin when they do not delay short runs, not even those of other queues.
 * - Nothing is dropped before `shutDown`.
 */
export class WorkQueue<Item extends Request = Request> {
  readonly #options: WorkQueueOptions<Item>
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry<Item>>()
  readonly #classes = byPriority(() => new FairQueue<Entry<Item>>())
  readonly #runningIn = new Map<string, number>()
  readonly #workers: ((taken: Taken<Item> | undefined) => void)[] = []
  readonly #idlers: (() => void)[] = []
  #running = 0
  #closed = false

  constructor(options: WorkQueueOptions<Item>) {
    this.#options = options
    this.#clock = options.clock
  }

  add(request: Item, priority: Priority): void {
    if (this.#closed) return
    const entry = this.#entryOf(request)
    if (isInBackoff(entry) && priority !== 'edit') return
    this.#cancelDelay(entry)
    if (entry.running) entry.running.again = moreUrgent(entry.running.again, priority)
    else this.#makeReady(entry, priority)
    this.#serve()
  }

  /** Adds a request after `milliseconds`, unless it runs sooner. If there are several delays, the earliest counts. */
  addAfter(request: Item, milliseconds: number, priority: Priority): void {
    if (this.#closed) return
    const entry = this.#entryOf(request)
    if (entry.ready || entry.running?.again) return
    const due = this.#clock.monotonic() + milliseconds
    const urgency = moreUrgent(entry.delayed?.priority, priority)
    if (entry.delayed && entry.delayed.due <= due && entry.delayed.priority === urgency) return
    const earliest = Math.min(due, entry.delayed?.due ?? due)
    this.#cancelDelay(entry)
    const cancel = this.#clock.schedule(earliest - this.#clock.monotonic(), () => this.#fallDue(entry, urgency))
    entry.delayed = { due: earliest, priority: urgency, cancel }
  }

  /** Adds a request after its backoff, which doubles with each call until `forget`. */
  addWithBackoff(
    request: Item,
    options: { readonly minimumDelay?: number | undefined; priority?: Priority } = {},
  ): void {
    if (this.#closed) return
    const { backoff, random } = this.#options
    const entry = this.#entryOf(request)
    if (entry.running && entry.running.again !== 'edit') entry.running.again = undefined
    const delay = backoffDelay(entry.failures++, { ...backoff, ...(random && { random }) })
    this.addAfter(request, Math.max(delay, options.minimumDelay ?? 0), options.priority ?? 'retry')
  }

  /** Forgets the failures of a request: its next backoff is the shortest, and the present one does not delay it any more. */
  forget(request: Item): void {
    const entry = this.#entries.get(requestKey(request))
    if (!entry) return
    entry.failures = 0
    this.#dropIfUnknown(entry)
  }

  /** Waits for the next request; `undefined` once the queue is shut down. The worker must call `done` after its run. */
  take(): Promise<Taken<Item> | undefined> {
    const taken = this.#takeNow()
    if (taken || this.#closed) return Promise.resolve(taken)
    return new Promise((resolve) => this.#workers.push(resolve))
  }

  /** Notes that the run of a request has ended. */
  done(request: Item): void {
    const entry = this.#entries.get(requestKey(request))
    if (!entry?.running) return
    const { again } = entry.running
    this.#freeWorker(entry)
    entry.running = undefined
    if (again && !this.#closed) this.#makeReady(entry, again)
    this.#dropIfUnknown(entry)
    this.#serve()
  }

  /** Frees the worker of a run that continues. Other requests may run in its place, but not the request itself. */
  setAside(request: Item): void {
    const entry = this.#entries.get(requestKey(request))
    if (entry) this.#freeWorker(entry)
    this.#serve()
  }

  /** How many requests are ready in each class. */
  depth(): Record<Priority, number> {
    return byPriority((priority) => this.#classes[priority].size)
  }

  /** How many requests are ready, without running and delayed ones. */
  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#classes[priority].size, 0)
  }

  get running(): number {
    return this.#running
  }

  /** Resolves as soon as no request is ready or running. Delayed requests do not count. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#idlers.push(resolve))
  }

  /** Ends the queue: no request can be taken any more, and delayed ones are forgotten. */
  shutDown(): void {
    this.#closed = true
    for (const entry of [...this.#entries.values()]) {
      this.#cancelDelay(entry)
      if (entry.ready) this.#classes[entry.ready.priority].remove(entry.ready.ticket)
      entry.ready = undefined
      if (!entry.running) this.#entries.delete(entry.key)
    }
    for (const resolve of this.#workers.splice(0)) resolve(undefined)
    this.#notifyIdlers()
  }

  #fallDue(entry: Entry<Item>, priority: Priority): void {
    entry.delayed = undefined
    this.add(entry.request, priority)
  }

  #entryOf(request: Item): Entry<Item> {
    const key = requestKey(request)
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { request, key, readySince: 0, capacity: UNLIMITED, failures: 0 }
      this.#entries.set(key, entry)
    }
    return entry
  }

  #makeReady(entry: Entry<Item>, priority: Priority): void {
    const { ready } = entry
    if (ready && moreUrgent(ready.priority, priority) === ready.priority) return
    if (ready) this.#classes[ready.priority].remove(ready.ticket)
    entry.capacity = this.#options.capacity?.(entry.request) ?? UNLIMITED
    const ticket = this.#classes[priority].push(entry, entry.capacity.key, entry.request.namespace)
    if (!ready) entry.readySince = this.#clock.monotonic()
    entry.ready = { priority, ticket }
  }

  #takeNow(): Taken<Item> | undefined {
    for (const priority of this.#closed ? [] : PRIORITIES) {
      if (priority === 'long' && !this.#askForLongTurn()) continue
      const entry = this.#classes[priority].shift((group, next) => this.#hasRoom(group, next))
      if (entry) return this.#startRun(entry, priority)
    }
    return undefined
  }

  #startRun(entry: Entry<Item>, priority: Priority): Taken<Item> {
    const turn = this.#options.turns?.begin(priority === 'long')
    entry.ready = undefined
    entry.running = { turn, again: undefined, isSetAside: false }
    this.#running++
    this.#count(entry.capacity, 1)
    const waited = this.#clock.monotonic() - entry.readySince
    return { request: entry.request, priority, waited, ...(turn && { turn }) }
  }

  #freeWorker({ running, capacity }: Entry<Item>): void {
    if (!running || running.isSetAside) return
    running.isSetAside = true
    this.#running--
    this.#count(capacity, -1)
    running.turn?.end()
  }

  #hasRoom(group: string, next: Entry<Item>): boolean {
    return (this.#runningIn.get(group) ?? 0) < next.capacity.limit
  }

  /** Whether a long run may begin now. If not, the queue serves its workers again as soon as one may. */
  #askForLongTurn(): boolean {
    const { turns } = this.#options
    if (!turns || turns.isOpen || this.#classes.long.size === 0) return true
    turns.whenOpen(this.#serve)
    return false
  }

  #count({ key }: Capacity, change: number): void {
    const running = (this.#runningIn.get(key) ?? 0) + change
    if (running === 0) this.#runningIn.delete(key)
    else this.#runningIn.set(key, running)
  }

  #cancelDelay(entry: Entry<Item>): void {
    entry.delayed?.cancel()
    entry.delayed = undefined
  }

  #dropIfUnknown(entry: Entry<Item>): void {
    if (!(entry.ready || entry.running || entry.delayed || entry.failures)) this.#entries.delete(entry.key)
  }

  readonly #serve = (): void => {
    while (this.#workers.length > 0) {
      const taken = this.#takeNow()
      if (!taken) break
      this.#workers.shift()?.(taken)
    }
    this.#notifyIdlers()
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.size === 0
  }

  #notifyIdlers(): void {
    if (this.#isIdle()) for (const resolve of this.#idlers.splice(0)) resolve()
  }
}

/** Whether the request has failed and waits for its next try. */
function isInBackoff(entry: Entry<Request>): boolean {
  return entry.failures > 0 && entry.delayed !== undefined
}

const UNLIMITED: Capacity = { key: '', limit: Number.POSITIVE_INFINITY }
