import { LongTurnNeeded } from '../../role/long-turn-needed.ts'
import type { ReconcileResult } from '../../runtime/reconciler.ts'
import type { PendingTriggers } from './pending-triggers.ts'
import type { ReconcileContext } from './role-run.ts'

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
