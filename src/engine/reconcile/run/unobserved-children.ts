import type { JudgedObject } from '../apply/object-port.ts'

/** Milliseconds. A running controller sees a change within about 30. */
const PATIENCE = 2_000

/**
 * Since when the controllers of children have not observed them, by uid. A child that changes again meanwhile gets no more time. The times
 * start anew after a restart.
 */
export class UnobservedChildren {
  #since: ReadonlyMap<string, number> = new Map()

  /** Milliseconds until a child has been unobserved for too long; 0 if one has, or if all were observed. */
  left(judged: readonly JudgedObject[], now: number): number {
    const uids = judged
      .filter(({ readiness }) => readiness.kind === 'unobserved')
      .map(({ object }) => object.metadata.uid ?? '')
    this.#since = new Map(uids.map((uid) => [uid, this.#since.get(uid) ?? now]))
    if (this.#since.size === 0) return 0
    return Math.max(0, Math.min(...this.#since.values()) + PATIENCE - now)
  }
}
