import type { JsonObject } from '../../../../core/base/json.ts'
import { duplicate, type FieldErrors, invalid, oneOf, required } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { validateLabelSelector } from '../common/label-selectors.ts'
import { validateLabelKeys } from './label-keys-validation.ts'

/** `topologySpreadConstraints` of a pod: each topology once for each action. */
export function validateTopologySpread(spec: JsonObject, field: string): FieldErrors {
  const constraints = itemsAt(spec, 'topologySpreadConstraints')
  return constraints.flatMap((constraint, index) => {
    const place = `${field}[${index}]`
    const names = namesOf(constraint)
    const isRepeated = constraints.slice(index + 1).some((other) => namesOf(other) === names)
    return [
      ...validatePositive(constraint, 'maxSkew', place),
      ...(textAt(constraint, 'topologyKey') === '' ? [required(`${place}.topologyKey`, 'can not be empty')] : []),
      ...oneOf(`${place}.whenUnsatisfiable`, textAt(constraint, 'whenUnsatisfiable'), [DO_NOT, 'ScheduleAnyway']),
      ...(isRepeated ? [duplicate(`${place}.{topologyKey, whenUnsatisfiable}`, names)] : []),
      ...validateDomains(constraint, place),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) => validatePolicy(constraint, name, place)),
      ...validateLabelKeys(constraint, place),
      ...validateLabelSelector(objectAt(constraint, 'labelSelector'), `${place}.labelSelector`),
    ]
  })
}

const DO_NOT = 'DoNotSchedule'

function namesOf(constraint: JsonObject): string {
  return `{${textAt(constraint, 'topologyKey')}, ${textAt(constraint, 'whenUnsatisfiable')}}`
}

function validatePositive(constraint: JsonObject, name: string, field: string): FieldErrors {
  const value = numberAt(constraint, name)
  return value > 0 ? [] : [invalid(`${field}.${name}`, value, 'must be greater than zero')]
}

function validateDomains(constraint: JsonObject, field: string): FieldErrors {
  const { minDomains, whenUnsatisfiable } = constraint
  if (typeof minDomains !== 'number') return []
  const detail = `can only use minDomains if whenUnsatisfiable=${DO_NOT}, not ${whenUnsatisfiable}`
  return [
    ...validatePositive(constraint, 'minDomains', field),
    ...(whenUnsatisfiable === DO_NOT ? [] : [invalid(`${field}.minDomains`, minDomains, detail)]),
  ]
}

function validatePolicy(constraint: JsonObject, name: string, field: string): FieldErrors {
  const policy = constraint[name]
  return typeof policy === 'string' ? oneOf(`${field}.${name}`, policy, ['Honor', 'Ignore']) : []
}
