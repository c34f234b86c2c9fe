import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const scaler = (name: string, spec: JsonObject, version = 'v2'): Step => ({
  name,
  method: 'POST',
  path: `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers?dryRun=All`,
  body: { metadata: { name: 'x' }, spec: { scaleTargetRef: target, maxReplicas: 3, ...spec } },
})
const metric = (name: string, ...metrics: readonly JsonObject[]): Step =>
  scaler(`a metric: ${name}`, { metrics: [...metrics] })
const behavior = (name: string, scaleUp: JsonObject): Step => scaler(`behavior: ${name}`, { behavior: { scaleUp } })
const utilization = { type: 'Utilization', averageUtilization: 50 }
const value = { type: 'Value', value: '1' }
const identified = { metric: { name: 'm' } }
const policy = { type: 'Pods', value: 1, periodSeconds: 15 }

export const steps: readonly Step[] = [
  scaler('as it is', {}),
  scaler('a name with a slash', { scaleTargetRef: { ...target, name: 'a/b', kind: 'c%d' } }),
  scaler('a target of nothing', { scaleTargetRef: {} }),
  scaler('a target of too many parts', { scaleTargetRef: { ...target, apiVersion: 'a/b/c' } }),
  scaler('a target of the core', { scaleTargetRef: { ...target, apiVersion: 'v1' } }),
  scaler('no maximum', { maxReplicas: 0 }),
  scaler('a negative maximum', { maxReplicas: -1, minReplicas: -2 }),
  scaler('a maximum below the minimum', { maxReplicas: 1, minReplicas: 2 }),
  scaler('a minimum of zero', { minReplicas: 0 }),
  metric('of no type', { resource: { name: 'cpu', target: utilization } }),
  metric('of another type', { type: 'X' }),
  metric('of a type and nothing else', { type: 'Resource' }),
  metric('of another source', { type: 'Resource', pods: { ...identified, target: value } }),
  metric('of two sources', {
    type: 'Resource',
    resource: { name: 'cpu', target: utilization },
    pods: { ...identified, target: value },
  }),
  metric('a resource of no name', { type: 'Resource', resource: { name: '', target: utilization } }),
  metric('a resource without a target', { type: 'Resource', resource: { name: 'cpu', target: { type: '' } } }),
  metric('a resource of another target', {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'X', averageUtilization: 0 } },
  }),
  metric('a resource of both', {
    type: 'Resource',
    resource: { name: 'cpu', target: { ...utilization, averageValue: '0' } },
  }),
  metric('pods', { type: 'Pods', pods: { ...identified, target: { type: 'AverageValue', averageValue: '1' } } }),
  metric('pods without an average', { type: 'Pods', pods: { metric: { name: 'a/b' }, target: value } }),
  metric('an object', {
    type: 'Object',
    object: { describedObject: { ...target, apiVersion: 'v1' }, ...identified, target: value },
  }),
  metric('an object of nothing', {
    type: 'Object',
    object: { describedObject: {}, metric: { name: '' }, target: { type: 'Value' } },
  }),
  metric('something external of both', {
    type: 'External',
    external: { ...identified, target: { ...value, averageValue: '1' } },
  }),
  metric('something external of nothing', {
    type: 'External',
    external: { ...identified, target: { type: 'Value', value: '-1' } },
  }),
  metric('a resource of a container', {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target: utilization },
  }),
  metric('a resource of no container', {
    type: 'ContainerResource',
    containerResource: { name: '', container: '', target: utilization },
  }),
  metric('a bad resource of a bad container', {
    type: 'ContainerResource',
    containerResource: { name: 'x', container: 'A_b', target: value },
  }),
  behavior('as it is', {}),
  behavior('another choice', { selectPolicy: 'X' }),
  behavior('a window below zero', { stabilizationWindowSeconds: -1 }),
  behavior('a window beyond an hour', { stabilizationWindowSeconds: 3601 }),
  behavior('no policies', { policies: [] }),
  behavior('a policy of nothing', { policies: [{ type: '', value: 0, periodSeconds: 0 }] }),
  behavior('a long policy', { policies: [{ ...policy, type: 'X', periodSeconds: 1801 }] }),
  scaler('of the first version', { targetCPUUtilizationPercentage: 0 }, 'v1'),
  scaler('of the first version, below zero', { targetCPUUtilizationPercentage: -1 }, 'v1'),
]
