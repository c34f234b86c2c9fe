import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabelKey } from '../../write/names.ts'
import { type FieldErrors, forbidden, invalid, invalidFor } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../common/fields.ts'

/**
 * `matchLabelKeys` and `mismatchLabelKeys`: labels whose values a new pod takes into the selector of an affinity or of a
 * spread constraint.
 */
export function validateLabelKeys(holder: JsonObject, field: string): FieldErrors {
  return [
    ...validateKeys(holder, 'matchLabelKeys', field),
    ...validateKeys(holder, 'mismatchLabelKeys', field),
    ...validateNotSelected(holder, field),
    ...validateNotBoth(holder, `${field}.matchLabelKeys`),
  ]
}

function validateKeys(holder: JsonObject, name: string, field: string): FieldErrors {
  const place = `${field}.${name}`
  const keys = textsAt(holder, name)
  if (keys.length === 0) return []
  if (!isJsonObject(holder.labelSelector)) {
    return [forbidden(place, 'must not be specified when labelSelector is not set')]
  }
  return keys.flatMap((key, index) => invalidFor(`${place}[${index}]`, key, checkLabelKey(key)))
}

/** The selector has each key once from the list, and no second time. The server leaves the name of the list out here. */
function validateNotSelected(holder: JsonObject, field: string): FieldErrors {
  const keys = textsAt(holder, 'matchLabelKeys')
  const selector = objectAt(holder, 'labelSelector')
  const selected = new Set(Object.keys(objectAt(selector, 'matchLabels')))
  return itemsAt(selector, 'matchExpressions').flatMap((requirement) => {
    const key = textAt(requirement, 'key')
    const isRepeated = keys.includes(key) && selected.has(key)
    selected.add(key)
    const place = `${field}[${keys.lastIndexOf(key)}]`
    return isRepeated ? [invalid(place, key, 'exists in both matchLabelKeys and labelSelector')] : []
  })
}

function validateNotBoth(holder: JsonObject, field: string): FieldErrors {
  const others = textsAt(holder, 'mismatchLabelKeys')
  return textsAt(holder, 'matchLabelKeys').flatMap((key, index) =>
    others.includes(key)
      ? [invalid(`${field}[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
      : [],
  )
}
