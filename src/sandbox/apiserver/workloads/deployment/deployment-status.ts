import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { numberAt } from '../../kinds/common/fields.ts'
import { specOf, statusOf, timestamp, withoutZeros } from '../common/objects.ts'
import {
  type ConditionChange,
  findCondition,
  REPLICA_FAILURE,
  removeCondition,
  renewCondition,
  setCondition,
} from './conditions.ts'
import { boundsOf, desiredOf, replicasOf, sumOf } from './replica-counts.ts'

/** A Deployment with its ReplicaSets: the one of its present template, and those of earlier ones. */
export interface Rollout {
  readonly deployment: KubeObject
  readonly current: KubeObject | undefined
  readonly earlier: readonly KubeObject[]
}

/** One whose present template has its ReplicaSet. */
export interface RunningRollout extends Rollout {
  readonly current: KubeObject
}

export function allSetsOf({ current, earlier }: Rollout): readonly KubeObject[] {
  return current ? [...earlier, current] : earlier
}

/** The status that a rollout has come to. */
export function deploymentStatus(rollout: Rollout, now: number): JsonObject {
  return withFailure(rolloutStatus(rollout, now), rollout)
}

function rolloutStatus(rollout: Rollout, now: number): JsonObject {
  const { deployment } = rollout
  const counted = withAvailability(countedStatus(rollout), rollout, now)
  if (!hasDeadline(deployment)) return removeCondition(counted, 'Progressing')
  const progress = findCondition(statusOf(deployment), 'Progressing')
  const isDone =
    numberAt(counted, 'replicas') === numberAt(counted, 'updatedReplicas') &&
    progress?.reason === 'NewReplicaSetAvailable'
  return isDone ? counted : withProgress(counted, rollout, now)
}

/** Only counts and availability: of a Deployment that is paused or goes away. */
export function restingStatus(rollout: Rollout, now: number): JsonObject {
  return withAvailability(countedStatus(rollout), rollout, now)
}

export function hasDeadline(deployment: KubeObject): boolean {
  const { progressDeadlineSeconds } = specOf(deployment)
  return typeof progressDeadlineSeconds === 'number' && progressDeadlineSeconds !== 2147483647
}

/** Everything is of the present template, available, and seen. */
export function isComplete({ deployment }: Rollout, status: JsonObject): boolean {
  const counts = ['updatedReplicas', 'replicas', 'availableReplicas']
  const isSeen = numberAt(status, 'observedGeneration') >= numberAt(deployment.metadata, 'generation')
  return isSeen && counts.every((count) => numberAt(status, count) === replicasOf(deployment))
}

/** Milliseconds until a rollout without progress counts as stuck; `undefined` when it cannot become so. */
export function stuckIn(deployment: KubeObject, now: number): number | undefined {
  const progress = findCondition(statusOf(deployment), 'Progressing')
  if (!hasDeadline(deployment) || !progress || FINAL.has(String(progress.reason))) return undefined
  const deadline = numberAt(specOf(deployment), 'progressDeadlineSeconds') * 1000
  return Date.parse(String(progress.lastUpdateTime)) + deadline - now
}

const FINAL = new Set(['NewReplicaSetAvailable', 'ProgressDeadlineExceeded', 'DeploymentPaused'])

function countedStatus(rollout: Rollout): JsonObject {
  const { deployment, current } = rollout
  const sets = allSetsOf(rollout)
  const available = sumOf(sets, 'availableReplicas')
  const { collisionCount, conditions } = statusOf(deployment)
  const counts = withoutZeros({
    observedGeneration: deployment.metadata.generation,
    replicas: sumOf(sets, 'replicas'),
    updatedReplicas: sumOf(current ? [current] : [], 'replicas'),
    readyReplicas: sumOf(sets, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, desiredOf(sets) - available),
    collisionCount,
    conditions,
  })
  return { ...counts, terminatingReplicas: sumOf(sets, 'terminatingReplicas') }
}

function withAvailability(status: JsonObject, { deployment }: Rollout, now: number): JsonObject {
  const needed = replicasOf(deployment) - boundsOf(deployment).unavailable
  const isAvailable = numberAt(status, 'availableReplicas') >= needed
  const change: ConditionChange = isAvailable
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
  return setCondition(status, change, timestamp(now))
}

function withProgress(status: JsonObject, rollout: Rollout, now: number): JsonObject {
  const { deployment, current } = rollout
  const subject = `ReplicaSet "${current?.metadata.name}"`
  const time = timestamp(now)
  if (isComplete(rollout, status)) {
    const message = `${subject} has successfully progressed.`
    return setCondition(
      status,
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message },
      time,
    )
  }
  if (hasProgressed(statusOf(deployment), status)) {
    const message = `${subject} is progressing.`
    return renewCondition(status, { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message }, time)
  }
  const stuck = stuckIn(rollout.deployment, now)
  if (stuck === undefined || stuck > 0) return status
  const message = `${subject} has timed out progressing.`
  return setCondition(
    status,
    { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message },
    time,
  )
}

/** What a ReplicaSet says of pods that are refused, that of the present template first. */
function withFailure(status: JsonObject, { current, earlier }: Rollout): JsonObject {
  const sets = [current, ...earlier].filter((set) => set !== undefined)
  const failures = sets.map((set) => findCondition(statusOf(set), REPLICA_FAILURE))
  const failure = failures.find((condition) => condition !== undefined)
  if (!failure) return removeCondition(status, REPLICA_FAILURE)
  const { lastTransitionTime, ...change } = failure
  return setCondition(status, change as unknown as ConditionChange, String(lastTransitionTime))
}

function hasProgressed(before: JsonObject, after: JsonObject): boolean {
  const old = (status: JsonObject): number => numberAt(status, 'replicas') - numberAt(status, 'updatedReplicas')
  const grown = ['updatedReplicas', 'readyReplicas', 'availableReplicas']
  return grown.some((count) => numberAt(after, count) > numberAt(before, count)) || old(after) < old(before)
}
