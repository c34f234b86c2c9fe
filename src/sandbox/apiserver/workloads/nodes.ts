import type { Clock } from '../../../core/base/clock.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ObjectApi } from '../object-api.ts'
import { kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, timestamp } from './common/objects.ts'
import { conditionOf } from './common/pod-state.ts'
import { settleTaints } from './node/taints.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

const NODE_NAME = 'sandbox'
/** How many pods of one workload the node takes; workloads that want more get no more. */
export const MAX_PODS = 10_000
export const NODE_ADDRESS = '10.0.0.1'

/** Makes the one node that is there from the start. Every node, also of others, is ready and says if it takes no pods. */
export function nodes(stages: Stages): WorkloadController {
  const controller = kindController(stages, {
    name: 'node-controller',
    kind: KINDS.node,
    reconciler: (tools) => ({ reconcile: (node) => settle(tools.api, tools.clock, node) }),
  })
  return {
    name: controller.name,
    start: (api, clock, logger) => {
      findOrCreate(api)
      for (const node of api.list(KINDS.node)) settle(api, clock, node)
      return controller.start(api, clock, logger)
    },
  }
}

function settle(api: ObjectApi, clock: Clock, node: KubeObject): void {
  if (isDeleting(node)) return
  settleTaints(api, clock, makeReady(api, clock, node))
}

function makeReady(api: ObjectApi, clock: Clock, node: KubeObject): KubeObject {
  if (conditionOf(node, 'Ready') !== undefined) return node
  return putStatus(api, node, statusAt(timestamp(clock.now()), keyOf(node).name), 'kubelet')
}

function findOrCreate(api: ObjectApi): void {
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': NODE_NAME,
    'kubernetes.io/os': 'linux',
  }
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE_NAME, labels }, spec: {} }
  if (!api.get(KINDS.node, keyOf(node))) api.create(node, 'kubelet')
}

function statusAt(time: string, name: string): JsonObject {
  const resources = { cpu: '64', memory: '256Gi', pods: '10k', 'ephemeral-storage': '1Ti' }
  const condition = (type: string, status: string, reason: string, message: string): JsonObject => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  })
  return {
    addresses: [
      { type: 'InternalIP', address: NODE_ADDRESS },
      { type: 'Hostname', address: name },
    ],
    allocatable: resources,
    capacity: resources,
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    nodeInfo: {
      architecture: 'amd64',
      bootID: '',
      containerRuntimeVersion: 'sandbox://1.0.0',
      kernelVersion: '',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.36.4',
      machineID: '',
      operatingSystem: 'linux',
      osImage: 'sandbox',
      systemUUID: '',
    },
  }
}
