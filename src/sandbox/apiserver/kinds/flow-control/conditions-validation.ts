import type { KubeObject } from '../../../../core/kube/object.ts'
import { duplicate, type FieldErrors, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'

/** Conditions of a status: each has a type of its own. */
export function validateConditions(object: KubeObject): FieldErrors {
  const seen = new Set<string>()
  return itemsAt(objectAt(object, 'status'), 'conditions').flatMap((condition, index) => {
    const field = `status.conditions[${index}].type`
    const type = textAt(condition, 'type')
    const isKnown = seen.has(type)
    seen.add(type)
    return [...(isKnown ? [duplicate(field, type)] : []), ...(type === '' ? [required(field)] : [])]
  })
}
