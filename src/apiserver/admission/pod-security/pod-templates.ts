import { isJsonObject, type JsonObject, type JsonPath } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import type { PodToCheck } from './check.ts'

const IN_SPEC = ['spec', 'template']

/** Where workloads have what they make pods of, by table. */
const TEMPLATES: Readonly<Record<string, JsonPath>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': IN_SPEC,
  'apps/daemonsets': IN_SPEC,
  'apps/deployments': IN_SPEC,
  'apps/replicasets': IN_SPEC,
  'apps/statefulsets': IN_SPEC,
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/jobs': IN_SPEC,
}

export function hasTemplate(table: string): boolean {
  return TEMPLATES[table] !== undefined
}

/** What a workload makes its pods of. */
export function templateOf(table: string, workload: KubeObject): PodToCheck | undefined {
  let value: JsonObject = workload as JsonObject
  for (const name of TEMPLATES[table] ?? []) {
    const inner = value[String(name)]
    if (!isJsonObject(inner)) return undefined
    value = inner
  }
  return podToCheck(value)
}

/** Of a pod, or of a template. */
export function podToCheck(pod: JsonObject | KubeObject): PodToCheck {
  const { metadata, spec } = pod as JsonObject
  return { spec: objectAt({ spec }, 'spec'), annotations: objectAt(objectAt({ metadata }, 'metadata'), 'annotations') }
}
