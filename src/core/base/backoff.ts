export interface BackoffOptions {
  /** Milliseconds before the first retry. */
  readonly base: number
  /** Milliseconds that no delay exceeds. */
  readonly max: number
  /** Share of a delay that is random, 0 to 1. Defaults to 0.5: a delay lies between half and all of its step. */
  readonly jitter?: number
  /** A number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: () => number
}

/** Milliseconds to wait before retry number `attempt` (0 is the first): doubling, capped, with jitter. */
export function backoffDelay(attempt: number, options: BackoffOptions): number {
  const { base, max, jitter = 0.5, random = Math.random } = options
  const step = Math.min(max, base * 2 ** Math.min(attempt, 52))
  return step * (1 - jitter) + step * jitter * random()
}
