/** How many requests a resource may make at once: twice as many as the first run of a resource with the most objects. */
const MOST = 10_000
/** How many requests it gets back each second, as most clients of Kubernetes do. */
const PER_SECOND = 50

/** Limits the requests for one resource, so that a resource that is edited all the time leaves others their share. */
export class RequestAllowance {
  #left = MOST
  #since = 0

  /** Notes the requests of a run. A run is never stopped in the middle; if it made too many, the next one waits. */
  spend(requests: number, now: number): void {
    this.#left = this.#leftAt(now) - requests
    this.#since = now
  }

  /** Milliseconds until the next run may begin. */
  pause(now: number): number {
    return Math.max(0, (-this.#leftAt(now) * 1000) / PER_SECOND)
  }

  #leftAt(now: number): number {
    return Math.min(MOST, this.#left + ((now - this.#since) * PER_SECOND) / 1000)
  }
}
