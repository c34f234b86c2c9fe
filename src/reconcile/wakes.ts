import { type Request, requestKey } from '../runtime/reconciler.ts'
import type { Wake } from './run-trace.ts'

/** Further ones are left out: a run looks at everything anyway. */
const MOST = 5

/** Why requests were queued, until they run: for people, who ask what woke a run. No run depends on it. */
export class Wakes {
  readonly #pending = new Map<string, Wake[]>()

  note(request: Request, wake: Wake): void {
    const key = requestKey(request)
    const pending = this.#pending.get(key)
    if (!pending) this.#pending.set(key, [wake])
    else if (pending.length < MOST) pending.push(wake)
  }

  /** Those since the last call. */
  take(request: Request): readonly Wake[] {
    const key = requestKey(request)
    const pending = this.#pending.get(key) ?? []
    this.#pending.delete(key)
    return pending
  }

  /** Takes back what was taken for a run that came to nothing: it came before what was noted since. */
  putBack(request: Request, wakes: readonly Wake[]): void {
    this.#pending.set(requestKey(request), [...wakes, ...this.take(request)].slice(0, MOST))
  }
}
