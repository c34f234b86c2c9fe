import type { KubeObject } from '../../../../core/kube/object.ts'
import type { KindRules } from '../kind-rules.ts'
import { numberAt, objectAt } from './fields.ts'

/** Where a workload that keeps a number of pods has what its Scale shows. */
export const REPLICAS_SCALE = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['spec', 'selector'],
} as const satisfies KindRules['scale']

/** `2/3`: pods that are ready, of those wanted. */
export function readyOfWanted(object: KubeObject): string {
  const ready = numberAt(objectAt(object, 'status'), 'readyReplicas')
  return `${ready}/${numberAt(objectAt(object, 'spec'), 'replicas')}`
}
