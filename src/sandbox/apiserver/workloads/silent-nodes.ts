import type { JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, statusOf, timestamp } from './common/objects.ts'
import { conditionOf } from './common/pod-state.ts'
import { settleTaints } from './node/taints.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Milliseconds in which the kubelet of a new node has to say how the node is. */
const STARTUP_MS = 60_000
const CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** Where no kubelets are: after a minute, nothing is known of a node that people made. */
export function silentNodes(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'node-controller',
    kind: KINDS.node,
    reconciler: (tools) => ({ reconcile: (node) => settle(tools, node) }),
  })
}

function settle({ api, clock, loop }: ControllerTools, node: KubeObject): void {
  if (isDeleting(node)) return
  const created = node.metadata.creationTimestamp ?? ''
  const left = Date.parse(created) + STARTUP_MS - clock.now()
  const isKnown = conditionOf(node, 'Ready') !== undefined
  if (!isKnown && left > 0) loop.enqueueAfter(keyOf(node), left)
  const isSilent = !isKnown && left <= 0
  settleTaints(api, clock, isSilent ? putStatus(api, node, unknownStatus(node, created, clock.now())) : node)
}

function unknownStatus(node: KubeObject, created: string, now: number): JsonObject {
  const conditions = CONDITIONS.map((type) => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: created,
    lastTransitionTime: timestamp(now),
  }))
  return { ...statusOf(node), conditions }
}
