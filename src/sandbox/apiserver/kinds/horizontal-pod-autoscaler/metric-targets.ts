import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'

/** The TARGETS of an autoscaler: what every metric is and should be, of the first two. */
export function printTargets(object: KubeObject): string {
  const metrics = metricsOf(objectAt(object, 'spec'))
  const statuses = statusesOf(objectAt(object, 'status'))
  const texts = metrics.slice(0, SHOWN).map((metric, index) => printMetric(metric, statuses[index]))
  if (texts.length === 0) return '<none>'
  return metrics.length > SHOWN ? `${texts.join(', ')} + ${metrics.length - SHOWN} more...` : texts.join(', ')
}

const SHOWN = 2

function printMetric(metric: JsonObject, status: JsonObject | undefined): string {
  const type = textAt(metric, 'type')
  const source = sourceOf(metric, type)
  const target = objectAt(source, 'target')
  const current = objectAt(sourceOf(status, type), 'current')
  const isResource = type === 'Resource' || type === 'ContainerResource'
  if (target.averageValue !== undefined) {
    const amount = `${known(current.averageValue)}/${target.averageValue}`
    if (isResource) return `${textAt(source, 'name')}: ${amount}`
    return type === 'Pods' ? amount : `${amount} (avg)`
  }
  if (!isResource) return `${known(current.value)}/${known(target.value)}`
  const percentage = percent(target.averageUtilization) ?? '<auto>'
  return `${textAt(source, 'name')}: ${percent(current.averageUtilization) ?? UNKNOWN}/${percentage}`
}

const UNKNOWN = '<unknown>'

function known(value: JsonValue | undefined): string {
  return value === undefined ? UNKNOWN : String(value)
}

function percent(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : `${value}%`
}

/** The member that the type names: `ContainerResource` means `containerResource`. */
function sourceOf(metric: JsonObject | undefined, type: string): JsonObject {
  return objectAt(metric, `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`)
}

function metricsOf(spec: JsonObject): readonly JsonObject[] {
  const { targetCPUUtilizationPercentage: averageUtilization } = spec
  return averageUtilization === undefined ? itemsAt(spec, 'metrics') : [cpu('target', averageUtilization)]
}

function statusesOf(status: JsonObject): readonly JsonObject[] {
  const { currentCPUUtilizationPercentage: averageUtilization } = status
  return averageUtilization === undefined ? itemsAt(status, 'currentMetrics') : [cpu('current', averageUtilization)]
}

/** `autoscaling/v1` knows no other metric. */
function cpu(field: 'target' | 'current', averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', [field]: { averageUtilization } } }
}
