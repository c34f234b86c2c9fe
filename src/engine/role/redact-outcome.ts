import { explain } from '../../core/base/coded-error.ts'
import type { EventPort } from './run-context.ts'
import type { Secrecy } from './secrecy.ts'
import {
  type FailedOutcome,
  isStop,
  type RunOutcome,
  type Stop,
  TaskFailure,
  type TaskOutcome,
} from './task-outcome.ts'

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
 * What a run came to, once all is known that it must not tell: a failure that was rescued was put into words before later
 * tasks read what it tells.
 */
export function redactRun(outcome: RunOutcome, secrecy: Secrecy): RunOutcome {
  const { stoppedBy, others = [] } = outcome
  if (!stoppedBy) return outcome
  const [first] = redactStops([stoppedBy], secrecy)
  return { ...outcome, stoppedBy: first, others: redactStops(others, secrecy) }
}

/** The same error as long as it says nothing; else one without its causes, which may say more. */
function redactError({ reason, error, retriable, retryAfter }: FailedOutcome, secrecy: Secrecy): Error {
  const whole = explain(error)
  if (secrecy.redact(whole) === whole) return error
  const message = secrecy.redact(error instanceof TaskFailure ? error.message : whole)
  return new TaskFailure(reason, message, { retriable, retryAfter })
}

/** The same error as long as neither it nor its causes tell anything; else one of the same words without what is hidden. */
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
