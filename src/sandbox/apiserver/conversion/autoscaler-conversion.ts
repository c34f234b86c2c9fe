import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { VersionConversion } from '../served-resource.ts'

/** HorizontalPodAutoscalers are stored as v2; v1 knows no metric but the CPU. */
export const autoscalerConversion: VersionConversion = {
  fromStorage: (object) => {
    const { metrics, behavior: _behavior, ...spec } = objectAt(object, 'spec')
    const target = objectAt(cpuOf(metrics), 'target').averageUtilization
    const { currentMetrics, conditions: _conditions, ...status } = objectAt(object, 'status')
    const current = objectAt(cpuOf(currentMetrics), 'current').averageUtilization
    return {
      ...object,
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
      status: { ...status, ...(current !== undefined && { currentCPUUtilizationPercentage: current }) },
    }
  },
  toStorage: (object) => {
    const { targetCPUUtilizationPercentage: target, ...spec } = objectAt(object, 'spec')
    const { currentCPUUtilizationPercentage: current, ...status } = objectAt(object, 'status')
    return {
      ...object,
      apiVersion: 'autoscaling/v2',
      spec: { ...spec, ...(target !== undefined && { metrics: [cpuMetric(target)] }) },
      status: { currentMetrics: current === undefined ? null : [cpuStatus(current)], ...status },
    }
  },
}

function cpuMetric(averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

function cpuStatus(averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }
}

function cpuOf(metrics: JsonValue | undefined): JsonObject {
  const found = isJsonArray(metrics)
    ? metrics.filter(isJsonObject).find((metric) => objectAt(metric, 'resource').name === 'cpu')
    : undefined
  return found ? objectAt(found, 'resource') : {}
}

function objectAt(object: JsonObject | KubeObject, key: string): JsonObject {
  const value = (object as JsonObject)[key]
  return isJsonObject(value) ? value : {}
}
