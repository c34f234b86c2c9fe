import type { JsonObject } from '../../../core/base/json.ts'
import { compileLabelSelector, type LabelSelector } from '../../../core/kube/label-selector.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { forbidden, statusError } from '../api-status.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import { type ServerState, timestampOf } from '../write/write-request.ts'

const BUDGET = { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' }
/** So many evictions may wait until their controller knows of them. */
const MOST_DISRUPTED = 2000

/**
 * Takes the eviction of a pod off its budget, where it has one and is not down already.
 *
 * @throws ApiError 403, 429, 500
 */
export function spendBudget(state: ServerState, pod: KubeObject, dryRun: boolean): void {
  if (isDown(pod)) return
  const [budget, another] = budgetsOf(state, pod)
  if (another) throw statusError(500, '', MORE_THAN_ONE)
  if (!budget || (!isReady(pod) && mayGoUnready(budget))) return
  checkBudget(budget)
  if (!dryRun) state.objects.update(withDisruption(state, budget, pod), 'kube-apiserver', 'status')
}

const MORE_THAN_ONE = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

function isDown(pod: KubeObject): boolean {
  const phase = textAt(objectAt(pod, 'status'), 'phase')
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined
}

function budgetsOf({ objects }: ServerState, pod: KubeObject): readonly KubeObject[] {
  const { namespace } = keyOf(pod)
  return objects.list(BUDGET, { namespace }).filter((budget) => {
    const { selector } = objectAt(budget, 'spec')
    return selector !== undefined && compileLabelSelector(selector as LabelSelector)(pod.metadata.labels)
  })
}

function isReady(pod: KubeObject): boolean {
  return itemsAt(objectAt(pod, 'status'), 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )
}

/** A pod that does not serve is no loss, if enough others serve or the policy allows it. */
function mayGoUnready(budget: KubeObject): boolean {
  if (objectAt(budget, 'spec').unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { current, desired } = healthOf(budget)
  return current >= desired && desired > 0
}

function healthOf(budget: KubeObject): { readonly current: number; readonly desired: number } {
  const status = objectAt(budget, 'status')
  return { current: numberAt(status, 'currentHealthy'), desired: numberAt(status, 'desiredHealthy') }
}

/** @throws ApiError 403, 429 */
function checkBudget(budget: KubeObject): void {
  const { name } = keyOf(budget)
  const status = objectAt(budget, 'status')
  const { generation = 0 } = budget.metadata
  if (numberAt(status, 'observedGeneration') < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const allowed = numberAt(status, 'disruptionsAllowed')
  if (Object.keys(objectAt(status, 'disruptedPods')).length > MOST_DISRUPTED) {
    throw forbidden(SUBJECT, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  }
  if (allowed === 0) throw tooMany(`The disruption budget ${name} ${reasonOf(budget)}`)
}

const SUBJECT = { group: 'policy', plural: 'poddisruptionbudget' }

function tooMany(cause: string, retryAfterSeconds?: number): Error {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  const details = { causes: [{ reason: 'DisruptionBudget', message: cause }] }
  return statusError(429, 'TooManyRequests', message, { details, retryAfterSeconds })
}

function reasonOf(budget: KubeObject): string {
  const conditions = itemsAt(objectAt(budget, 'status'), 'conditions')
  const condition = conditions.find(({ type, status }) => type === 'DisruptionAllowed' && status === 'False')
  const { reason, message = '' } = condition ?? {}
  const refusal = 'does not allow evicting pods currently'
  if (reason === 'SyncFailed' && message !== '') return `${refusal} because it failed sync: ${message}`
  const { current, desired } = healthOf(budget)
  if (current <= desired) return `needs ${desired} healthy pods and has ${current} currently`
  return message === '' ? refusal : `${refusal} (${reason}): ${message}`
}

/** Until its controller has seen it, the budget remembers the pod itself. */
function withDisruption({ clock }: ServerState, budget: KubeObject, pod: KubeObject): KubeObject {
  const status = objectAt(budget, 'status')
  const disruptionsAllowed = numberAt(status, 'disruptionsAllowed') - 1
  const now = timestampOf(clock.now())
  const disruptedPods = { ...objectAt(status, 'disruptedPods'), [keyOf(pod).name]: now }
  const conditions = disruptionsAllowed > 0 ? status.conditions : [usedUp(status, now)]
  return { ...budget, status: { ...status, disruptionsAllowed, disruptedPods, ...(conditions && { conditions }) } }
}

function usedUp(status: JsonObject, now: string): JsonObject {
  const type = 'DisruptionAllowed'
  const last = itemsAt(status, 'conditions').find((each) => each.type === type)
  return {
    type,
    status: 'False',
    observedGeneration: numberAt(status, 'observedGeneration'),
    lastTransitionTime: (last?.status === 'False' && last.lastTransitionTime) || now,
    reason: 'InsufficientPods',
    message: '',
  }
}
