import type { JsonObject } from '../../../core/base/json.ts'
import { checkPathSegment } from '../write/names.ts'
import { duplicate, type FieldErrors, invalidFor, oneOf } from './common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from './common/fields.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { validateWebhookRule } from './webhook-rule-validation.ts'

/** Complaints about what a policy, or a binding of one, is for. */
export function validateMatchResources(match: JsonObject, field: string): FieldErrors {
  return [
    ...oneOf(`${field}.matchPolicy`, textAt(match, 'matchPolicy'), ['Equivalent', 'Exact']),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) =>
      validateLabelSelector(objectAt(match, name), `${field}.${name}`),
    ),
    ...['resourceRules', 'excludeResourceRules'].flatMap((list) =>
      itemsAt(match, list).flatMap((rule, index) => validateNamedRule(rule, `${field}.${list}[${index}]`)),
    ),
  ]
}

function validateNamedRule(rule: JsonObject, field: string): FieldErrors {
  const names = textsAt(rule, 'resourceNames')
  return [
    ...names.flatMap((name, index) => {
      const place = `${field}.resourceNames[${index}]`
      return [
        ...invalidFor(place, name, checkPathSegment(name)),
        ...(names.indexOf(name) < index ? [duplicate(place, name)] : []),
      ]
    }),
    ...validateWebhookRule(rule, field),
  ]
}
