import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, notNegative } from './common/field-errors.ts'
import { mapField, objectAt, textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }

export const lease: KindRules = {
  gvk,
  applyDefaults: (object) => withDefaults(object, { spec: {} }),
  prepareForCreate: withoutCoordination,
  prepareForUpdate: withoutCoordination,
  validate,
  createOnUpdate: true,
  unconditionalUpdate: false,
  columns: columnsOf(gvk, { Holder: (object) => textAt(objectAt(object, 'spec'), 'holderIdentity') }),
}

/** Leases that candidates are elected for are behind a gate that is closed. */
function withoutCoordination(object: KubeObject): KubeObject {
  return mapField(object, 'spec', ({ strategy: _strategy, preferredHolder: _holder, ...spec }) => spec)
}

function validate(object: KubeObject): FieldErrors {
  const { leaseDurationSeconds, leaseTransitions } = objectAt(object, 'spec')
  const tooShort = typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0
  return [
    ...(tooShort ? [invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')] : []),
    ...notNegative('spec.leaseTransitions', leaseTransitions),
  ]
}
