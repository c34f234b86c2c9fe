import { type Request, requestKey } from './reconciler.ts'

interface HungRun {
  readonly request: Request
  /** On the monotonic clock. */
  readonly began: number
  readonly ended: Promise<void>
}

/**
 * The hung runs of all controllers: runs that continue although they were aborted. A hung run may outlive its controller. Until it ends, no
 * controller runs its request again.
 */
export class HungRuns {
  readonly #runs = new Map<string, HungRun>()

  /** `ended` never rejects. */
  add(run: HungRun): void {
    const key = requestKey(run.request)
    this.#runs.set(key, run)
    void run.ended.then(() => this.#runs.delete(key))
  }

  /** Resolves when the hung run of a request has ended; `undefined` if there is none. */
  endOf(request: Request): Promise<void> | undefined {
    return this.#runs.get(requestKey(request))?.ended
  }

  requests(): readonly Request[] {
    return [...this.#runs.values()].map(({ request }) => request)
  }

  /** When the oldest one began, on the monotonic clock; `undefined` if there is none. */
  get oldest(): number | undefined {
    return this.#runs.size === 0 ? undefined : Math.min(...[...this.#runs.values()].map(({ began }) => began))
  }
}
