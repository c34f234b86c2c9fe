import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, textAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'

/** Whether a node keeps a pod away; taints that only advise do not count. */
export function hasUntoleratedTaint(pod: KubeObject, node: KubeObject): boolean {
  const tolerations = itemsAt(specOf(pod), 'tolerations')
  return itemsAt(specOf(node), 'taints').some(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((each) => tolerates(each, taint)),
  )
}

/** A toleration without key or effect is one of all of them. */
function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const [key, effect] = [textAt(toleration, 'key'), textAt(toleration, 'effect')]
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return toleration.operator === 'Exists' || textAt(toleration, 'value') === textAt(taint, 'value')
}
