import type { JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { objectAt, textAt } from '../kinds/common/fields.ts'
import { CLAIM_PROTECTION } from '../kinds/persistent-volume-claim.ts'
import type { ObjectApi } from '../object-api.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import type { EventText } from './common/event-correlator.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, withAnnotations, withoutFinalizer } from './common/objects.ts'
import { claimsOf } from './pod/claims.ts'
import type { Stages } from './stages.ts'
import { smallestFor } from './volume-claims/matching-volume.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Binds claims to volumes that it makes for them, and lets them go when no pod uses them. */
export function volumeClaimController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'persistentvolumeclaim-controller',
    kind: KINDS.claim,
    component: 'persistentvolume-controller',
    delayOf: (claim) => (isDeleting(claim) ? 0 : isBound(claim) ? undefined : stages.claimBound),
    reconciler: (tools) => new VolumeClaimReconciler(tools),
  })
}

class VolumeClaimReconciler implements KindReconciler {
  readonly #api: ObjectApi
  readonly #tools: ControllerTools

  constructor(tools: ControllerTools) {
    this.#api = tools.api
    this.#tools = tools
    const { loop } = tools
    tools.subscribe(KINDS.volume, ({ type, object }) => {
      if (type !== 'DELETED') for (const claim of this.#waitingFor(object)) loop.enqueue(keyOf(claim))
    })
    tools.subscribe(KINDS.storageClass, ({ type, object }) => {
      if (type === 'ADDED') for (const claim of this.#ofClass(object)) loop.enqueue(keyOf(claim))
    })
    tools.subscribe(KINDS.pod, ({ type, object }) => {
      if (type === 'DELETED') for (const key of claimsOf(object)) loop.enqueue(key)
    })
  }

  reconcile(claim: KubeObject): void {
    if (isDeleting(claim)) this.#release(claim)
    else this.#bind(claim)
  }

  /** A claim in deletion goes when there is no pod on a node that uses it, not even a finished one. A pod without a node gets none before. */
  #release(claim: KubeObject): void {
    const { name, namespace } = claim.metadata
    const isUsed = this.#api
      .list(KINDS.pod, { namespace })
      .some((pod) => isScheduled(pod) && claimsOf(pod).some((key) => key.name === name))
    if (!isUsed) this.#api.update(withoutFinalizer(claim, CLAIM_PROTECTION), CONTROLLER_MANAGER)
  }

  #bind(claim: KubeObject): void {
    const volume = this.#volumeFor(claim)
    if (!volume || !isFree(volume, claim)) return
    this.#api.update({ ...volume, spec: { ...specOf(volume), claimRef: referenceTo(claim) } }, CONTROLLER_MANAGER)
    const spec = { ...specOf(claim), volumeName: volume.metadata.name }
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' }
    const bound = this.#api.update(withAnnotations({ ...claim, spec }, annotations), CONTROLLER_MANAGER)
    const { accessModes } = specOf(claim)
    putStatus(this.#api, bound, { phase: 'Bound', accessModes, capacity: specOf(volume).capacity })
  }

  /** The volume that the claim names, or one that is there and fits, or a new one of its class. */
  #volumeFor(claim: KubeObject): KubeObject | undefined {
    const { volumeName } = specOf(claim)
    if (typeof volumeName === 'string') return this.#api.get(KINDS.volume, { namespace: '', name: volumeName })
    const name = `pvc-${claim.metadata.uid}`
    const found =
      this.#api.get(KINDS.volume, { namespace: '', name }) ?? smallestFor(claim, this.#api.list(KINDS.volume))
    if (found) return found
    const complaint = this.#complaintAbout(claim)
    if (complaint === undefined) return this.#api.create(volumeFrom(claim, name), CONTROLLER_MANAGER)
    this.#tools.events.record(claim, complaint)
    return undefined
  }

  /** Why no volume is made for a claim. One that says nothing of a class gets a volume: the sandbox has storage of its own. */
  #complaintAbout(claim: KubeObject): EventText | undefined {
    const { storageClassName: name } = specOf(claim)
    if (typeof name !== 'string') return undefined
    if (name === '') return { reason: 'FailedBinding', message: NO_CLASS }
    const found = this.#api.get(KINDS.storageClass, { namespace: '', name })
    const message = `storageclass.storage.k8s.io ${JSON.stringify(name)} not found`
    if (!found) return { type: 'Warning', reason: 'ProvisioningFailed', message }
    return found.provisioner === 'kubernetes.io/no-provisioner'
      ? { type: 'Warning', reason: 'ProvisioningFailed', message: NO_PROVISIONER }
      : undefined
  }

  /** Claims without a volume that may have waited for this one. */
  #waitingFor(volume: KubeObject): readonly KubeObject[] {
    return this.#unbound().filter(
      (claim) => specOf(claim).volumeName === volume.metadata.name || smallestFor(claim, [volume]) !== undefined,
    )
  }

  #ofClass({ metadata }: KubeObject): readonly KubeObject[] {
    return this.#unbound().filter((claim) => specOf(claim).storageClassName === metadata.name)
  }

  #unbound(): readonly KubeObject[] {
    return this.#api.list(KINDS.claim).filter((claim) => !isBound(claim) && !isDeleting(claim))
  }
}

const NO_CLASS = 'no persistent volumes available for this claim and no storage class is set'
const NO_PROVISIONER = 'no volume plugin matched name: kubernetes.io/no-provisioner'

function isBound(claim: KubeObject): boolean {
  return statusOf(claim).phase === 'Bound'
}

function isScheduled(pod: KubeObject): boolean {
  return textAt(specOf(pod), 'nodeName') !== ''
}

/** Whether a volume is reserved for no other claim. */
function isFree(volume: KubeObject, claim: KubeObject): boolean {
  const { name, namespace, uid } = claim.metadata
  const wanted = { name, namespace, uid, ...objectAt(specOf(volume), 'claimRef') }
  return wanted.name === name && wanted.namespace === namespace && wanted.uid === uid
}

function referenceTo({ metadata }: KubeObject): JsonObject {
  const { name, namespace, uid } = metadata
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid }
}

function volumeFrom(claim: KubeObject, name: string): KubeObject {
  const { accessModes, storageClassName, volumeMode } = specOf(claim)
  const { storage } = objectAt(objectAt(specOf(claim), 'resources'), 'requests')
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'sandbox' } },
    spec: {
      accessModes,
      capacity: { storage },
      claimRef: referenceTo(claim),
      hostPath: { path: `/var/lib/sandbox/${name}` },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName,
      volumeMode,
    },
  }
}
