import type { Clock } from '../../../../core/base/clock.ts'
import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import { itemsAt } from '../../kinds/common/fields.ts'
import type { ObjectApi } from '../../object-api.ts'
import { specOf, timestamp } from '../common/objects.ts'
import { conditionOf } from '../common/pod-state.ts'

const NOT_READY = 'node.kubernetes.io/not-ready'
const UNREACHABLE = 'node.kubernetes.io/unreachable'
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable'

/** Gives a node the taints that follow from its state, after those that others set. */
export function settleTaints(api: ObjectApi, clock: Clock, node: KubeObject): void {
  const taints = taintsOf(node, timestamp(clock.now()))
  if (jsonEquals(taints, itemsAt(specOf(node), 'taints'))) return
  const { taints: _old, ...spec } = specOf(node)
  api.update({ ...node, spec: { ...spec, ...(taints.length > 0 && { taints }) } } as KubeObject, CONTROLLER_MANAGER)
}

function taintsOf(node: KubeObject, timeAdded: string): readonly JsonObject[] {
  const taints = itemsAt(specOf(node), 'taints')
  const ready = conditionOf(node, 'Ready')?.status
  const holds: Readonly<Record<string, boolean>> = {
    // Set at the creation, and right until something is known.
    [NOT_READY]: (ready === undefined || ready === 'False') && taints.some(({ key }) => key === NOT_READY),
    [UNREACHABLE]: ready === 'Unknown',
    [UNSCHEDULABLE]: specOf(node).unschedulable === true,
  }
  const kept = taints.filter(({ key }) => holds[String(key)] !== false)
  const missing = Object.keys(holds).filter((key) => holds[key] && !kept.some((taint) => taint.key === key))
  return [...kept, ...missing.map((key) => ({ key, effect: 'NoSchedule', timeAdded }))]
}
