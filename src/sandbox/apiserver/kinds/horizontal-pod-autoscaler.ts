import type { JsonObject } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { specAndStatus } from './common/strategies.ts'
import { validateAutoscaler, validateAutoscalerStatus } from './horizontal-pod-autoscaler/autoscaler-validation.ts'
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
  keepsEmpty: true,
  ...specAndStatus({ desiredReplicas: 0, currentMetrics: null }),
  applyDefaults: (object) => ({ ...object, spec: specDefaults(objectAt(object, 'spec')) }),
  validate: (object) => validateAutoscaler(objectAt(object, 'spec')),
  validateStatusUpdate: (object) => validateAutoscalerStatus(objectAt(object, 'status')),
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
  validate: (object) => validateAutoscaler(withMetric(objectAt(object, 'spec'))),
  validateStatusUpdate: (object) => validateAutoscalerStatus(objectAt(object, 'status')),
  columns: columnsOf(oldGvk, cells),
}

/** The server keeps the one number of the old form as a metric. */
function withMetric(spec: JsonObject): JsonObject {
  const { targetCPUUtilizationPercentage: averageUtilization } = spec
  if (averageUtilization === undefined) return spec
  return {
    ...spec,
    metrics: [{ ...CPU, resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
  }
}

function specDefaults(given: JsonObject): JsonObject {
  const metered = itemsAt(given, 'metrics').length === 0 ? { ...given, metrics: [CPU] } : given
  const spec = withDefaults(metered, { minReplicas: 1 })
  return mapField(spec, 'behavior', (behavior) => ({
    scaleUp: withDefaults(objectAt(behavior, 'scaleUp'), UP),
    scaleDown: withDefaults(objectAt(behavior, 'scaleDown'), DOWN),
  }))
}
