import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { validateConditions } from './common/conditions.ts'
import { type FieldErrors, invalid, notNegative, oneOf } from './common/field-errors.ts'
import { itemsAt, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { specAndStatus } from './common/strategies.ts'
import { validateAtMostAll, validateShare } from './deployment.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' }
const ZERO_STATUS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }

const share = (name: string) => (object: KubeObject) => String(objectAt(object, 'spec')[name] ?? 'N/A')

export const podDisruptionBudget: KindRules = {
  gvk,
  nameFormat: 'path-segment',
  ...specAndStatus(ZERO_STATUS),
  applyDefaults: (object) => withDefaults(object, { spec: {}, status: ZERO_STATUS }),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
  validateStatusUpdate: (object) => validateStatus(objectAt(object, 'status')),
  generationFields: [['spec']],
  unconditionalUpdate: false,
  columns: columnsOf(gvk, {
    'Min Available': share('minAvailable'),
    'Max Unavailable': share('maxUnavailable'),
    'Allowed Disruptions': (object) => numberAt(objectAt(object, 'status'), 'disruptionsAllowed'),
  }),
}

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']

function validateStatus(status: JsonObject): FieldErrors {
  return [
    ...validateConditions(itemsAt(status, 'conditions'), 'status.conditions'),
    ...COUNTS.flatMap((name) => notNegative(`status.${name}`, status[name])),
  ]
}

function validateSpec(spec: JsonObject): FieldErrors {
  const { minAvailable, maxUnavailable, selector = null, unhealthyPodEvictionPolicy = null } = spec
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    // The server prints its internal struct, with the names of Go.
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
    }
    return [invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set')]
  }
  return [
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
      ...validateShare(spec[name], `spec.${name}`),
      ...validateAtMostAll(spec[name], `spec.${name}`),
    ]),
    ...validateLabelSelector(objectAt(spec, 'selector'), 'spec.selector'),
    ...(typeof unhealthyPodEvictionPolicy === 'string'
      ? oneOf('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget'])
      : []),
  ]
}
