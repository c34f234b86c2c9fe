import { LongTurnNeeded } from '../role/long-turn-needed.ts'
import type { ReconcileResult } from '../runtime/reconciler.ts'
import type { Visit } from './role-run.ts'
import type { Wakes } from './wakes.ts'

/** What a run comes to. One that gave up because it computes for long comes to nothing; the next knows what woke it. */
export async function runOrPostpone(
  wakes: Wakes,
  { request, woken }: Visit,
  run: () => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof LongTurnNeeded)) throw error
    wakes.putBack(request, woken)
    return { needsLongTurn: true }
  }
}
