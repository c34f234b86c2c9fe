import type { KubeObject } from '../../../../core/kube/object.ts'
import { numberAt } from '../../kinds/common/fields.ts'
import { byAge, statusOf } from '../common/objects.ts'
import { allSetsOf, type Rollout, type RunningRollout } from './deployment-status.ts'
import { boundsOf, desiredOf, isRecreate, replicasOf, sumOf } from './replica-counts.ts'

/** A ReplicaSet and the number of pods it shall have from now on; perhaps that which it has. */
export interface Scaling {
  readonly replicaSet: KubeObject
  readonly replicas: number
}

/** The next step of a rollout: at most one kind of step at a time, nothing when pods have to follow first. */
export function nextScalings(rollout: RunningRollout): readonly Scaling[] {
  if (isRecreate(rollout.deployment)) return recreate(rollout)
  const up = scaleCurrent(rollout)
  return up.length > 0 ? up : scaleEarlier(rollout)
}

/** How many pods the ReplicaSet of the present template may have now. */
export function replicasOfCurrent({ deployment, current, earlier }: Rollout): number {
  const desired = replicasOf(deployment)
  if (isRecreate(deployment)) return desired
  const own = current ? replicasOf(current) : 0
  const total = desiredOf(earlier) + own
  const room = desired + boundsOf(deployment).surge - total
  return room <= 0 ? own : own + Math.min(room, desired - own)
}

function scaleCurrent(rollout: RunningRollout): readonly Scaling[] {
  const { deployment, current } = rollout
  const desired = replicasOf(deployment)
  const own = replicasOf(current)
  const replicas = own > desired ? desired : replicasOfCurrent(rollout)
  return replicas === own ? [] : [{ replicaSet: current, replicas }]
}

function scaleEarlier(rollout: RunningRollout): readonly Scaling[] {
  const { deployment, current, earlier } = rollout
  const sets = allSetsOf(rollout)
  const running = earlier.filter((set) => replicasOf(set) > 0).sort(byAge)
  if (running.length === 0) return []
  const minimum = replicasOf(deployment) - boundsOf(deployment).unavailable
  const notYetAvailable = replicasOf(current) - numberAt(statusOf(current), 'availableReplicas')
  const removable = desiredOf(sets) - minimum - notYetAvailable
  if (removable <= 0) return []
  const unhealthy = takeFrom(
    running,
    removable,
    (set) => replicasOf(set) - numberAt(statusOf(set), 'availableReplicas'),
  )
  const left = new Map(unhealthy.map(({ replicaSet, replicas }) => [replicaSet, replicas]))
  const surplus = sumOf(sets, 'availableReplicas') - minimum
  const healthy = takeFrom(running, surplus, (set) => left.get(set) ?? replicasOf(set), left)
  return [...unhealthy.filter(({ replicaSet }) => !healthy.some((each) => each.replicaSet === replicaSet)), ...healthy]
}

/** Takes up to `budget` pods from sets, the oldest first, as many from each as `available` says. */
function takeFrom(
  sets: readonly KubeObject[],
  budget: number,
  available: (set: KubeObject) => number,
  left: ReadonlyMap<KubeObject, number> = new Map(),
): readonly Scaling[] {
  let rest = budget
  return sets.flatMap((replicaSet) => {
    const taken = Math.max(0, Math.min(rest, available(replicaSet)))
    if (taken === 0) return []
    rest -= taken
    return [{ replicaSet, replicas: (left.get(replicaSet) ?? replicasOf(replicaSet)) - taken }]
  })
}

/** All old pods go before the first new one comes. */
function recreate(rollout: RunningRollout): readonly Scaling[] {
  const running = rollout.earlier.filter((set) => replicasOf(set) > 0)
  if (running.length > 0) return running.map((replicaSet) => ({ replicaSet, replicas: 0 }))
  const isGone = sumOf(rollout.earlier, 'replicas') === 0 && sumOf(rollout.earlier, 'terminatingReplicas') === 0
  return isGone ? scaleCurrent(rollout) : []
}

/** A Deployment that is paused is scaled, too: in the ReplicaSet that runs, or in the newest one. */
export function scalingWhilePaused(rollout: Rollout): readonly Scaling[] {
  const { deployment, current, earlier } = rollout
  const running = allSetsOf(rollout).filter((set) => replicasOf(set) > 0)
  const desired = replicasOf(deployment)
  const [only] = running.length === 0 ? [current ?? [...earlier].sort(byAge).at(-1)] : running
  if (running.length > 1) return proportional(running, desired + boundsOf(deployment).surge)
  return only ? [{ replicaSet: only, replicas: desired }] : []
}

/** Spreads a total over sets as it is spread now; what rounding leaves goes to the largest. */
function proportional(sets: readonly KubeObject[], total: number): readonly Scaling[] {
  const now = desiredOf(sets)
  const bySize = [...sets].sort((left, right) => replicasOf(right) - replicasOf(left) || -byAge(left, right))
  const scalings = bySize.map((replicaSet) => ({
    replicaSet,
    replicas: Math.floor((replicasOf(replicaSet) * total) / now),
  }))
  const rest = total - scalings.reduce((sum, { replicas }) => sum + replicas, 0)
  return scalings.map((each, index) => (index === 0 ? { ...each, replicas: each.replicas + rest } : each))
}
