import type { RunReport } from '../../reconcile/trace/run-report.ts'
import { type Reconciler, type Request, requestKey } from '../../runtime/reconciler.ts'

/** Follows a reload to its end: all runs that began before it have ended, and all resources that it concerns have run since. */
export class ReloadProgress {
  readonly #onEnd: () => void
  readonly #running = new Set<string>()
  /** The running requests whose run began before the last reload. */
  readonly #former = new Set<string>()
  readonly #awaited = new Set<string>()
  #isOver = true

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Begins to follow a reload that concerns these requests. */
  begin(concerned: readonly Request[]): void {
    this.#isOver = false
    for (const key of this.#running) this.#former.add(key)
    for (const request of concerned) this.#awaited.add(requestKey(request))
    this.#endIfOver()
  }

  /** Wraps a reconciler, so that its runs are counted. */
  observing(reconciler: Reconciler): Reconciler {
    return {
      timedOut: async (run, signal) => reconciler.timedOut?.(run, signal),
      reconcile: async (request, signal, turn) => {
        const key = requestKey(request)
        this.#running.add(key)
        try {
          return await reconciler.reconcile(request, signal, turn)
        } finally {
          this.#running.delete(key)
          this.#former.delete(key)
          this.#endIfOver()
        }
      },
    }
  }

  /** Notes that a run has ended with a result. A run without one is tried again. */
  observe({ request }: RunReport): void {
    const key = requestKey(request)
    if (!this.#former.has(key)) this.#awaited.delete(key)
  }

  #endIfOver(): void {
    if (this.#isOver || this.#former.size > 0 || this.#awaited.size > 0) return
    this.#isOver = true
    this.#onEnd()
  }
}
