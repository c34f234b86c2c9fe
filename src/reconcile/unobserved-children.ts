import type { JudgedObject } from './object-port.ts'

/** Milliseconds. A controller that is at work sees a change within some 30. */
const PATIENCE = 2_000

/**
 * Since when the controllers of a resource's children have not seen them, by uid: a child that changes again meanwhile gets
 * no more time. Kept in memory: after a restart the times begin anew.
 */
export class UnobservedChildren {
  #since: ReadonlyMap<string, number> = new Map()

  /** Milliseconds until one of the children has been unobserved for too long; 0: it has, or none is. */
  left(judged: readonly JudgedObject[], now: number): number {
    const uids = judged
      .filter(({ readiness }) => readiness.kind === 'unobserved')
      .map(({ object }) => object.metadata.uid ?? '')
    this.#since = new Map(uids.map((uid) => [uid, this.#since.get(uid) ?? now]))
    if (this.#since.size === 0) return 0
    return Math.max(0, Math.min(...this.#since.values()) + PATIENCE - now)
  }
}
