import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { objectAt, textAt } from '../kinds/common/fields.ts'
import { VOLUME_PROTECTION } from '../kinds/persistent-volume.ts'
import type { ObjectApi } from '../object-api.ts'
import { kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf, withoutFinalizer } from './common/objects.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Says of volumes whether they are taken, and releases those that no claim needs. */
export function volumeController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'persistentvolume-controller',
    kind: KINDS.volume,
    reconciler: (tools) => {
      tools.subscribe(KINDS.claim, ({ object }) => {
        const name = textAt(specOf(object), 'volumeName')
        if (name !== '') tools.loop.enqueue({ namespace: '', name })
      })
      return { reconcile: (volume) => reconcile(tools.api, volume) }
    },
  })
}

function reconcile(api: ObjectApi, volume: KubeObject): void {
  const phase = phaseOf(api, volume)
  if (isDeleting(volume)) {
    if (phase !== 'Bound') api.update(withoutFinalizer(volume, VOLUME_PROTECTION), CONTROLLER_MANAGER)
  } else if (phase === 'Released' && specOf(volume).persistentVolumeReclaimPolicy === 'Delete') {
    api.delete(KINDS.volume, keyOf(volume), { uid: volume.metadata.uid })
  } else {
    putStatus(api, volume, { ...statusOf(volume), phase })
  }
}

function phaseOf(api: ObjectApi, volume: KubeObject): 'Available' | 'Bound' | 'Released' {
  const reference = objectAt(specOf(volume), 'claimRef')
  // Without a uid no claim has had it yet, even if it is reserved for one.
  if (reference.uid === undefined) return 'Available'
  const claim = api.get(KINDS.claim, { namespace: textAt(reference, 'namespace'), name: textAt(reference, 'name') })
  return claim?.metadata.uid === reference.uid ? 'Bound' : 'Released'
}
