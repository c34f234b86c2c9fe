import { type Attributes, attributesOf } from '../access/attributes.ts'
import type { FaultCondition } from './fault-plan.ts'

/** What is known of a request before it is served. */
export interface FaultRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly userAgent: string
}

/** Counts the requests that fit a condition, and says of each whether its turn has come. */
export class RuleCounter {
  readonly #condition: FaultCondition
  readonly #random: () => number
  #count = 0

  /** `random` yields numbers from 0 to below 1. */
  constructor(condition: FaultCondition, random: () => number) {
    this.#condition = condition
    this.#random = random
  }

  fires(request: FaultRequest): boolean {
    const { userAgent, matches, every = 1, first = Number.POSITIVE_INFINITY, probability } = this.#condition
    if (userAgent !== undefined && !request.userAgent.includes(userAgent)) return false
    if (!fits(attributesOf(request), this.#condition)) return false
    const count = ++this.#count
    if (count % every !== 0 || count / every > first || matches?.includes(count) === false) return false
    return probability === undefined || this.#random() < probability
  }
}

function fits({ verb, resource }: Attributes, condition: FaultCondition): boolean {
  if (condition.verbs && !condition.verbs.includes(verb)) return false
  const wanted = ['group', 'subresource', 'namespace', 'name'] as const
  if (condition.resource !== undefined && resource?.plural !== condition.resource) return false
  return wanted.every((part) => condition[part] === undefined || resource?.[part] === condition[part])
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
