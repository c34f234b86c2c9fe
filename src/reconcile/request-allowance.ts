/** What a resource may ask at once: twice what the first run of a resource with the most objects does. */
const MOST = 10_000
/** What it gets back in a second, as most clients of Kubernetes allow themselves. */
const PER_SECOND = 50

/** What one resource may ask of the server: one that is edited without end leaves the others their share. */
export class RequestAllowance {
  #left = MOST
  #since = 0

  /** A run has made so many requests. It was not stopped in the middle: what it made too many, the next one waits for. */
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
