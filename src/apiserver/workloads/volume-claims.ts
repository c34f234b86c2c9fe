import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { itemsAt, objectAt, textAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { KINDS } from './common/known-kinds.ts'
import { CONTROLLER_MANAGER, isDeleting, putStatus, specOf, statusOf, withAnnotations } from './common/objects.ts'
import { isFinished } from './common/pod-state.ts'
import { ReconcileLoop } from './common/reconcile-loop.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection'
const VOLUME_PROTECTION = 'kubernetes.io/pv-protection'

/** Binds claims to volumes that it makes for them, and lets both go when nobody needs them. */
export function volumeClaimController(stages: Stages = DEFAULT_STAGES): WorkloadController {
  return {
    name: 'persistentvolume-controller',
    start: (api, clock, logger) => new VolumeClaimController(api, clock, { stages, logger }).stop,
  }
}

class VolumeClaimController {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #stages: Stages
  readonly #claims: ReconcileLoop
  readonly #volumes: ReconcileLoop

  constructor(api: ObjectApi, clock: Clock, { stages, logger }: { stages: Stages; logger: Logger | undefined }) {
    this.#api = api
    this.#stages = stages
    this.#claims = new ReconcileLoop(clock, (key) => this.#reconcileClaim(key), logger)
    this.#volumes = new ReconcileLoop(clock, (key) => this.#reconcileVolume(key), logger)
    const unsubscribe = [
      api.subscribe(KINDS.claim, ({ object }) => this.#follow(object)),
      api.subscribe(KINDS.volume, ({ type, object }) => {
        if (type !== 'DELETED') this.#volumes.enqueue(keyOf(object))
        if (type === 'ADDED') this.#wake(object)
      }),
      api.subscribe(KINDS.pod, ({ object, type }) => {
        if (type === 'DELETED' || isFinished(object)) for (const key of claimsOf(object)) this.#claims.enqueue(key)
      }),
    ]
    for (const claim of api.list(KINDS.claim)) this.#follow(claim)
    for (const volume of api.list(KINDS.volume)) this.#volumes.enqueue(keyOf(volume))
    this.stop = () => {
      for (const each of unsubscribe) each()
      this.#claims.stop()
      this.#volumes.stop()
    }
  }

  #follow(claim: KubeObject): void {
    const volumeName = textAt(specOf(claim), 'volumeName')
    if (volumeName !== '') this.#volumes.enqueue({ namespace: '', name: volumeName })
    if (isDeleting(claim)) this.#claims.enqueue(keyOf(claim))
    else if (!isBound(claim)) this.#claims.enqueueAfter(keyOf(claim), this.#stages.claimBound)
  }

  /** Claims that have waited for this very volume. */
  #wake({ metadata }: KubeObject): void {
    const waiting = this.#api.list(KINDS.claim).filter((claim) => specOf(claim).volumeName === metadata.name)
    for (const claim of waiting) this.#claims.enqueue(keyOf(claim))
  }

  #reconcileClaim(key: ObjectKey): void {
    const claim = this.#api.get(KINDS.claim, key)
    if (!claim) return
    if (isDeleting(claim)) this.#release(claim)
    else if (!isBound(claim)) this.#bind(claim)
  }

  /** A claim in deletion goes when no pod uses it any more. */
  #release(claim: KubeObject): void {
    const { name, namespace } = claim.metadata
    const isUsed = this.#api
      .list(KINDS.pod, { namespace })
      .some((pod) => !isFinished(pod) && claimsOf(pod).some((key) => key.name === name))
    if (!isUsed) this.#api.update(withoutFinalizer(claim, CLAIM_PROTECTION), CONTROLLER_MANAGER)
  }

  #bind(claim: KubeObject): void {
    const volume = this.#volumeFor(claim)
    if (!volume) return
    const spec = { ...specOf(claim), volumeName: volume.metadata.name }
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' }
    const bound = this.#api.update(withAnnotations({ ...claim, spec }, annotations), CONTROLLER_MANAGER)
    const { accessModes } = specOf(claim)
    putStatus(this.#api, bound, { phase: 'Bound', accessModes, capacity: specOf(volume).capacity })
  }

  /** The volume that the claim names, or a new one; none for claims that only want what others provide. */
  #volumeFor(claim: KubeObject): KubeObject | undefined {
    const { volumeName, storageClassName } = specOf(claim)
    if (typeof volumeName === 'string') return this.#api.get(KINDS.volume, { namespace: '', name: volumeName })
    const name = `pvc-${claim.metadata.uid}`
    if (storageClassName === '') return undefined
    return (
      this.#api.get(KINDS.volume, { namespace: '', name }) ??
      this.#api.create(volumeFrom(claim, name), CONTROLLER_MANAGER)
    )
  }

  #reconcileVolume(key: ObjectKey): void {
    const volume = this.#api.get(KINDS.volume, key)
    if (!volume) return
    const { claimRef, persistentVolumeReclaimPolicy } = specOf(volume)
    const claim = claimRef === undefined ? undefined : this.#claimOf(volume)
    const phase = claimRef === undefined ? 'Available' : claim ? 'Bound' : 'Released'
    if (isDeleting(volume)) {
      if (phase !== 'Bound') this.#api.update(withoutFinalizer(volume, VOLUME_PROTECTION), CONTROLLER_MANAGER)
    } else if (phase === 'Released' && persistentVolumeReclaimPolicy === 'Delete') {
      this.#api.delete(KINDS.volume, key, { uid: volume.metadata.uid })
    } else if (statusOf(volume).phase !== phase) {
      putStatus(this.#api, volume, { ...statusOf(volume), phase })
    }
  }

  #claimOf(volume: KubeObject): KubeObject | undefined {
    const reference = objectAt(specOf(volume), 'claimRef')
    const key = { namespace: textAt(reference, 'namespace'), name: textAt(reference, 'name') }
    const claim = this.#api.get(KINDS.claim, key)
    return claim?.metadata.uid === reference.uid || reference.uid === undefined ? claim : undefined
  }
}

function isBound(claim: KubeObject): boolean {
  return statusOf(claim).phase === 'Bound'
}

function claimsOf(pod: KubeObject): readonly ObjectKey[] {
  const namespace = pod.metadata.namespace ?? ''
  return itemsAt(specOf(pod), 'volumes').flatMap((volume) => {
    const name = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    return name === '' ? [] : [{ namespace, name }]
  })
}

function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer)
  return { ...object, metadata: { ...object.metadata, finalizers } }
}

function volumeFrom(claim: KubeObject, name: string): KubeObject {
  const { accessModes, storageClassName, volumeMode } = specOf(claim)
  const { name: claimName, namespace, uid } = claim.metadata
  const { storage } = objectAt(objectAt(specOf(claim), 'resources'), 'requests')
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'sandbox' } },
    spec: {
      accessModes,
      capacity: { storage },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: claimName, namespace, uid },
      hostPath: { path: `/var/lib/sandbox/${name}` },
      persistentVolumeReclaimPolicy: 'Delete',
      ...(storageClassName !== undefined && { storageClassName }),
      volumeMode,
    },
  }
}
