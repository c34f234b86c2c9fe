import type { JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, invalid, notNegative, required } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt } from '../common/fields.ts'
import { validateMetric, validateTargetReference } from './metrics-validation.ts'
import { validateScalingRules } from './scaling-rules-validation.ts'

/** Complaints about the spec of an autoscaler. The old version has no metrics, and no behavior. */
export function validateAutoscaler(spec: JsonObject): FieldErrors {
  const metrics = itemsAt(spec, 'metrics')
  const behavior = objectAt(spec, 'behavior')
  const target = objectAt(spec, 'scaleTargetRef')
  return [
    ...validateReplicas(spec),
    ...validateTargetReference(target, 'spec.scaleTargetRef', target.kind === 'ReplicationController'),
    ...metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`)),
    ...validateZero(spec),
    ...['scaleUp', 'scaleDown'].flatMap((name) =>
      behavior[name] === undefined ? [] : validateScalingRules(objectAt(behavior, name), `spec.behavior.${name}`),
    ),
  ]
}

export function validateAutoscalerStatus(status: JsonObject): FieldErrors {
  return ['currentReplicas', 'desiredReplicas'].flatMap((name) => notNegative(`status.${name}`, status[name]))
}

function validateReplicas(spec: JsonObject): FieldErrors {
  const min = numberAt(spec, 'minReplicas')
  const max = numberAt(spec, 'maxReplicas')
  const field = 'spec.maxReplicas'
  return [
    ...(min < 1 ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')] : []),
    ...(max === 0 ? [required(field, 'must be set and greater than 0')] : []),
    ...(max < 0 ? [invalid(field, max, 'must be greater than or equal to 1')] : []),
    ...(max < min ? [invalid(field, max, 'must be greater than or equal to `minReplicas`')] : []),
  ]
}

/** What the replicas say about themselves is nothing when there are none. */
function validateZero(spec: JsonObject): FieldErrors {
  const isKnown = itemsAt(spec, 'metrics').some(({ type }) => type === 'Object' || type === 'External')
  if (spec.minReplicas !== 0 || isKnown) return []
  const text = 'must specify at least one Object or External metric to support scaling to zero replicas'
  return [forbidden('spec.metrics', text)]
}
