import { ApiError, isAlreadyExists } from '../../../core/kube/api-error.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { numberAt, objectAt } from '../kinds/common/fields.ts'
import type { ClaimedObjects } from './common/claimed-objects.ts'
import { ControllerRevisions } from './common/controller-revisions.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, withoutZeros } from './common/objects.ts'
import { availableIn, countPods, isFinished, phaseOf } from './common/pod-state.ts'
import { refusedOr } from './common/pod-writes.ts'
import { slowStart } from './common/slow-start.ts'
import { templateHash } from './common/template-hash.ts'
import type { Stages } from './stages.ts'
import { goesWithPod, setOfOwner, withOwner } from './stateful-set/claim-owners.ts'
import { claimsFor, isPodOf, ordinalOf, ordinalsOf, REVISION_LABEL, statefulPod } from './stateful-set/stateful-pod.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Keeps pods with a name of their own, one after the other. */
export function statefulSetController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'statefulset-controller',
    kind: KINDS.statefulSet,
    reconciler: (tools) => new StatefulSetReconciler(tools),
  })
}

/** Why a pod cannot have one of its claims. */
interface RefusedClaim {
  readonly text: string
  readonly refusal: ApiError
}

interface Revisions {
  readonly current: KubeObject
  readonly update: KubeObject
}

class StatefulSetReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #revisions: ControllerRevisions
  readonly #pods: ClaimedObjects

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#revisions = new ControllerRevisions(tools, 'controller.kubernetes.io/hash', (template) =>
      templateHash({ spec: { template } }),
    )
    this.#pods = tools.claimed(KINDS.pod)
    tools.subscribe(KINDS.claim, ({ type, object }) => {
      const name = setOfOwner(object)
      if (type === 'DELETED' && name) tools.loop.enqueue({ namespace: keyOf(object).namespace, name })
    })
  }

  reconcile(set: KubeObject): void {
    if (isDeleting(set)) return
    const revisions = this.#revisionsOf(set)
    const refusal = this.#step(set, revisions)
    this.#writeStatus(set, revisions)
    if (refusal) throw refusal
  }

  /** The revision that pods had before the present rollout, and the one they get. */
  #revisionsOf(set: KubeObject): Revisions {
    const update = this.#revisions.ensure(set, set.metadata.annotations)
    return { update, current: this.#revisions.find(set, statusOf(set).currentRevision) ?? update }
  }

  /** Creates, scales down, then updates; in order, one pod at a time, unless pods are managed in parallel. */
  #step(set: KubeObject, revisions: Revisions): ApiError | undefined {
    const inParallel = specOf(set).podManagementPolicy === 'Parallel'
    const pods = new Map(this.#pods.claim(set, (pod) => isPodOf(set, pod)).map((pod) => [ordinalOf(pod), pod]))
    const ordinals = ordinalsOf(set)
    for (const [ordinal, pod] of pods) {
      if (!isDeleting(pod) || !ordinals.includes(ordinal)) this.#giveOwners(set, pod)
    }
    const isWaiting = (pod: KubeObject | undefined): boolean => !(pod && this.#isAvailable(set, pod))
    const waiting = inParallel ? -1 : ordinals.findIndex((ordinal) => isWaiting(pods.get(ordinal)))
    const isHeldUp = waiting >= 0
    const refusal = slowStart(isHeldUp ? ordinals.slice(0, waiting + 1) : ordinals, (ordinal) => {
      const pod = pods.get(ordinal)
      if (!pod) return this.#create(set, ordinal, revisions)
      if (phaseOf(pod) === 'Pending') return this.#createClaims(set, pod)[0]?.refusal
      if (isFinished(pod) && !isDeleting(pod)) this.#remove(set, pod)
      return undefined
    })
    if (refusal || isHeldUp) return refusal
    const surplus = [...pods].filter(([ordinal]) => !ordinals.includes(ordinal)).sort(([a], [b]) => b - a)
    for (const [, pod] of surplus) {
      if (!isDeleting(pod)) this.#remove(set, pod)
      if (!inParallel) return undefined
    }
    this.#update(set, pods, revisions)
    return undefined
  }

  /** Claims go with whom the set's policy says. */
  #giveOwners(set: KubeObject, pod: KubeObject): void {
    for (const wanted of claimsFor(set, ordinalOf(pod))) {
      const claim = this.#tools.api.get(KINDS.claim, keyOf(wanted))
      const owned = claim && withOwner(claim, set, pod)
      if (owned && owned !== claim) this.#tools.api.update(owned, CONTROLLER_MANAGER)
    }
  }

  /** Replaces pods of earlier revisions from the highest ordinal down to the partition. */
  #update(set: KubeObject, pods: ReadonlyMap<number, KubeObject>, { update }: Revisions): void {
    const strategy = objectAt(specOf(set), 'updateStrategy')
    if (strategy.type !== 'RollingUpdate') return
    const partition = numberAt(objectAt(strategy, 'rollingUpdate'), 'partition')
    for (const ordinal of ordinalsOf(set).toReversed()) {
      const pod = pods.get(ordinal)
      if (!pod || ordinal < partition) return
      if (revisionOf(pod) !== update.metadata.name) {
        if (!isDeleting(pod)) this.#remove(set, pod)
        return
      }
      if (!this.#isAvailable(set, pod)) return
    }
  }

  #create(set: KubeObject, ordinal: number, { current, update }: Revisions): ApiError | undefined {
    const partition = numberAt(objectAt(objectAt(specOf(set), 'updateStrategy'), 'rollingUpdate'), 'partition')
    const pod = statefulPod(set, ordinal, ordinal < partition ? current : update)
    const claims = claimsFor(set, ordinal).map((wanted) => this.#tools.api.get(KINDS.claim, keyOf(wanted)))
    if (claims.some((claim) => claim && goesWithPod(claim, set, keyOf(pod).name))) return undefined
    const refusals = this.#createClaims(set, pod)
    const made = refusals[0]?.refusal ?? refusedOr(() => this.#tools.api.create(pod, CONTROLLER_MANAGER))
    const what = `Create ${placeOf(set, pod)}`
    if (!(made instanceof ApiError)) {
      this.#recordEvent(set, 'SuccessfulCreate', `${what} successful`)
      return undefined
    }
    const message = refusals.length > 0 ? printRefused(refusals) : made.message
    if (!isAlreadyExists(made)) this.#recordFailure(set, `${what} failed error: ${message}`)
    return made
  }

  /** Creates what a pod lacks of its claims. One that is in deletion goes first. */
  #createClaims(set: KubeObject, pod: KubeObject): readonly RefusedClaim[] {
    return claimsFor(set, ordinalOf(pod)).flatMap((wanted) => {
      const { name } = wanted.metadata
      const claim = this.#tools.api.get(KINDS.claim, keyOf(wanted))
      if (claim) {
        const text = `pvc ${name} is being deleted`
        return isDeleting(claim) ? [{ text, refusal: new ApiError(409, 'Conflict', text) }] : []
      }
      const refusal = this.#createClaim(set, wanted, placeOf(set, pod))
      return refusal ? [{ text: `failed to create PVC ${name}: ${refusal.message}`, refusal }] : []
    })
  }

  #createClaim(set: KubeObject, claim: KubeObject, place: string): ApiError | undefined {
    const subject = `Create Claim ${claim.metadata.name}`
    const made = refusedOr(() => this.#tools.api.create(claim, CONTROLLER_MANAGER))
    if (!(made instanceof ApiError)) {
      this.#recordEvent(set, 'SuccessfulCreate', `${subject} ${place} success`)
      return undefined
    }
    this.#recordFailure(set, `${subject} for ${place} failed error: ${made.message}`)
    return made
  }

  #remove(set: KubeObject, pod: KubeObject): void {
    this.#tools.api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid })
    this.#recordEvent(
      set,
      'SuccessfulDelete',
      `Delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    )
  }

  #recordEvent(set: KubeObject, reason: string, message: string): void {
    this.#tools.events.record(set, { reason, message })
  }

  #recordFailure(set: KubeObject, message: string): void {
    this.#tools.events.record(set, { type: 'Warning', reason: 'FailedCreate', message })
  }

  #isAvailable(set: KubeObject, pod: KubeObject): boolean {
    if (isDeleting(pod)) return false
    const wait = availableIn(pod, numberAt(specOf(set), 'minReadySeconds'), this.#tools.clock.now())
    if (wait) this.#tools.loop.enqueueAfter(keyOf(set), wait)
    return wait === 0
  }

  #writeStatus(set: KubeObject, { current, update }: Revisions): void {
    const pods = this.#pods.of(set)
    const counts = countPods(pods, numberAt(specOf(set), 'minReadySeconds'), this.#tools.clock.now())
    const ofRevision = ({ metadata }: KubeObject): number =>
      counts.active.filter((pod) => revisionOf(pod) === metadata.name).length
    const isDone = ofRevision(update) === counts.active.length && counts.ready === counts.active.length
    const reached = isDone && counts.active.length === numberAt(specOf(set), 'replicas') ? update : current
    const status = {
      ...withoutZeros({
        observedGeneration: set.metadata.generation,
        readyReplicas: counts.ready,
        currentReplicas: ofRevision(reached),
        updatedReplicas: ofRevision(update),
      }),
      replicas: pods.filter((pod) => !isFinished(pod)).length,
      availableReplicas: counts.available,
      collisionCount: 0,
      currentRevision: reached.metadata.name,
      updateRevision: update.metadata.name,
    }
    putStatus(this.#tools.api, set, status)
  }
}

function placeOf(set: KubeObject, pod: KubeObject): string {
  return `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`
}

/** Several errors are printed as Go does it. */
function printRefused(claims: readonly RefusedClaim[]): string {
  const texts = claims.map(({ text }) => text)
  return texts.length > 1 ? `[${texts.join(', ')}]` : texts.join()
}

function revisionOf(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.[REVISION_LABEL]
}
