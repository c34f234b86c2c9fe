import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, mapItems, objectAt, withDefaults } from './common/fields.ts'
import { canonicalResources } from './common/quantity.ts'
import { withMetadata } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { validateLimits } from './limit-range-validation.ts'

const gvk = { group: '', version: 'v1', kind: 'LimitRange' }
const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']

/** One that has no name is called by its uid; the real server takes another one. */
function named(object: KubeObject): KubeObject {
  const { name, uid = '' } = object.metadata
  return name ? object : withMetadata(object, { name: uid })
}

export const limitRange: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) => mapField(object, 'spec', (spec) => mapItems(spec, 'limits', limitDefaults)),
  prepareForCreate: named,
  validate: (object) => validateLimits(itemsAt(objectAt(object, 'spec'), 'limits')),
  createOnUpdate: true,
  columns: columnsOf(gvk),
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
