import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { checkLabelKey, checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, forbidden, immutable, invalid, invalidFor } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { validateClaimStatuses } from './claim-statuses-validation.ts'
import { restartsOf, type Transition, validateRestarts } from './container-restarts-validation.ts'
import { validateHealth, validateNoHealth, validateUsers } from './container-status-validation.ts'
import { validateAddresses } from './pod-addresses-validation.ts'

/** Errors in a new status of a pod. */
export function validatePodStatus(object: KubeObject, before: KubeObject): FieldErrors {
  const [status, old] = [objectAt(object, 'status'), objectAt(before, 'status')]
  const spec = objectAt(before, 'spec')
  return [
    ...validateConditions(itemsAt(status, 'conditions'), 'status.conditions'),
    ...validateNomination(status, old, spec),
    ...validateGeneration(status, 'status.observedGeneration'),
    ...immutable('status.qosClass', textAt(status, 'qosClass'), textAt(old, 'qosClass')),
    ...validateTransitions(status, old, spec),
    ...validateClaimStatuses(status, spec),
    ...validateAddresses(status, old),
    ...validateContainers(status, spec),
  ]
}

const OF_THE_SYSTEM = new Set(['PodScheduled', 'Ready', 'Initialized'])

function validateConditions(conditions: readonly JsonObject[], field: string): FieldErrors {
  return conditions.flatMap((condition, index) => {
    const type = textAt(condition, 'type')
    return [
      ...validateGeneration(condition, `${field}[${index}].observedGeneration`),
      ...(OF_THE_SYSTEM.has(type) ? [] : invalidFor(`${field}[${index}].Type`, type, checkLabelKey(type))),
    ]
  })
}

function validateGeneration(holder: JsonObject, field: string): FieldErrors {
  const generation = numberAt(holder, 'observedGeneration')
  return generation < 0 ? [invalid(field, generation, 'must be a non-negative integer')] : []
}

/** A node for which others make way, as long as the pod has none. */
function validateNomination(status: JsonObject, old: JsonObject, spec: JsonObject): FieldErrors {
  const field = 'status.nominatedNodeName'
  const name = textAt(status, 'nominatedNodeName')
  if (name === '' || name === textAt(old, 'nominatedNodeName')) return []
  const isBound = textAt(spec, 'nodeName') !== ''
  return [
    ...invalidFor(field, name, checkSubdomain(name)),
    ...(isBound ? [forbidden(field, 'may not be set on pods that are already bound to a node')] : []),
  ]
}

function validateTransitions(status: JsonObject, old: JsonObject, spec: JsonObject): FieldErrors {
  const transition = (list: string): Transition => ({ now: itemsAt(status, list), old: itemsAt(old, list) })
  const [main, init, ephemeral] = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const
  return [
    ...validateRestarts(transition(main), `status.${main}`, restartsOf(spec, 'containers')),
    ...validateRestarts(transition(init), `status.${init}`, restartsOf(spec, 'initContainers')),
    ...validateRestarts(transition(ephemeral), `status.${ephemeral}`, () => false),
  ]
}

function validateContainers(status: JsonObject, spec: JsonObject): FieldErrors {
  const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']
  const system = textAt(objectAt(spec, 'os'), 'name')
  const [main, init, ephemeral] = lists.map((list) => itemsAt(status, list)) as [
    readonly JsonObject[],
    readonly JsonObject[],
    readonly JsonObject[],
  ]
  return [
    ...lists.flatMap((list) => validateUsers(itemsAt(status, list), `status.${list}`, system)),
    ...validateHealth(main, 'status.containerStatuses', itemsAt(spec, 'containers')),
    ...validateHealth(init, 'status.initContainerStatuses', itemsAt(spec, 'initContainers')),
    ...validateNoHealth(ephemeral, 'status.ephemeralContainerStatuses'),
  ]
}
