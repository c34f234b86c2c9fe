import type { JsonObject } from '../../../../core/base/json.ts'
import { objectAt, textAt } from '../../kinds/common/fields.ts'

export interface MetricComplaint {
  readonly reason: string
  readonly cause: string
}

const NO_RESOURCES =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const NO_CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const NO_EXTERNAL =
  'unable to fetch metrics from external metrics API: no external metrics API (external.metrics.k8s.io) registered'

/** What the controller says of a metric in a cluster where nothing is measured. */
export function complaintAbout(metric: JsonObject): MetricComplaint {
  const type = textAt(metric, 'type')
  const source = objectAt(metric, `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`)
  return { reason: `FailedGet${type}Metric`, cause: causeOf(type, source) }
}

function causeOf(type: string, source: JsonObject): string {
  if (type === 'Resource' || type === 'ContainerResource') {
    const name = textAt(source, 'name')
    const what = objectAt(source, 'target').averageUtilization === undefined ? 'usage' : 'utilization'
    return `failed to get ${name} ${what}: unable to get metrics for resource ${name}: ${NO_RESOURCES}`
  }
  const name = textAt(objectAt(source, 'metric'), 'name')
  if (type === 'External') return `unable to get external metric ${name}: ${NO_EXTERNAL}`
  return `unable to get metric ${name}: ${NO_CUSTOM}`
}
