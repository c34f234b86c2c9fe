import { ApiError } from '../../../../core/kube/api-error.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import type { ControllerTools } from './controller-tools.ts'
import { KINDS } from './known-kinds.ts'
import { slowStart } from './slow-start.ts'

/** Makes pods for a workload and records an event for each. Returns the first refusal. */
export function createPods(
  { api, events }: ControllerTools,
  owner: KubeObject,
  pods: readonly KubeObject[],
): ApiError | undefined {
  return slowStart(pods, (pod) => {
    const made = refusedOr(() => api.create(pod, CONTROLLER_MANAGER))
    if (!(made instanceof ApiError)) {
      events.record(owner, { reason: 'SuccessfulCreate', message: `Created pod: ${made.metadata.name}` })
      return undefined
    }
    events.record(owner, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${made.message}` })
    return made
  })
}

/** What a request comes to, or that the server refuses it. */
export function refusedOr<T>(request: () => T): T | ApiError {
  try {
    return request()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Deletes a pod of a workload and records an event. */
export function deletePod({ api, events }: ControllerTools, owner: KubeObject, pod: KubeObject): void {
  api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid })
  events.record(owner, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
}
