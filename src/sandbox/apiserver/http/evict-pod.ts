import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest } from '../api-status.ts'
import { deleteObject } from '../lifecycle/delete-object.ts'
import { spendBudget } from '../lifecycle/disruption-budget.ts'
import { checkPreconditions } from '../write/preconditions.ts'
import { findStored, updateObject } from '../write/update-object.ts'
import { type ServerState, timestampOf, type WriteRequest } from '../write/write-request.ts'
import { checkDeleteOptions } from './delete-options.ts'

/**
 * Deletes a pod with the options of its eviction, if its budget allows that. Before, it sets a condition on the pod with the
 * reason.
 *
 * @throws ApiError 400, 403, 404, 409, 422, 429, 500
 */
export function evictPod(state: ServerState, write: WriteRequest, body: KubeObject): void {
  if (body.metadata.name !== write.name) throw badRequest('name in URL does not match name in Eviction object')
  const options = checkDeleteOptions(isJsonObject(body.deleteOptions) ? body.deleteOptions : {})
  const dryRun = write.dryRun || options.dryRun
  const request = { ...write, dryRun }
  const condition = { ...EVICTION, lastTransitionTime: timestampOf(state.clock.now()) }
  const { preconditions } = options
  const pod = findStored(state, { ...request, subresource: '' })
  if (pod) spendBudget(state, pod.object, dryRun)
  if (dryRun) {
    deleteObject(state, { ...request, ...options, dryRun, subresource: '' })
    return
  }
  const { object } = updateObject(state, request, (live) => {
    checkPreconditions(write, preconditions, live)
    return withCondition(live, condition)
  })
  const { resourceVersion } = object.metadata
  const latest = preconditions.resourceVersion === undefined ? preconditions : { ...preconditions, resourceVersion }
  deleteObject(state, { ...request, ...options, dryRun, preconditions: latest, subresource: '' })
}

const EVICTION = {
  type: 'DisruptionTarget',
  status: 'True',
  lastProbeTime: null,
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
}

/** One that is there already keeps its time. */
export function withCondition(pod: KubeObject, condition: JsonObject): KubeObject {
  const status: JsonObject = { ...(pod.status as JsonObject | undefined) }
  const conditions: readonly JsonValue[] = isJsonArray(status.conditions) ? status.conditions : []
  const isSame = (each: JsonValue): boolean => isJsonObject(each) && each.type === condition.type
  const old = conditions.find(isSame)
  if (isJsonObject(old) && old.status === condition.status) return pod
  return { ...pod, status: { ...status, conditions: [...conditions.filter((each) => !isSame(each)), condition] } }
}
