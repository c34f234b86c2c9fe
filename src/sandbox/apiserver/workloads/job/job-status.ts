import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, textAt } from '../../kinds/common/fields.ts'
import type { EventText } from '../common/event-correlator.ts'
import { isDeleting, specOf, statusOf, timestamp, withoutZeros } from '../common/objects.ts'
import { isActive, isReady, phaseOf } from '../common/pod-state.ts'
import { isIndexed, printIndexes } from './job-pod.ts'

export interface JobPods {
  readonly active: readonly KubeObject[]
  readonly succeeded: readonly KubeObject[]
  readonly failed: readonly KubeObject[]
  readonly terminating: readonly KubeObject[]
}

export function podsOfJob(pods: readonly KubeObject[]): JobPods {
  return {
    active: pods.filter(isActive),
    succeeded: pods.filter((pod) => phaseOf(pod) === 'Succeeded'),
    failed: pods.filter((pod) => phaseOf(pod) === 'Failed'),
    terminating: pods.filter((pod) => isDeleting(pod) && phaseOf(pod) !== 'Succeeded' && phaseOf(pod) !== 'Failed'),
  }
}

/** How a Job ended: the conditions it gets, in order. */
export interface Outcome {
  readonly conditions: readonly [first: string, second: string]
  readonly reason: string
  readonly message: string
  readonly event: EventText
}

/** How a Job has just ended, or `undefined` while it goes on. */
export function outcomeOf(job: KubeObject, pods: JobPods, now: number): Outcome | undefined {
  const { completions, activeDeadlineSeconds } = specOf(job)
  const start = Date.parse(textAt(statusOf(job), 'startTime'))
  if (pods.failed.length > numberAt(specOf(job), 'backoffLimit')) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  }
  if (typeof activeDeadlineSeconds === 'number' && now >= start + activeDeadlineSeconds * 1000) {
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline')
  }
  const needed = typeof completions === 'number' ? completions : 1
  const isIdle = completions !== undefined || pods.active.length === 0
  return pods.succeeded.length >= needed && isIdle ? SUCCESS : undefined
}

const SUCCESS: Outcome = {
  conditions: ['SuccessCriteriaMet', 'Complete'],
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
  event: { reason: 'Completed', message: 'Job completed' },
}

function failure(reason: string, message: string): Outcome {
  return { conditions: ['FailureTarget', 'Failed'], reason, message, event: { type: 'Warning', reason, message } }
}

/** What the status of a Job says about its pods and its end. */
export function jobStatus(
  job: KubeObject,
  pods: JobPods,
  { outcome, now }: { outcome: Outcome | undefined; now: number },
): JsonObject {
  const time = timestamp(now)
  const isSuspended = specOf(job).suspend === true
  const { startTime = isSuspended ? undefined : time } = statusOf(job)
  const isSuccess = outcome?.conditions[1] === 'Complete'
  const counts = withoutZeros({
    active: outcome ? 0 : pods.active.length,
    succeeded: pods.succeeded.length,
    failed: pods.failed.length,
    startTime: isSuspended ? undefined : startTime,
    completionTime: isSuccess ? time : undefined,
    completedIndexes: isIndexed(job) && pods.succeeded.length > 0 ? printIndexes(pods.succeeded) : undefined,
    conditions: outcome ? endConditions(job, outcome, time) : suspension(job, time),
  })
  const ready = outcome ? 0 : pods.active.filter(isReady).length
  return { ...counts, ready, terminating: pods.terminating.length, uncountedTerminatedPods: {} }
}

function endConditions(job: KubeObject, { conditions, reason, message }: Outcome, time: string): readonly JsonObject[] {
  const others = itemsAt(statusOf(job), 'conditions').filter(({ type }) => !conditions.includes(String(type)))
  const added = conditions.map((type) => ({
    type,
    status: 'True',
    lastProbeTime: time,
    lastTransitionTime: time,
    reason,
    message,
  }))
  return [...others, ...added]
}

/** A Job that never was suspended says nothing about it. */
function suspension(job: KubeObject, time: string): readonly JsonObject[] | undefined {
  const conditions = itemsAt(statusOf(job), 'conditions')
  const old = conditions.find(({ type }) => type === 'Suspended')
  const status = specOf(job).suspend === true ? 'True' : 'False'
  if (old?.status === status || (!old && status === 'False')) return conditions.length > 0 ? conditions : undefined
  const [reason, message] = status === 'True' ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed']
  const condition = { type: 'Suspended', status, lastProbeTime: time, lastTransitionTime: time, reason, message }
  return [...conditions.filter(({ type }) => type !== 'Suspended'), condition]
}
