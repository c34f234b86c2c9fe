import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { numberAt } from '../kinds/common/fields.ts'
import type { ClaimedObjects } from './common/claimed-objects.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { byAge, isDeleting, putStatus, specOf, statusOf, timestamp, withAnnotations } from './common/objects.ts'
import { type ConditionChange, findCondition, setCondition } from './deployment/conditions.ts'
import {
  allSetsOf,
  deploymentStatus,
  hasDeadline,
  isComplete,
  type Rollout,
  type RunningRollout,
  restingStatus,
  stuckIn,
} from './deployment/deployment-status.ts'
import { desiredOf, replicasOf } from './deployment/replica-counts.ts'
import {
  asRevision,
  findCurrent,
  newReplicaSet,
  nextRevision,
  REVISION,
  revisionOf,
  scaled,
  wasScaled,
} from './deployment/replica-set-revisions.ts'
import { nextScalings, replicasOfCurrent, type Scaling, scalingWhilePaused } from './deployment/rolling-update.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Rolls a Deployment's template out over ReplicaSets. */
export function deploymentController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'deployment-controller',
    kind: KINDS.deployment,
    reconciler: (tools) => new DeploymentReconciler(tools),
  })
}

class DeploymentReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #sets: ClaimedObjects

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#sets = tools.claimed(KINDS.replicaSet)
  }

  reconcile(deployment: KubeObject): void {
    const isPaused = specOf(deployment).paused === true
    if (isDeleting(deployment)) this.#rest(this.#rolloutOf(deployment))
    else if (isPaused) this.#pause(deployment)
    else this.#rollOut(deployment)
  }

  #rollOut(given: KubeObject): void {
    const deployment = this.#resumed(given)
    const found = this.#rolloutOf(deployment)
    if (wasScaled(deployment, allSetsOf(found))) {
      this.#apply(found, scalingWhilePaused(found))
      this.#rest(this.#rolloutOf(deployment))
      return
    }
    const rollout = this.#withCurrent(found)
    const scalings = nextScalings(rollout)
    this.#apply(rollout, scalings)
    const now = this.#rolloutOf(rollout.deployment)
    if (scalings.length === 0 && isComplete(now, statusOf(now.deployment))) this.#cleanUp(now)
    const time = this.#tools.clock.now()
    const stuck = stuckIn(putStatus(this.#tools.api, now.deployment, deploymentStatus(now, time)), time)
    if (stuck !== undefined) this.#tools.loop.enqueueAfter(keyOf(deployment), Math.max(1000, stuck + 1000))
  }

  /** A ReplicaSet for the present template, made if there is none, known as the newest revision. */
  #withCurrent(rollout: Rollout): RunningRollout {
    const { deployment, current, earlier } = rollout
    const revision = nextRevision(earlier)
    if (!current) {
      const created = this.#create(rollout, revision)
      const message = `Created new replica set "${created.metadata.name}"`
      const noted = this.#note(deployment, revision, { reason: 'NewReplicaSetCreated', message })
      return { deployment: noted, current: created, earlier }
    }
    const revised = asRevision(current, deployment, revision)
    const written = revised === current ? current : this.#tools.api.update(revised, CONTROLLER_MANAGER)
    const message = `Found new replica set "${current.metadata.name}"`
    const hasProgress = findCondition(statusOf(deployment), 'Progressing') !== undefined
    const progress = hasProgress ? undefined : { reason: 'FoundNewReplicaSet', message }
    return { deployment: this.#note(deployment, revisionOf(written), progress), current: written, earlier }
  }

  #create(rollout: Rollout, revision: number): KubeObject {
    const { deployment } = rollout
    const replicas = replicasOfCurrent(rollout)
    const created = this.#tools.api.create(newReplicaSet(deployment, replicas, revision), CONTROLLER_MANAGER)
    if (replicas > 0) this.#recordEvent(deployment, created, [0, replicas])
    return created
  }

  /** The revision, and that there is progress, in one write of the status. */
  #note(deployment: KubeObject, revision: number, progress?: Pick<ConditionChange, 'reason' | 'message'>): KubeObject {
    const annotated = withAnnotations(deployment, { [REVISION]: String(revision) })
    const status = progress && hasDeadline(deployment) ? this.#progressing(deployment, progress) : statusOf(deployment)
    if (annotated === deployment && jsonEquals(status, statusOf(deployment))) return deployment
    return this.#tools.api.update({ ...annotated, status }, CONTROLLER_MANAGER, 'status')
  }

  #progressing(deployment: KubeObject, progress: Pick<ConditionChange, 'reason' | 'message'>): JsonObject {
    const change: ConditionChange = { type: 'Progressing', status: 'True', ...progress }
    return setCondition(statusOf(deployment), change, timestamp(this.#tools.clock.now()))
  }

  #apply({ deployment }: Rollout, scalings: readonly Scaling[]): void {
    for (const { replicaSet, replicas } of scalings) {
      const before = replicasOf(replicaSet)
      const wanted = scaled(replicaSet, deployment, replicas)
      if (wanted !== replicaSet) this.#tools.api.update(wanted, CONTROLLER_MANAGER)
      if (before !== replicas) this.#recordEvent(deployment, replicaSet, [before, replicas])
    }
  }

  #recordEvent(deployment: KubeObject, set: KubeObject, [before, after]: readonly [number, number]): void {
    const verb = after > before ? 'up' : 'down'
    const message = `Scaled ${verb} replica set ${set.metadata.name} from ${before} to ${after}`
    this.#tools.events.record(deployment, { reason: 'ScalingReplicaSet', message })
  }

  #pause(deployment: KubeObject): void {
    const change = { reason: 'DeploymentPaused', message: 'Deployment is paused' }
    const progress = findCondition(statusOf(deployment), 'Progressing')
    const isNoted = progress?.reason === 'ProgressDeadlineExceeded' || progress?.reason === change.reason
    const noted = isNoted || !hasDeadline(deployment) ? deployment : this.#noteState(deployment, change)
    const rollout = this.#rolloutOf(noted)
    this.#apply(rollout, scalingWhilePaused(rollout))
    this.#rest(this.#rolloutOf(noted))
  }

  #resumed(deployment: KubeObject): KubeObject {
    if (findCondition(statusOf(deployment), 'Progressing')?.reason !== 'DeploymentPaused') return deployment
    return this.#noteState(deployment, { reason: 'DeploymentResumed', message: 'Deployment is resumed' })
  }

  #noteState(deployment: KubeObject, state: Pick<ConditionChange, 'reason' | 'message'>): KubeObject {
    const change: ConditionChange = { type: 'Progressing', status: 'Unknown', ...state }
    return putStatus(
      this.#tools.api,
      deployment,
      setCondition(statusOf(deployment), change, timestamp(this.#tools.clock.now())),
    )
  }

  #rest(rollout: Rollout): void {
    putStatus(this.#tools.api, rollout.deployment, restingStatus(rollout, this.#tools.clock.now()))
  }

  /** Removes ReplicaSets beyond the history that the Deployment wants to keep. */
  #cleanUp({ earlier, deployment }: Rollout): void {
    const idle = earlier.filter((set) => desiredOf([set]) === 0 && numberAt(statusOf(set), 'replicas') === 0)
    const excess = idle.length - numberAt(specOf(deployment), 'revisionHistoryLimit')
    const oldest = [...idle].sort((left, right) => revisionOf(left) - revisionOf(right) || byAge(left, right))
    for (const set of oldest.slice(0, Math.max(0, excess))) {
      if (!isDeleting(set)) this.#tools.api.delete(KINDS.replicaSet, keyOf(set), { uid: set.metadata.uid })
    }
  }

  #rolloutOf(deployment: KubeObject): Rollout {
    const sets = this.#sets.claim(deployment)
    const current = findCurrent(deployment, sets)
    return { deployment, current, earlier: sets.filter((set) => set !== current) }
  }
}
