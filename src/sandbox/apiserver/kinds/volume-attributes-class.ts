import { jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden, required } from './common/field-errors.ts'
import { objectAt } from './common/fields.ts'
import { withMetadata } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { OTHER_CELLS } from './other-cells.ts'
import { validateParameters, validateProvisioner } from './storage-class.ts'

const gvk = { group: 'storage.k8s.io', version: 'v1', kind: 'VolumeAttributesClass' }
const PROTECTION = 'kubernetes.io/vac-protection'

export const volumeAttributesClass: KindRules = {
  gvk,
  prepareForCreate: protect,
  validate,
  columns: columnsOf(gvk, OTHER_CELLS.VolumeAttributesClass),
}

/** Classes that claims name are kept by a finalizer. */
function protect(object: KubeObject): KubeObject {
  const { finalizers = [] } = object.metadata
  return finalizers.includes(PROTECTION) ? object : withMetadata(object, { finalizers: [...finalizers, PROTECTION] })
}

function validate(object: KubeObject, old?: KubeObject): FieldErrors {
  const parameters = objectAt(object, 'parameters')
  const isEmpty = Object.keys(parameters).length === 0
  return [
    ...(old ? ['driverName', 'parameters'] : [])
      .filter((field) => !jsonEquals(object[field], old?.[field]))
      .map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
    ...validateProvisioner(object, 'driverName'),
    ...validateParameters(parameters, 'parameters'),
    ...(isEmpty ? [required('parameters', 'must contain at least one key/value pair')] : []),
  ]
}
