import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'

export interface MetricComplaint {
  readonly reason: string
  readonly cause: string
  /** The cause as it stands in what the controller says of all metrics together. */
  readonly whole: string
}

const NO_RESOURCES =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const NO_CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const NO_EXTERNAL =
  'unable to fetch metrics from external metrics API: the server could not find the requested resource'

/** What the controller says of a metric in a cluster where nothing is measured. */
export function complaintAbout(metric: JsonObject, namespace: string): MetricComplaint {
  const type = textAt(metric, 'type')
  const source = objectAt(metric, `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`)
  const cause = causeOf(type, source, namespace)
  return { reason: `FailedGet${type}Metric`, cause, whole: `${contextOf(type, source)}: ${cause}` }
}

function causeOf(type: string, source: JsonObject, namespace: string): string {
  if (type === 'Resource' || type === 'ContainerResource') {
    const name = textAt(source, 'name')
    const what = objectAt(source, 'target').averageUtilization === undefined ? 'usage' : 'utilization'
    return `failed to get ${name} ${what}: unable to get metrics for resource ${name}: ${NO_RESOURCES}`
  }
  const metric = objectAt(source, 'metric')
  const name = textAt(metric, 'name')
  if (type === 'External') {
    const labels = metric.selector === undefined ? 'nil' : printSelector(objectAt(metric, 'selector'))
    return `unable to get external metric ${namespace}/${name}/${labels}: ${NO_EXTERNAL} (get ${name}.external.metrics.k8s.io)`
  }
  if (type === 'Pods') return `unable to get metric ${name}: ${NO_CUSTOM}`
  // The name of the object and the error have changed places in the controller.
  const { kind, name: object } = objectAt(source, 'describedObject')
  return `unable to get metric ${name}: ${kind} on ${namespace} ${object}/${NO_CUSTOM}`
}

function contextOf(type: string, source: JsonObject): string {
  const name = textAt(objectAt(source, 'metric'), 'name')
  const isAverage = objectAt(source, 'target').averageValue !== undefined
  if (type === 'Resource') return `failed to get ${textAt(source, 'name')} resource metric value`
  if (type === 'ContainerResource') return `failed to get ${textAt(source, 'container')} container metric value`
  if (type === 'Pods') return 'failed to get pods metric value'
  if (type === 'Object')
    return `failed to get object metric value${isAverage ? `: failed to get ${name} object metric` : ''}`
  const inner = isAverage ? `${name} external metric` : `external metric ${name}`
  return `failed to get ${name} external metric value: failed to get ${inner}`
}

/** As Go prints a selector of its generated types. */
function printSelector(selector: JsonObject): string {
  const matchLabels = objectAt(selector, 'matchLabels')
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`)
  const rules = itemsAt(selector, 'matchExpressions').map(
    (rule) =>
      `LabelSelectorRequirement{Key:${textAt(rule, 'key')},Operator:${textAt(rule, 'operator')},Values:[${[rule.values ?? []].flat().join(' ')}],},`,
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${rules.join('')}},}`
}
