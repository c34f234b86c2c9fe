import type { JsonObject } from '../../base/json.ts'
import { type KubeObject, keyOf } from '../../kube/object.ts'
import type { ObjectApi } from '../object-api.ts'
import { KINDS } from './common/known-kinds.ts'
import { putStatus, timestamp } from './common/objects.ts'
import { conditionOf } from './common/pod-state.ts'
import type { WorkloadController } from './workload-controller.ts'

export const NODE_NAME = 'sandbox'
/** How many pods of one workload the node takes; workloads that want more get no more. */
export const MAX_PODS = 10_000
export const NODE_ADDRESS = '10.0.0.1'

/** The one node there is: made at the start, ready for ever. */
export const nodes: WorkloadController = {
  name: 'kubelet',
  start: (api, clock) => {
    const node = findOrCreate(api)
    const isKnown = conditionOf(node, 'Ready') !== undefined
    if (!isKnown) putStatus(api, node, statusAt(timestamp(clock.now())), 'kubelet')
    return () => undefined
  },
}

function findOrCreate(api: ObjectApi): KubeObject {
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': NODE_NAME,
    'kubernetes.io/os': 'linux',
  }
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE_NAME, labels }, spec: {} }
  return api.get(KINDS.node, keyOf(node)) ?? api.create(node, 'kubelet')
}

function statusAt(time: string): JsonObject {
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
      { type: 'Hostname', address: NODE_NAME },
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
