import type { JsonObject } from '../../../../core/base/json.ts'
import { duplicate, type FieldErrors, invalid, notSupported, required } from '../common/field-errors.ts'
import { itemsAt, textAt } from '../common/fields.ts'

const RESOURCES = ['cpu', 'memory']
const POLICIES = ['NotRequired', 'RestartContainer']

/** `resizePolicy` of a container, in a pod of this `restartPolicy`. */
export function validateResizePolicy(container: JsonObject, field: string, restartPolicy: string): FieldErrors {
  const policies = itemsAt(container, 'resizePolicy')
  const names = policies.map((each) => textAt(each, 'resourceName'))
  const place = `${field}.resizePolicy`
  return policies.flatMap((each, index) => {
    const [name = '', policy] = [names[index], textAt(each, 'restartPolicy')]
    const isIdle = restartPolicy === 'Never' && policy !== 'NotRequired'
    const text = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
    return [
      ...(names.indexOf(name) < index ? [duplicate(`${place}[${index}]`, name)] : []),
      ...oneOfGiven(name, RESOURCES, place),
      ...oneOfGiven(policy, POLICIES, place),
      ...(isIdle ? [invalid(place, policy, text)] : []),
    ]
  })
}

function oneOfGiven(value: string, supported: readonly string[], field: string): FieldErrors {
  if (value === '') return [required(field)]
  return supported.includes(value) ? [] : [notSupported(field, value, supported)]
}
