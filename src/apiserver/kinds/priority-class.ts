import type { KubeObject } from '../../kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden } from './common/field-errors.ts'
import { numberAt, textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' }
const HIGHEST = 1000000000

export const priorityClass: KindRules = {
  gvk,
  applyDefaults: (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority', value: 0 }),
  validate: (object, old) => [...validate(object), ...(old ? validateUpdate(object, old) : [])],
  generationFields: [],
  columns: columnsOf(gvk, {
    Value: (object) => numberAt(object, 'value'),
    'Global-Default': (object) => object.globalDefault === true,
    PreemptionPolicy: (object) => textAt(object, 'preemptionPolicy'),
  }),
}

function validate(object: KubeObject): FieldErrors {
  const { name = '' } = object.metadata
  if (name.startsWith('system-')) {
    if (name === 'system-node-critical' || name === 'system-cluster-critical') return []
    const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`
    return [forbidden('metadata.name', text)]
  }
  if (numberAt(object, 'value') <= HIGHEST) return []
  return [forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`)]
}

function validateUpdate(object: KubeObject, old: KubeObject): FieldErrors {
  const changed = ['value', 'preemptionPolicy'].filter((field) => object[field] !== old[field])
  return changed.map((field) => forbidden(field, 'may not be changed in an update.'))
}
