import type { JsonObject } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden, invalid, required } from './common/field-errors.ts'
import { itemsAt, mapField, numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { specAndStatus } from './common/strategies.ts'
import { printTargets } from './horizontal-pod-autoscaler/metric-targets.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' }
const oldGvk = { ...gvk, version: 'v1' }

const UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] }
const CPU = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }

const cells: Parameters<typeof columnsOf>[1] = {
  Reference: (object) => {
    const { kind = '', name = '' } = objectAt(objectAt(object, 'spec'), 'scaleTargetRef')
    return `${kind}/${name}`
  },
  Targets: printTargets,
  MinPods: (object) => String(numberAt(objectAt(object, 'spec'), 'minReplicas')),
  MaxPods: (object) => numberAt(objectAt(object, 'spec'), 'maxReplicas'),
  Replicas: (object) => numberAt(objectAt(object, 'status'), 'currentReplicas'),
}

export const horizontalPodAutoscaler: KindRules = {
  gvk,
  ...specAndStatus({ desiredReplicas: 0, currentMetrics: null }),
  applyDefaults: (object) => ({ ...object, spec: specDefaults(objectAt(object, 'spec')) }),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
  columns: columnsOf(gvk, cells),
}

/** The old form, which knows only one metric. */
export const oldHorizontalPodAutoscaler: KindRules = {
  gvk: oldGvk,
  ...specAndStatus({ currentReplicas: 0, desiredReplicas: 0 }),
  applyDefaults: (object) => ({
    ...object,
    spec: withDefaults(objectAt(object, 'spec'), { minReplicas: 1, targetCPUUtilizationPercentage: 80 }),
  }),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
  columns: columnsOf(oldGvk, cells),
}

function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, {
    minReplicas: 1,
    ...(itemsAt(given, 'metrics').length === 0 && { metrics: [CPU] }),
  })
  return mapField(spec, 'behavior', (behavior) => ({
    scaleUp: withDefaults(objectAt(behavior, 'scaleUp'), UP),
    scaleDown: withDefaults(objectAt(behavior, 'scaleDown'), DOWN),
  }))
}

function validateSpec(spec: JsonObject): FieldErrors {
  const min = numberAt(spec, 'minReplicas')
  const max = numberAt(spec, 'maxReplicas')
  const toZero = 'must specify at least one Object or External metric to support scaling to zero replicas'
  const scalesToZero = itemsAt(spec, 'metrics').some(({ type }) => type === 'Object' || type === 'External')
  return [
    ...(min < 1 ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')] : []),
    ...validateMaximum(min, max),
    ...validateTarget(objectAt(spec, 'scaleTargetRef')),
    ...(min === 0 && !scalesToZero ? [forbidden('spec.metrics', toZero)] : []),
    ...itemsAt(spec, 'metrics').flatMap(validateResource),
  ]
}

/** An amount or a share is wanted of each resource. */
function validateResource({ type, resource }: JsonObject, index: number): FieldErrors {
  if (type !== 'Resource') return []
  const { averageUtilization, averageValue } = objectAt(objectAt({ resource }, 'resource'), 'target')
  if (averageUtilization !== undefined || averageValue !== undefined) return []
  const field = `spec.metrics[${index}].resource.target.averageUtilization`
  return [required(field, 'must set either a target raw value or a target utilization')]
}

function validateMaximum(min: number, max: number): FieldErrors {
  return [
    ...(max < 1 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(max < min ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')] : []),
  ]
}

function validateTarget(target: JsonObject): FieldErrors {
  const field = 'spec.scaleTargetRef'
  const apiVersion = textAt(target, 'apiVersion')
  return [
    ...['kind', 'name'].filter((name) => textAt(target, name) === '').map((name) => required(`${field}.${name}`)),
    ...(apiVersion === '' ? [invalid(`${field}.apiVersion`, '', 'apiVersion must specify API group')] : []),
  ]
}
