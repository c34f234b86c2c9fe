import { backoffDelay } from '../base/backoff.ts'
import type { RunOutcome } from '../role/task-outcome.ts'
import type { ReconcileResult } from '../runtime/reconciler.ts'

/** How a run ended, as far as the next one is concerned. */
export type RunEnd =
  /** `period` in milliseconds; 0 is never. */
  | { readonly kind: 'complete'; readonly period: number }
  /** `deadline`: milliseconds until the wait counts as failed. */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly deadline?: number | undefined }
  | { readonly kind: 'retriable'; readonly retryAfter?: number | undefined }
  | { readonly kind: 'terminal'; readonly attempt: number; readonly retryAfter?: number | undefined }
  | { readonly kind: 'forbidden'; readonly attempt: number }
  | { readonly kind: 'refused'; readonly attempt: number }
  /** What it has to say is not in the status yet: milliseconds until it must be, or the run's `deadline` is over. */
  | { readonly kind: 'withheld'; readonly left: number }
  /** It has not begun yet: milliseconds until it may. */
  | { readonly kind: 'postponed'; readonly pause: number }
  | { readonly kind: 'gone' }

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** The fallback for an event that never comes. */
const WAITING = { base: 5 * SECOND, max: 5 * MINUTE }
/** Nothing but an edit can help; unless the world was repaired in a way that no event tells of. */
const TERMINAL = { base: 5 * MINUTE, max: 60 * MINUTE }

/**
 * No event tells of a right that was granted. Nor is every refusal meant: a server that has just started refuses what it
 * allows a second later, and a ServiceAccount or a quota may be on its way.
 */
const FORBIDDEN = { base: 5 * SECOND, max: 5 * MINUTE }

/**
 * A server refuses values for reasons outside of the role: another Service has the node port, a quota is used up, a class is
 * not there yet. Such a refusal ends without an edit, so the first tries follow soon.
 */
const REFUSED = { base: SECOND, max: 5 * MINUTE }

/** What each end of a run leads to. The one place that decides when a resource is looked at again. */
export function toResult(end: RunEnd, random: () => number = Math.random): ReconcileResult {
  switch (end.kind) {
    case 'complete':
      return end.period > 0 ? { requeueAfter: spread(end.period, random), requeuePriority: 'backlog' } : {}
    case 'waiting': {
      const fallback = backoffDelay(end.attempt, { ...WAITING, random })
      return { requeueAfter: Math.min(fallback, end.deadline ?? fallback), requeuePriority: 'retry' }
    }
    case 'retriable':
      return { retry: true, minimumDelay: end.retryAfter }
    case 'terminal':
      return {
        requeueAfter: end.retryAfter ?? backoffDelay(end.attempt, { ...TERMINAL, random }),
        requeuePriority: 'retry',
      }
    case 'forbidden':
      return { requeueAfter: backoffDelay(end.attempt, { ...FORBIDDEN, random }), requeuePriority: 'retry' }
    case 'refused':
      return { requeueAfter: backoffDelay(end.attempt, { ...REFUSED, random }), requeuePriority: 'retry' }
    case 'withheld':
      return { requeueAfter: end.left, requeuePriority: 'retry' }
    case 'postponed':
      return { requeueAfter: end.pause, requeuePriority: 'retry' }
    case 'gone':
      return {}
  }
}

export interface EndContext {
  /** Runs in a row that ended alike, this one included. */
  readonly waiting: number
  readonly terminal: number
  readonly deadline?: number | undefined
  readonly period: number
  /** Milliseconds after which the status is to be written. Defaults to 0: it was. */
  readonly withheld?: number | undefined
}

/** How a run ended. */
export function endOf(outcome: RunOutcome, { waiting, terminal, deadline, period, withheld = 0 }: EndContext): RunEnd {
  const stop = outcome.stoppedBy?.outcome
  if (withheld > 0 && stop?.kind !== 'failed')
    return { kind: 'withheld', left: Math.min(withheld, deadline ?? withheld) }
  if (!stop) return { kind: 'complete', period }
  if (stop.kind === 'waiting') return { kind: 'waiting', attempt: waiting - 1, deadline }
  const { reason, retriable, retryAfter, isRefusal } = stop
  if (isRefusal && !retriable) return { kind: 'refused', attempt: terminal - 1 }
  if (reason === 'Forbidden' && !retriable) return { kind: 'forbidden', attempt: terminal - 1 }
  return retriable ? { kind: 'retriable', retryAfter } : { kind: 'terminal', attempt: terminal - 1, retryAfter }
}

/** Ten percent either way, so that resources made together do not stay together. */
function spread(period: number, random: () => number): number {
  return period * (0.9 + 0.2 * random())
}
