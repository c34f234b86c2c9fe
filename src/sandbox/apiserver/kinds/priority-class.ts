import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden, immutable, oneOf, required } from './common/field-errors.ts'
import { numberAt, textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' }
const HIGHEST = 1000000000

/** Classes that every cluster has. */
export const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2000000000],
  ['system-node-critical', 2000001000],
])

export const priorityClass: KindRules = {
  gvk,
  applyDefaults: (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority', value: 0 }),
  validate: (object, old) => (old ? validateUpdate(object, old) : validate(object)),
  generationFields: [],
  columns: columnsOf(gvk, {
    Value: (object) => numberAt(object, 'value'),
    'Global-Default': (object) => object.globalDefault === true,
    PreemptionPolicy: (object) => textAt(object, 'preemptionPolicy'),
  }),
}

function validate(object: KubeObject): FieldErrors {
  const tooHigh = forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`)
  const policies = ['PreemptLowerPriority', 'Never']
  const { name } = keyOf(object)
  return [
    ...(name.startsWith('system-') ? validateSystemClass(object, name) : []),
    ...(!name.startsWith('system-') && numberAt(object, 'value') > HIGHEST ? [tooHigh] : []),
    ...(object.preemptionPolicy === ''
      ? [required('preemptionPolicy')]
      : oneOf('preemptionPolicy', textAt(object, 'preemptionPolicy'), policies)),
  ]
}

function validateSystemClass(object: KubeObject, name: string): FieldErrors {
  const refuse = (cause: string): FieldErrors => {
    const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${cause}`
    return [forbidden('metadata.name', text)]
  }
  const value = SYSTEM_PRIORITIES.get(name)
  if (value === undefined) return refuse(`${name} is not a known system priority class`)
  if (value !== object.value) return refuse(`value of ${name} PriorityClass must be ${value}`)
  return object.globalDefault === true ? refuse(`globalDefault of ${name} PriorityClass must be false`) : []
}

function validateUpdate(object: KubeObject, old: KubeObject): FieldErrors {
  return [
    ...(object.value === old.value ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', object.preemptionPolicy, old.preemptionPolicy),
  ]
}
