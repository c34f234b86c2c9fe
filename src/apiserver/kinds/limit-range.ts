import type { JsonObject } from '../../base/json.ts'
import { columnsOf } from './common/columns.ts'
import { duplicate, type FieldErrors } from './common/field-errors.ts'
import { itemsAt, mapField, mapItems, objectAt, textAt, withDefaults } from './common/fields.ts'
import { canonicalResources } from './common/quantity.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'LimitRange' }
const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']

export const limitRange: KindRules = {
  gvk,
  applyDefaults: (object) => mapField(object, 'spec', specDefaults),
  validate: (object) =>
    validateLimits(itemsAt(objectAt(object, 'spec'), 'limits').map((limit) => textAt(limit, 'type'))),
  createOnUpdate: true,
  columns: columnsOf(gvk),
}

/** An empty list is told as null. */
function specDefaults(spec: JsonObject): JsonObject {
  const isEmpty = itemsAt(spec, 'limits').length === 0
  return isEmpty ? { ...spec, limits: null } : mapItems(spec, 'limits', limitDefaults)
}

function validateLimits(types: readonly string[]): FieldErrors {
  return types.flatMap((type, index) =>
    types.indexOf(type) < index ? [duplicate(`spec.limits[${index}].type`, type)] : [],
  )
}

/** Defaults of containers follow from maximum and minimum. */
function limitDefaults(given: JsonObject): JsonObject {
  let limit = given
  for (const amount of AMOUNTS) limit = mapField(limit, amount, canonicalResources)
  if (limit.type !== 'Container') return limit
  const standard = withDefaults(objectAt(limit, 'default'), objectAt(limit, 'max'))
  const request = withDefaults(withDefaults(objectAt(limit, 'defaultRequest'), standard), objectAt(limit, 'min'))
  return {
    ...limit,
    ...(Object.keys(standard).length > 0 && { default: standard }),
    ...(Object.keys(request).length > 0 && { defaultRequest: request }),
  }
}
