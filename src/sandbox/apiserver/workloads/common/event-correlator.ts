import type { Clock } from '../../../../core/base/clock.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'

export interface EventText {
  readonly reason: string
  readonly message: string
  /** Defaults to `Normal`. */
  readonly type?: 'Normal' | 'Warning'
  /** What was done. Only components that write Events in their newer form say it. */
  readonly action?: string
}

export interface Correlated extends EventText {
  /** Events of the same key are one event that is counted. */
  readonly key: string
}

/** So many messages of one reason about one object get an event each. */
const MOST_SINGLE = 10
const TOGETHER_WITHIN_MS = 600_000
/** So many events about one object may come at once; one more every five minutes. */
const BURST = 25
const REFILL_MS = 300_000
const KEPT = 4096

/** What recorders of Go clients do so that a controller does not flood the events: they count, combine and drop. */
export class EventCorrelator {
  readonly #clock: Clock
  readonly #similar = new Map<string, { messages: Set<string>; at: number }>()
  readonly #budgets = new Map<string, { tokens: number; at: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `undefined`: there have been too many about this object. */
  correlate({ apiVersion, kind, metadata }: KubeObject, given: EventText): Correlated | undefined {
    const { reason, message, type } = given
    const about = [apiVersion, kind, metadata.namespace, metadata.name, metadata.uid].join(' ')
    if (!this.#takeToken(about)) return undefined
    const group = [about, type, reason].join(' ')
    const isMany = this.#countSimilar(group, message) >= MOST_SINGLE
    const text = isMany ? `(combined from similar events): ${message}` : message
    return { ...given, type: type ?? 'Normal', message: text, key: isMany ? group : `${group} ${message}` }
  }

  #countSimilar(group: string, message: string): number {
    const now = this.#clock.now()
    const known = this.#similar.get(group)
    const messages = known && now - known.at <= TOGETHER_WITHIN_MS ? known.messages : new Set<string>()
    messages.add(message)
    keep(this.#similar, group, { messages, at: now })
    if (messages.size < MOST_SINGLE) return messages.size
    const [oldest = ''] = messages
    messages.delete(oldest)
    return MOST_SINGLE
  }

  #takeToken(about: string): boolean {
    const now = this.#clock.now()
    const { tokens, at } = this.#budgets.get(about) ?? { tokens: BURST, at: now }
    const filled = Math.min(BURST, tokens + (now - at) / REFILL_MS)
    keep(this.#budgets, about, { tokens: filled >= 1 ? filled - 1 : filled, at: now })
    return filled >= 1
  }
}

/** Sets an entry, and forgets the one that was set longest ago when there are too many. */
export function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const [oldest = key] = map.keys()
  if (map.size > KEPT) map.delete(oldest)
}
