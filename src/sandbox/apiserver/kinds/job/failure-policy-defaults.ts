import type { JsonObject } from '../../../../core/base/json.ts'
import { mapField, mapItems } from '../common/fields.ts'

/** The spec of a Job whose failure policy says the status of each condition. */
export function failurePolicyDefaults(spec: JsonObject): JsonObject {
  return mapField(spec, 'podFailurePolicy', (policy) =>
    mapItems(policy, 'rules', (rule) =>
      mapItems(rule, 'onPodConditions', (pattern) => (pattern.status ? pattern : { ...pattern, status: 'True' })),
    ),
  )
}
