import { explain } from '../../../core/base/coded-error.ts'
import type { Condition } from '../../../core/kube/condition.ts'
import { formatObject, type KubeObject } from '../../../core/kube/object.ts'
import type { Readiness } from '../../../core/kube/readiness.ts'
import type { FailureReason, RunOutcome, Stop } from '../../role/task-outcome.ts'
import { withPlace } from '../../role/written-place.ts'

/** An object whose readiness a task has judged. */
export interface JudgedObject {
  readonly object: KubeObject
  readonly readiness: Readiness
}

/** The three conditions of the engine. An absent one is removed from the status. */
export interface EngineConditions {
  readonly Ready: Condition
  readonly Reconciling?: Condition | undefined
  readonly Stalled?: Condition | undefined
}

export const ENGINE_CONDITION_TYPES = ['Ready', 'Reconciling', 'Stalled'] as const

const MAX_MESSAGE = 1024

/** The conditions after a run. Messages contain no times and stay the same while the problem does, so that they cause no writes. */
export function conditionsOfRun(run: RunOutcome, judged: readonly JudgedObject[]): EngineConditions {
  const { stoppedBy } = run
  if (!stoppedBy) return conditionsOfCompleteRun(judged)
  const { outcome } = stoppedBy
  const message = messageOf(stoppedBy, run)
  if (outcome.kind === 'waiting') return inProgress('Waiting', message)
  const { reason, retriable } = outcome
  if (retriable) return inProgress(READY_REASONS[reason], message)
  return { Ready: isFalse('Ready', READY_REASONS[reason], message), Stalled: isTrue('Stalled', reason, message) }
}

/** The conditions after a run of `finalize` tasks: they name the task that waits or failed, or say that children are being removed. */
export function conditionsOfFinalize(run: RunOutcome): EngineConditions {
  const { stoppedBy } = run
  if (!stoppedBy) return conditionsWhileDeleting('its objects are being removed')
  const { outcome } = stoppedBy
  const message = messageOf(stoppedBy, run)
  if (outcome.kind === 'waiting' || outcome.retriable) return conditionsWhileDeleting(message)
  return { Ready: isFalse('Ready', 'Deleting', message), Stalled: isTrue('Stalled', outcome.reason, message) }
}

/** Names all tasks that wait or failed, and where the role has the mistake. A long message loses its end, never that place. */
function messageOf(stoppedBy: Stop, { others = [] }: RunOutcome): string {
  const texts = [stoppedBy, ...others].map(({ task, outcome }) => {
    const words = outcome.kind === 'waiting' ? outcome.reason : explainBriefly(outcome.error)
    return withPlace(`task "${task}": ${words}`, outcome.place, MAX_MESSAGE)
  })
  return texts.join('; ')
}

export function conditionsWhilePaused(isTerminating = false): EngineConditions {
  const message = isTerminating
    ? 'paused: deletion waits until rolebook.dev/paused is removed'
    : 'annotation rolebook.dev/paused is set: nothing is written'
  return { Ready: isFalse('Ready', 'Paused', message) }
}

export function conditionsWhileDeleting(blockedBy: string): EngineConditions {
  return inProgress('Deleting', blockedBy)
}

export function conditionsOfTeardown(): EngineConditions {
  return { Ready: isFalse('Ready', 'Deleting', `${NO_ROLE}: its objects are removed`) }
}

/** A change of watches.yaml has taken the role of the resource away. Its objects stay. */
export function conditionsWithoutRole(): EngineConditions {
  const message = `${NO_ROLE}: its objects stay as they are and are not reconciled`
  return { Ready: isFalse('Ready', 'NoRole', message) }
}

/** Begins every message about a resource without a role. */
export const NO_ROLE = 'no watch entry selects the resource any more'

function conditionsOfCompleteRun(judged: readonly JudgedObject[]): EngineConditions {
  const unready = judged.filter(isUnready)
  const [first] = unready
  if (!first) return { Ready: isTrue('Ready', 'Ready', 'the cluster is as the role says') }
  const failed = unready.find(({ readiness }) => readiness.kind === 'failed')
  const message = describe(failed ?? first) + (unready.length > 1 ? ` (and ${unready.length - 1} more)` : '')
  return failed ? { Ready: isFalse('Ready', 'NotReady', message) } : inProgress('NotReady', message)
}

interface UnreadyObject extends JudgedObject {
  readonly readiness: Exclude<Readiness, { readonly kind: 'ready' }>
}

function isUnready(judged: JudgedObject): judged is UnreadyObject {
  return judged.readiness.kind !== 'ready'
}

function describe({ object, readiness }: UnreadyObject): string {
  const name = formatObject(object)
  return `${name} ${readiness.kind === 'failed' ? 'has failed' : 'is not ready'}: ${readiness.message}`
}

const READY_REASONS: Readonly<Record<FailureReason, string>> = {
  Failed: 'Failed',
  Forbidden: 'Forbidden',
  Invalid: 'Invalid',
  NameCollision: 'Conflict',
  FieldConflict: 'Conflict',
  DriftFight: 'Conflict',
  NonDeterministic: 'Failed',
  ExpressionLimit: 'Failed',
}

function inProgress(reason: string, message: string): EngineConditions {
  return { Ready: isFalse('Ready', reason, message), Reconciling: isTrue('Reconciling', reason, message) }
}

function isTrue(type: string, reason: string, message: string): Condition {
  return { type, status: 'True', reason, message: cut(message) }
}

function isFalse(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message: cut(message) }
}

/** Leaves out the causes of a `TaskFailure`, whose message already contains them. */
function explainBriefly(error: Error): string {
  return error.name === 'TaskFailure' ? error.message : explain(error)
}

function cut(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message
}
