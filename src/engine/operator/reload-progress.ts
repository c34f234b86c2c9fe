import type { RunReport } from '../reconcile/run-report.ts'
import { type Reconciler, type Request, requestKey } from '../runtime/reconciler.ts'

/** Follows reloads to their end: no run is left that began before, and all that the reload concerns has been run since. */
export class ReloadProgress {
  readonly #onEnd: () => void
  readonly #running = new Set<string>()
  /** Those of the running that began before the last reload. */
  readonly #former = new Set<string>()
  readonly #awaited = new Set<string>()
  #isOver = true

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** A reload that these requests are to be run for. */
  begin(concerned: readonly Request[]): void {
    this.#isOver = false
    for (const key of this.#running) this.#former.add(key)
    for (const request of concerned) this.#awaited.add(requestKey(request))
    this.#endIfOver()
  }

  /** The reconciler, whose runs are noticed. */
  watching(reconciler: Reconciler): Reconciler {
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

  /** Takes note that a run came to something. One that did not is tried again. */
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
