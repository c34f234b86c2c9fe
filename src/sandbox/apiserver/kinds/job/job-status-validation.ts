import { isJsonArray, type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { duplicate, type FieldErrors, invalid, notNegative, required } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { validateIndexes } from './status-indexes-validation.ts'

const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating']

/** What is looked at only where it has changed: a spec may have changed under the rest. */
interface Job {
  readonly spec: JsonObject
  readonly status: JsonObject
  readonly old: JsonObject
}

/** Errors in a new status of a Job. */
export function validateJobStatus(object: KubeObject, before: KubeObject): FieldErrors {
  const job = { spec: objectAt(before, 'spec'), status: objectAt(object, 'status'), old: objectAt(before, 'status') }
  return [
    ...COUNTS.flatMap((name) => notNegative(`status.${name}`, job.status[name])),
    ...validateUncounted(objectAt(job.status, 'uncountedTerminatedPods'), 'status.uncountedTerminatedPods'),
    ...validateEnd(job),
    ...validateIndexes(job.spec, job.status, job.old),
    ...validatePods(job),
    ...validateSuccess(job),
    ...validateChanges(job),
  ]
}

function validateUncounted(pods: JsonObject, field: string): FieldErrors {
  const seen = new Set<string>()
  return ['succeeded', 'failed'].flatMap((name) => {
    const uids = isJsonArray(pods[name]) ? pods[name].map(String) : []
    return uids.flatMap((uid, index) => {
      const place = `${field}.${name}[${index}]`
      if (uid === '') return [invalid(place, uid, 'must not be empty')]
      if (seen.has(uid)) return [duplicate(place, uid)]
      seen.add(uid)
      return []
    })
  })
}

function holds(status: JsonObject, type: string): boolean {
  return itemsAt(status, 'conditions').some((condition) => condition.type === type && condition.status === 'True')
}

function isFinished(status: JsonObject): boolean {
  return holds(status, 'Complete') || holds(status, 'Failed')
}

function changed({ status, old }: Job, ...names: readonly string[]): boolean {
  return names.some((name) => !jsonEquals(status[name], old[name]))
}

/** Whether any of the conditions has begun or ceased to hold. */
function turned({ status, old }: Job, ...types: readonly string[]): boolean {
  return types.some((type) => holds(status, type) !== holds(old, type))
}

function aboutConditions(detail: string): FieldErrors[number] {
  return { ...invalid('status.conditions', null, detail), shown: 'nothing' }
}

/** Conditions that say that a Job is over, and the times and counts that go with them. */
function validateEnd(job: Job): FieldErrors {
  const { status } = job
  const isComplete = holds(status, 'Complete')
  const isFailed = holds(status, 'Failed')
  const timeChanged = turned(job, 'Complete') || changed(job, 'completionTime')
  return [
    ...(turned(job, 'Complete', 'Failed') && isComplete && isFailed
      ? [aboutConditions('cannot set Complete=True and Failed=true conditions')]
      : []),
    ...(turned(job, 'Complete', 'FailureTarget') && isComplete && holds(status, 'FailureTarget')
      ? [aboutConditions('cannot set Complete=True and FailureTarget=true conditions')]
      : []),
    ...(timeChanged ? validateCompletionTime(status, isComplete) : []),
    ...(changed(job, 'startTime', 'completionTime') ? validateOrder(status) : []),
    ...((turned(job, 'Failed') || changed(job, 'failedIndexes')) && isFailed && !holds(status, 'FailureTarget')
      ? [aboutConditions('cannot set Failed=True condition without the FailureTarget=true condition')]
      : []),
    ...(turned(job, 'Complete', 'SuccessCriteriaMet') && isComplete && !holds(status, 'SuccessCriteriaMet')
      ? [aboutConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')]
      : []),
    ...validateFinished(job),
  ]
}

function validateCompletionTime({ completionTime: time }: JsonObject, isComplete: boolean): FieldErrors {
  const field = 'status.completionTime'
  if (time !== undefined && !isComplete) {
    return [invalid(field, time, 'cannot set completionTime when there is no Complete=True condition')]
  }
  return time === undefined && isComplete ? [required(field, 'completionTime is required for Complete jobs')] : []
}

function validateOrder({ startTime, completionTime }: JsonObject): FieldErrors {
  if (startTime === undefined || completionTime === undefined) return []
  if (Date.parse(String(completionTime)) >= Date.parse(String(startTime))) return []
  return [invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`')]
}

/** A Job that is over has started, and has no pods left. */
function validateFinished(job: Job): FieldErrors {
  const { spec, status, old } = job
  if (!isFinished(status)) return []
  const isNew = !isFinished(old)
  const active = numberAt(status, 'active')
  const uncounted = objectAt(status, 'uncountedTerminatedPods')
  const isUncounted = ['failed', 'succeeded'].some((name) => isJsonArray(uncounted[name]) && uncounted[name].length > 0)
  const neverStarts = spec.suspend === true && spec.completions === 0
  return [
    ...((isNew || changed(job, 'active')) && active > 0
      ? [invalid('status.active', active, 'active>0 is invalid for finished job')]
      : []),
    ...((isNew || changed(job, 'startTime')) && !neverStarts && status.startTime === undefined
      ? [required('status.startTime', 'startTime is required for finished job')]
      : []),
    ...((isNew || changed(job, 'uncountedTerminatedPods')) && isUncounted
      ? [invalid('status.uncountedTerminatedPods', uncounted, 'must be empty for finished job')]
      : []),
  ]
}

function validatePods(job: Job): FieldErrors {
  const { status, old } = job
  const [active, ready, terminating] = ['active', 'ready', 'terminating'].map((name) => numberAt(status, name)) as [
    number,
    number,
    number,
  ]
  const isOver = isFinished(status) && (!isFinished(old) || changed(job, 'terminating'))
  return [
    ...(isOver && terminating > 0
      ? [invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : []),
    ...(changed(job, 'ready', 'active') && ready > active
      ? [invalid('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
  ]
}

/** A Job that has had enough success neither fails nor goes back. */
function validateSuccess({ spec, status }: Job): FieldErrors {
  const isMet = holds(status, 'SuccessCriteriaMet')
  const isUnexplained = spec.successPolicy !== undefined && !isMet && holds(status, 'Complete')
  const unexplained = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'
  return [
    ...['Failed', 'FailureTarget']
      .filter((type) => isMet && holds(status, type))
      .map((type) => aboutConditions(`cannot set SuccessCriteriaMet=True and ${type}=true conditions`)),
    ...(isUnexplained ? [aboutConditions(unexplained)] : []),
  ]
}

function validateChanges(job: Job): FieldErrors {
  const { spec, status, old } = job
  const undone = ['Failed', 'Complete', 'FailureTarget'].filter((type) => holds(old, type) && !holds(status, type))
  const shrinks = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism
  const less = (name: string): FieldErrors => {
    const count = numberAt(status, name)
    return count < numberAt(old, name) ? [invalid(`status.${name}`, count, `cannot decrease the ${name} counter`)] : []
  }
  const [wasMet, isMet] = [holds(old, 'SuccessCriteriaMet'), holds(status, 'SuccessCriteriaMet')]
  return [
    ...undone.map((type) => aboutConditions(`cannot disable the terminal ${type}=True condition`)),
    ...less('failed'),
    ...(shrinks ? [] : less('succeeded')),
    ...validateTimes(job),
    ...(wasMet && !isMet ? [aboutConditions('cannot disable the SuccessCriteriaMet=True condition')] : []),
    ...(holds(old, 'Complete') && !wasMet && isMet
      ? [aboutConditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')]
      : []),
  ]
}

/** Times stay, once they are set; a Job that is suspended may start again. */
function validateTimes(job: Job): FieldErrors {
  const { spec, status, old } = job
  const { startTime = null, completionTime } = status
  const isMoved = completionTime !== undefined && old.completionTime !== undefined && changed(job, 'completionTime')
  const isResumed = holds(old, 'Suspended') && suspendedOf(status) === 'False'
  const isRestarted = old.startTime !== undefined && changed(job, 'startTime') && spec.suspend !== true && !isResumed
  return [
    ...(isMoved ? [invalid('status.completionTime', completionTime, 'field is immutable')] : []),
    ...(isRestarted ? [invalid('status.startTime', startTime, 'field is immutable for unsuspended job once set')] : []),
  ]
}

function suspendedOf(status: JsonObject): string {
  return textAt(
    itemsAt(status, 'conditions').find(({ type }) => type === 'Suspended'),
    'status',
  )
}
