import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { checkLabelKey } from '../write/names.ts'
import { type FieldErrors, invalid, invalidFor, notSupported } from './common/field-errors.ts'
import { objectAt, sortedEntries, textAt } from './common/fields.ts'
import { nanosOf, wholeOf } from './common/quantity.ts'

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** Complaints about what those who make and resize volumes say of a claim. */
export function validateClaimStatus(status: JsonObject): FieldErrors {
  return [
    ...sortedEntries(objectAt(status, 'capacity')).flatMap(([name, value]) =>
      validateAmount(value, `status.capacity[${name}]`),
    ),
    ...validateResizeStates(objectAt(status, 'allocatedResourceStatuses'), 'status.allocatedResourceStatuses'),
    ...validateAllocated(objectAt(status, 'allocatedResources'), 'status.allocatedResources'),
  ]
}

function validateResizeStates(states: JsonObject, field: string): FieldErrors {
  return sortedEntries(states).flatMap(([name]) => [
    ...validateName(name, field),
    ...(RESIZE_STATES.includes(textAt(states, name)) ? [] : [notSupported(field, name, RESIZE_STATES)]),
  ])
}

function validateAllocated(resources: JsonObject, field: string): FieldErrors {
  return sortedEntries(resources).flatMap(([name, value]) => {
    const misnamed = validateName(name, field)
    return misnamed.length > 0 ? misnamed : validateAmount(value, `${field}[${name}]`)
  })
}

/** Of the resources of Kubernetes itself, a claim has storage. */
function validateName(name: string, field: string): FieldErrors {
  const malformed = invalidFor(field, name, checkLabelKey(name))
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  if (malformed.length > 0 || !isNative || name === 'storage') return malformed
  return [notSupported(field, name, ['storage'])]
}

function validateAmount(value: JsonValue, field: string): FieldErrors {
  return nanosOf(value) < 0n ? [invalid(field, wholeOf(value), 'must be a valid resource quantity')] : []
}
