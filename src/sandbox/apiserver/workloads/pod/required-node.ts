import { isJsonArray } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'

/** Pods of a DaemonSet name their node by an affinity. */
export function requiredNodeName(pod: KubeObject): string | undefined {
  const affinity = objectAt(objectAt(specOf(pod), 'affinity'), 'nodeAffinity')
  const required = objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution')
  const [term] = itemsAt(required, 'nodeSelectorTerms')
  const field = itemsAt(term, 'matchFields').find((each) => textAt(each, 'key') === 'metadata.name')
  const values = field?.values
  return isJsonArray(values) ? String(values[0]) : undefined
}
