import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import type { PodToCheck } from './check.ts'

const IN_SPEC = ['spec', 'template']

/** Where workloads have what they make pods of, by table. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': IN_SPEC,
  'apps/daemonsets': IN_SPEC,
  'apps/deployments': IN_SPEC,
  'apps/replicasets': IN_SPEC,
  'apps/statefulsets': IN_SPEC,
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/jobs': IN_SPEC,
}

/** What a workload makes its pods of; nothing for what is no workload. */
export function templateOf(table: string, object: KubeObject): PodToCheck | undefined {
  return TEMPLATES[table] && podToCheck(TEMPLATES[table].reduce(objectAt, object as JsonObject))
}

/** Of a pod, or of a template. */
export function podToCheck(pod: JsonObject | KubeObject): PodToCheck {
  const { metadata, spec } = pod as JsonObject
  return { spec: objectAt({ spec }, 'spec'), annotations: objectAt(objectAt({ metadata }, 'metadata'), 'annotations') }
}
