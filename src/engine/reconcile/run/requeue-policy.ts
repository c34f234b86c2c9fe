import { backoffDelay } from '../../../core/base/backoff.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import { type RunOutcome, type Stop, TaskFailure } from '../../role/task-outcome.ts'
import type { ReconcileResult, TimedOutRun } from '../../runtime/reconciler.ts'

/** How a run ended, as far as it matters for the next one. */
export type RunEnd =
  /** `period` in milliseconds; 0 is never. */
  | { readonly kind: 'complete'; readonly period: number }
  /** `deadline`: milliseconds until the wait counts as failed. */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly deadline?: number | undefined }
  | { readonly kind: 'retriable'; readonly retryAfter?: number | undefined }
  | { readonly kind: 'terminal'; readonly attempt: number; readonly retryAfter?: number | undefined }
  | { readonly kind: 'forbidden'; readonly attempt: number }
  | { readonly kind: 'refused'; readonly attempt: number }
  /** The status is not written yet. `left`: milliseconds until it must be. */
  | { readonly kind: 'withheld'; readonly left: number }
  /** The run has not begun. `pause`: milliseconds until it may. */
  | { readonly kind: 'postponed'; readonly pause: number }
  | { readonly kind: 'gone' }

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** A failure that may pass, such as a server that is away. */
export const RETRIABLE = { base: 200, max: 5 * MINUTE }
/** The fallback if the event that a task waits for never comes. */
const WAITING = { base: 5 * SECOND, max: 5 * MINUTE }
/** Only an edit can help, unless something was repaired without an event. */
const TERMINAL = { base: 5 * MINUTE, max: 60 * MINUTE }

/**
 * There is no event for a right that was granted. Some refusals end by themselves: a server that has just started refuses what it allows a
 * second later, and a ServiceAccount or a quota may be about to be created.
 */
const FORBIDDEN = { base: 5 * SECOND, max: 5 * MINUTE }

/**
 * A server may refuse values for reasons outside of the role: another Service has the node port, a quota is used up, a class does not
 * exist yet. Such a refusal ends without an edit, so the first tries come soon.
 */
const REFUSED = { base: SECOND, max: 5 * MINUTE }

/** Decides when a resource is reconciled again. This is the only place that does; the queue applies `RETRIABLE`. */
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
  /** How many runs in a row ended in a wait, this one included; `terminal` likewise. */
  readonly waiting: number
  readonly terminal: number
  readonly deadline?: number | undefined
  readonly period: number
  /** Milliseconds until the status must be written. Defaults to 0: it was written. */
  readonly withheld?: number | undefined
}

/** How a run ended. */
export function endOf(outcome: RunOutcome, { waiting, terminal, deadline, period, withheld = 0 }: EndContext): RunEnd {
  const stop = decisiveStop(outcome)
  if (withheld > 0 && stop?.kind !== 'failed')
    return { kind: 'withheld', left: Math.min(withheld, deadline ?? withheld) }
  if (!stop) return { kind: 'complete', period }
  if (stop.kind === 'waiting') return { kind: 'waiting', attempt: waiting - 1, deadline }
  const { reason, retriable, retryAfter, isRefusal } = stop
  if (isRefusal && !retriable) return { kind: 'refused', attempt: terminal - 1 }
  if (reason === 'Forbidden' && !retriable) return { kind: 'forbidden', attempt: terminal - 1 }
  return retriable ? { kind: 'retriable', retryAfter } : { kind: 'terminal', attempt: terminal - 1, retryAfter }
}

/** Of several tasks that wait or failed, one that may succeed by itself is not kept waiting by the others. */
export function decisiveStop({ stoppedBy, others = [] }: RunOutcome): Stop['outcome'] | undefined {
  if (!stoppedBy) return undefined
  const retriable = [stoppedBy, ...others].find(({ outcome }) => outcome.kind === 'failed' && outcome.retriable)
  return (retriable ?? stoppedBy).outcome
}

/** Varies the period by ten percent, so that resources that were created together are not reconciled together. */
function spread(period: number, random: () => number): number {
  return period * (0.9 + 0.2 * random())
}

/** The outcome of a run that was aborted at its deadline. `task` is the one that was running, if any. */
export function outcomeOfTimeout({ error, isHung }: Pick<TimedOutRun, 'error' | 'isHung'>, task = 'run'): RunOutcome {
  const next = isHung
    ? 'it continues although it was aborted, so the resource waits (restart the operator if it does not end)'
    : 'it was aborted and is tried again (see what the task waits for, or set a longer --reconciliation-timeout)'
  const outcome = toFailedOutcome(new TaskFailure('Failed', `${error.message}: ${next}`, { retriable: true }))
  return { complete: false, stoppedBy: { task, outcome }, tasks: [] }
}
