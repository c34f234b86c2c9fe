import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { sha256 } from '../../core/base/hash.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import { Slots } from '../../core/base/slots.ts'
import { isAlreadyExists, isNamespaceTerminating, isTransient } from '../../core/kube/api-error.ts'
import type { Writer } from '../../core/kube/client.ts'
import { apiVersionOf, type Gvk } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../core/kube/object.ts'
import { BurstDelay } from './burst-delay.ts'
import { isNotLeading } from './leadership.ts'

/** The object that an event is about. */
export interface Regarding {
  readonly gvk: Gvk
  readonly key: ObjectKey
  readonly uid: string
}

export interface EventContent {
  readonly type: 'Normal' | 'Warning'
  /** CamelCase. */
  readonly reason: string
  /** Cut at 1024 bytes, the most that a server accepts. */
  readonly message: string
  /** The same content is written once for each occasion. Events with and without one have separate budgets. Defaults to none. */
  readonly occasion?: string | undefined
}

export interface EventRecorderOptions {
  readonly client: Pick<Writer, 'create'>
  readonly clock: Clock
  readonly logger: Logger
  /** The field manager: `rolebook`. */
  readonly reporter: string
  /** The name of the process that reports, cut at 128 characters, the most that a server accepts. Defaults to the reporter. */
  readonly instance?: string | undefined
}

/** How many events one object may have at once, and how long it takes until it may have one more. */
const BURST = 25
const REFILL_MS = 5 * 60_000
/** How many events of all objects may be in flight. */
const MAX_IN_FLIGHT = 200
/** How many may wait or be in flight, so that a slow server does not fill the memory. */
const MAX_PENDING = 5_000
const MAX_OBJECTS = 10_000
/** How many events of one object are remembered: more than it can have before one of them may be repeated. */
const MAX_NAMES = 200
const ATTEMPTS = 5
const MAX_MESSAGE_BYTES = 1024
const MAX_INSTANCE_LENGTH = 128

/** The events that were recorded for one object. */
interface Recorded {
  readonly names: Set<string>
  tokens: number
  refilledAt: number
}

/**
 * Writes Kubernetes Events in the background. The name of an event is made of its content, so the same content is written once, even after a
 * restart.
 *
 * `record` never waits and never fails: problems with events are only logged.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions
  /** By uid. Objects without a recent event come first. */
  readonly #recorded = new Map<string, Recorded>()
  readonly #flushing = new Set<() => void>()
  readonly #burst: BurstDelay
  readonly #slots = new Slots(MAX_IN_FLIGHT)
  #pending = 0

  constructor(options: EventRecorderOptions) {
    this.#options = options
    this.#burst = new BurstDelay(options.clock)
  }

  record(regarding: Regarding, content: EventContent, signal: AbortSignal): void {
    const event = { ...content, message: cut(content.message) }
    const name = nameOf(regarding, event)
    const recorded = this.#recordedOf(event.occasion === undefined ? regarding.uid : `${regarding.uid} itself`)
    if (recorded.names.has(name)) return
    if (!this.#hasToken(recorded)) {
      this.#options.logger.debug('an event is dropped: there are too many', { of: formatKey(regarding.key) })
      return
    }
    remember(recorded.names, name)
    this.#pending += 1
    const { clock, reporter, instance = reporter } = this.#options
    const object = toObject(name, regarding, event, { at: new Date(clock.now()), instance })
    const send = async (): Promise<void> => {
      await this.#slots.take()
      await this.#send(object, recorded, signal)
      this.#slots.giveBack()
      this.#sent()
    }
    // A person may have to look at a warning now.
    if (event.type === 'Warning') void send()
    else this.#burst.add(send)
  }

  #sent(): void {
    this.#pending -= 1
    if (this.#pending === 0) for (const resolve of this.#flushing) resolve()
  }

  /** Writes what waits. Resolves when no event is in flight, or `signal` aborts. */
  async flushed(signal: AbortSignal): Promise<void> {
    if (this.#pending === 0 || signal.aborted) return
    this.#burst.release()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#flushing.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    this.#flushing.delete(resolve)
  }

  #recordedOf(uid: string): Recorded {
    const known = this.#recorded.get(uid) ?? { names: new Set(), tokens: BURST, refilledAt: this.#now() }
    this.#recorded.delete(uid)
    this.#recorded.set(uid, known)
    const [oldest] = this.#recorded.keys()
    if (this.#recorded.size > MAX_OBJECTS && oldest !== undefined) this.#recorded.delete(oldest)
    return known
  }

  #hasToken(recorded: Recorded): boolean {
    const refills = Math.floor((this.#now() - recorded.refilledAt) / REFILL_MS)
    recorded.tokens = Math.min(BURST, recorded.tokens + refills)
    recorded.refilledAt += refills * REFILL_MS
    if (recorded.tokens === 0 || this.#pending >= MAX_PENDING) return false
    recorded.tokens -= 1
    return true
  }

  async #send(event: JsonObject & KubeObject, { names }: Recorded, signal: AbortSignal): Promise<void> {
    let delay: number | undefined = 0
    for (let attempt = 0; delay !== undefined && !signal.aborted; attempt += 1) {
      if (delay > 0) await this.#options.clock.sleep(delay, signal)
      delay = await this.#attempt(event, attempt, signal).catch((error: unknown) => {
        // A temporary problem: the next `record` of the same content may succeed.
        if (isTransient(error)) names.delete(String(event.metadata.name))
        const fields = { event: String(event.reason), error: String(error) }
        this.#options.logger.warn('cannot write an event', fields)
        return undefined
      })
    }
  }

  /** Sends an event once. Returns the milliseconds until the next try, if there is one. @throws what must be logged */
  async #attempt(event: KubeObject, attempt: number, signal: AbortSignal): Promise<number | undefined> {
    const { client, reporter } = this.#options
    try {
      await client.create(event, { fieldManager: reporter, signal })
      return undefined
    } catch (error) {
      if (signal.aborted || isNotWorthALine(error)) return undefined
      if (!isTransient(error) || attempt + 1 === ATTEMPTS) throw error
      return (error.retryAfterSeconds ?? 0) * 1000 + backoffDelay(attempt, RETRY)
    }
  }

  #now(): number {
    return this.#options.clock.monotonic()
  }
}

/** It is there, another process writes it, or its namespace is going, and with it the object that it is about. */
function isNotWorthALine(error: unknown): boolean {
  return isAlreadyExists(error) || isNotLeading(error) || isNamespaceTerminating(error)
}

const RETRY = { base: 1_000, max: 60_000 }

/** Remembers a name and drops the oldest one, since occasions never end. */
function remember(names: Set<string>, name: string): void {
  names.add(name)
  const [oldest] = names
  if (names.size > MAX_NAMES && oldest !== undefined) names.delete(oldest)
}

/** The name of an event. It is made of its object and content, so that the server refuses a second event of the same content. */
function nameOf({ key, uid }: Regarding, { type, reason, message, occasion }: EventContent): string {
  const content = [uid, type, reason, message, ...(occasion === undefined ? [] : [occasion])]
  const hash = sha256(content.join('\0')).slice(0, 16)
  const start = key.name.replace(/[^a-z0-9.-]/g, '-').slice(0, 253 - hash.length - 1)
  return `${start.replace(/^[.-]+|[.-]+$/g, '') || 'event'}.${hash}`
}

/** The event as an object. The server requires events on cluster-scoped objects to be in `default`. */
function toObject(
  name: string,
  { gvk, key, uid }: Regarding,
  event: EventContent,
  { at, instance }: { readonly at: Date; readonly instance: string },
): JsonObject & KubeObject {
  const { namespace } = key
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: namespace === '' ? 'default' : namespace },
    regarding: {
      apiVersion: apiVersionOf(gvk),
      kind: gvk.kind,
      ...(namespace !== '' && { namespace }),
      name: key.name,
      ...(uid !== '' && { uid }),
    },
    type: event.type,
    reason: event.reason,
    action: 'Reconcile',
    note: event.message,
    eventTime: at.toISOString().replace('Z', '000Z'),
    reportingController: 'rolebook.dev/operator',
    reportingInstance: instance.slice(0, MAX_INSTANCE_LENGTH),
  }
}

/** Cuts a text to the most bytes of UTF-8 that a server accepts, and marks the cut. */
function cut(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= MAX_MESSAGE_BYTES) return bytes.toString('utf8')
  const kept = bytes.subarray(0, MAX_MESSAGE_BYTES - Buffer.byteLength('…'))
  // A character that was cut in two is dropped.
  return `${new TextDecoder().decode(kept, { stream: true })}…`
}
