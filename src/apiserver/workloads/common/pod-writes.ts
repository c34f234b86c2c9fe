import { type KubeObject, keyOf } from '../../../kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import type { ControllerTools } from './controller-tools.ts'
import { KINDS } from './known-kinds.ts'

/** Makes a pod for a workload, and tells of it. */
export function createPod({ api, events }: ControllerTools, owner: KubeObject, pod: KubeObject): void {
  const { metadata } = api.create(pod, CONTROLLER_MANAGER)
  events.record(owner, { reason: 'SuccessfulCreate', message: `Created pod: ${metadata.name}` })
}

/** Deletes a pod of a workload, and tells of it. */
export function deletePod({ api, events }: ControllerTools, owner: KubeObject, pod: KubeObject): void {
  api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid })
  events.record(owner, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
}
