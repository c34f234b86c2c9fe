import { LongTurnNeeded } from '../../role/long-turn-needed.ts'
import { type ReconcileResult, type Request, requestKey } from '../../runtime/reconciler.ts'
import type { Trigger } from '../trace/run-trace.ts'
import type { ReconcileContext } from './role-run.ts'

/** Triggers that are kept of one request. Others are dropped: a run examines everything anyway. */
const MOST = 5

/** What triggered the requests that wait for their runs. It is only shown to people: no run depends on it. */
export class PendingTriggers {
  readonly #pending = new Map<string, Trigger[]>()

  note(request: Request, trigger: Trigger): void {
    const key = requestKey(request)
    const pending = this.#pending.get(key)
    if (!pending) this.#pending.set(key, [trigger])
    else if (pending.length < MOST) pending.push(trigger)
  }

  /** Returns the triggers since the last call. */
  take(request: Request): readonly Trigger[] {
    const key = requestKey(request)
    const pending = this.#pending.get(key) ?? []
    this.#pending.delete(key)
    return pending
  }

  /** Returns triggers that were taken for a run that did not happen. They come before those noted since. */
  putBack(request: Request, triggers: readonly Trigger[]): void {
    this.#pending.set(requestKey(request), [...triggers, ...this.take(request)].slice(0, MOST))
  }
}

/**
 * Runs a role. If the run gives up because it computes for long, the request is queued as a long one, and its triggers are kept for
 * the next run.
 */
export async function runOrPostpone(
  pendingTriggers: PendingTriggers,
  { request, triggers }: ReconcileContext,
  run: () => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof LongTurnNeeded)) throw error
    pendingTriggers.putBack(request, triggers)
    return { needsLongTurn: true }
  }
}
