import { explain } from '../../../core/base/coded-error.ts'
import type { EventPort } from '../run/run-context.ts'
import {
  type FailedOutcome,
  isStop,
  type RunOutcome,
  type Stop,
  TaskFailure,
  type TaskOutcome,
} from '../task-outcome.ts'
import type { Secrecy } from './secrecy.ts'

/** An outcome whose words hold nothing that the run has seen of Secrets. */
export function redactOutcome<Outcome extends TaskOutcome>(outcome: Outcome, secrecy: Secrecy): Outcome {
  if (!isStop(outcome)) return outcome
  const others = outcome.others && redactStops(outcome.others, secrecy)
  if (outcome.kind === 'waiting') return { ...outcome, others, reason: secrecy.redact(outcome.reason) }
  return { ...outcome, others, error: redactError(outcome, secrecy) }
}

function redactStops(stops: readonly Stop[], secrecy: Secrecy): readonly Stop[] {
  return stops.map((stop) => ({ ...stop, outcome: redactOutcome(stop.outcome, secrecy) }))
}

/**
 * Redacts the outcome of a run at its end, when all values that it must hide are known. The message of a rescued failure is
 * older: it may hold a value that a later task has read from a Secret.
 */
export function redactRun(outcome: RunOutcome, secrecy: Secrecy): RunOutcome {
  const { stoppedBy, others = [] } = outcome
  if (!stoppedBy) return outcome
  const [first] = redactStops([stoppedBy], secrecy)
  return { ...outcome, stoppedBy: first, others: redactStops(others, secrecy) }
}

/** The same error as long as it holds nothing secret; else a redacted one without its causes, which may hold more. */
function redactError({ reason, error, retriable, retryAfter }: FailedOutcome, secrecy: Secrecy): Error {
  const whole = explain(error)
  if (secrecy.redact(whole) === whole) return error
  const message = secrecy.redact(error instanceof TaskFailure ? error.message : whole)
  return new TaskFailure(reason, message, { retriable, retryAfter })
}

/** The same error as long as neither it nor its causes hold anything secret; else one with the redacted message. */
export function redactThrown(error: unknown, secrecy: Pick<Secrecy, 'redact'>): unknown {
  const whole = explain(error)
  const redacted = secrecy.redact(whole)
  return redacted === whole ? error : new Error(redacted)
}

type Event = Parameters<EventPort['record']>[0]

export function redactEvent(event: Event, secrecy: Secrecy): Event {
  const { type, reason, message } = event
  // A reason has to stay one word.
  const shown = secrecy.redact(reason) === reason ? reason : 'Redacted'
  return { type, reason: shown, message: secrecy.redact(message) }
}
