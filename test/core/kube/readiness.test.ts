import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { ObjectMeta } from '../../../src/core/kube/object.ts'
import { readinessOf } from '../../../src/core/kube/readiness.ts'

interface Case {
  readonly name: string
  /** `apiVersion kind`. */
  readonly type: string
  readonly metadata?: ObjectMeta
  readonly spec?: JsonObject
  readonly status?: JsonObject
  /** `ready`, or the kind with its message. */
  readonly expected: string
}

const condition = (type: string, status = 'True', reason = 'R'): JsonObject => ({
  conditions: [{ type, status, reason }],
})
const counts = (replicas: number, updated = replicas, ready = replicas, available = ready): JsonObject => ({
  observedGeneration: 2,
  replicas,
  updatedReplicas: updated,
  readyReplicas: ready,
  availableReplicas: available,
  fullyLabeledReplicas: replicas,
  currentReplicas: updated,
  conditions: [{ type: 'Available', status: 'True' }],
})
const nodes = (current: number, updated = current, available = current, ready = current): JsonObject => ({
  observedGeneration: 2,
  desiredNumberScheduled: 2,
  currentNumberScheduled: current,
  updatedNumberScheduled: updated,
  numberAvailable: available,
  numberReady: ready,
})
const generation = { generation: 2 }
const three = { replicas: 3 }
const unseen = 'notReady: its controller has not seen it yet'
const outdated = 'unobserved: its controller has not seen it yet'

const DEPLOYMENT = 'apps/v1 Deployment'
const STATEFUL_SET = 'apps/v1 StatefulSet'
const DAEMON_SET = 'apps/v1 DaemonSet'
const REPLICA_SET = 'apps/v1 ReplicaSet'
const CRD = 'apiextensions.k8s.io/v1 CustomResourceDefinition'
const BUDGET = 'policy/v1 PodDisruptionBudget'
const CUSTOM = 'example.com/v1 Widget'

const cases: readonly Case[] = [
  {
    name: 'reconciling',
    type: CUSTOM,
    status: { conditions: [{ type: 'Reconciling', status: 'True', reason: 'Progressing' }] },
    expected: 'notReady: it is reconciling: Progressing',
  },
  {
    name: 'reconciling, and ready beside it',
    type: CUSTOM,
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Reconciling', status: 'True' },
      ],
    },
    expected: 'notReady: it is reconciling',
  },
  {
    name: 'no longer reconciling',
    type: CUSTOM,
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Reconciling', status: 'False' },
      ],
    },
    expected: 'ready',
  },
  {
    name: 'stalled, of a kind that has rules of its own',
    type: DEPLOYMENT,
    spec: three,
    status: { ...counts(3), conditions: [{ type: 'Stalled', status: 'True', reason: 'Broken' }] },
    expected: 'failed: it is stalled: Broken',
  },
  {
    name: 'a Ready condition about a former generation, in a status without a generation',
    type: CUSTOM,
    metadata: generation,
    status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] },
    expected: outdated,
  },
  {
    name: 'a Ready condition about the present generation',
    type: CUSTOM,
    metadata: generation,
    status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 2 }] },
    expected: 'ready',
  },
  {
    name: 'a budget that no controller has seen',
    type: BUDGET,
    metadata: { generation: 1 },
    expected: unseen,
  },
  {
    name: 'a budget with too few healthy pods',
    type: BUDGET,
    metadata: { generation: 1 },
    status: { observedGeneration: 1, currentHealthy: 0, desiredHealthy: 3, expectedPods: 3 },
    expected: 'notReady: 0 of 3 pods are healthy',
  },
  {
    name: 'a budget that wants more than there are to be',
    type: BUDGET,
    metadata: { generation: 1 },
    status: { observedGeneration: 1, currentHealthy: 0, desiredHealthy: 3, expectedPods: 0 },
    expected: 'ready',
  },
  {
    name: 'a budget that is met',
    type: BUDGET,
    metadata: { generation: 1 },
    status: { observedGeneration: 1, currentHealthy: 3, desiredHealthy: 3, disruptionsAllowed: 0 },
    expected: 'ready',
  },
  {
    name: 'anything that is going',
    type: 'v1 ConfigMap',
    metadata: { deletionTimestamp: 'x' },
    expected: 'notReady: it is being deleted',
  },
  { name: 'what has no rule', type: 'v1 ConfigMap', expected: 'ready' },
  { name: 'new', type: DEPLOYMENT, metadata: generation, spec: three, expected: unseen },
  {
    name: 'an old status',
    type: DEPLOYMENT,
    metadata: { generation: 3 },
    spec: three,
    status: counts(3),
    expected: outdated,
  },
  {
    name: 'a failure of an old generation',
    type: DEPLOYMENT,
    metadata: { generation: 3 },
    spec: three,
    status: { ...counts(3), ...condition('Progressing', 'False', 'ProgressDeadlineExceeded') },
    expected: unseen,
  },
  {
    name: 'no pods yet',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: counts(1),
    expected: 'notReady: 1 of 3 replicas',
  },
  {
    name: 'old pods',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: counts(3, 1),
    expected: 'notReady: 1 of 3 replicas are updated',
  },
  {
    name: 'pods that are not ready',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: counts(3, 3, 2),
    expected: 'notReady: 2 of 3 replicas',
  },
  {
    name: 'old pods that linger',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: counts(4, 3, 4),
    expected: 'notReady: 1 old replicas still exist',
  },
  {
    name: 'pods that are too young',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: counts(3, 3, 3, 1),
    expected: 'notReady: 1 of 3 replicas',
  },
  {
    name: 'a rollout with a deadline that has not ended',
    type: DEPLOYMENT,
    metadata: generation,
    spec: { ...three, progressDeadlineSeconds: 600 },
    status: {
      ...counts(3),
      conditions: [
        { type: 'Available', status: 'True' },
        { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused' },
      ],
    },
    expected: 'notReady: its rollout has not come to its end',
  },
  {
    name: 'a rollout with a deadline that has ended',
    type: DEPLOYMENT,
    metadata: generation,
    spec: { ...three, progressDeadlineSeconds: 600 },
    status: {
      ...counts(3),
      conditions: [
        { type: 'Available', status: 'True' },
        { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
      ],
    },
    expected: 'ready',
  },
  {
    name: 'unavailable',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: { ...counts(3), ...condition('Available', 'False') },
    expected: 'notReady: it is not available',
  },
  { name: 'rolled out', type: DEPLOYMENT, metadata: generation, spec: three, status: counts(3), expected: 'ready' },
  { name: 'of a server that counts no generations', type: DEPLOYMENT, status: counts(1), expected: 'ready' },
  { name: 'one replica by default', type: DEPLOYMENT, metadata: generation, status: counts(1), expected: 'ready' },
  {
    name: 'scaled to nothing',
    type: DEPLOYMENT,
    metadata: generation,
    spec: { replicas: 0 },
    status: { observedGeneration: 2, ...condition('Available') },
    expected: 'ready',
  },
  {
    name: 'too late',
    type: DEPLOYMENT,
    metadata: generation,
    spec: three,
    status: { ...counts(1), ...condition('Progressing', 'False', 'ProgressDeadlineExceeded') },
    expected: 'failed: its rollout exceeded the progress deadline',
  },
  {
    name: 'pods missing',
    type: STATEFUL_SET,
    metadata: generation,
    spec: three,
    status: counts(2),
    expected: 'notReady: 2 of 3 replicas',
  },
  {
    name: 'pods left over',
    type: STATEFUL_SET,
    metadata: generation,
    spec: three,
    status: counts(4),
    expected: 'notReady: 1 old replicas still exist',
  },
  {
    name: 'updated by hand',
    type: STATEFUL_SET,
    metadata: generation,
    spec: { ...three, updateStrategy: { type: 'OnDelete' } },
    status: counts(3, 0),
    expected: 'ready',
  },
  {
    name: 'half updated',
    type: STATEFUL_SET,
    metadata: generation,
    spec: three,
    status: counts(3, 1),
    expected: 'notReady: 1 of 3 replicas are updated',
  },
  {
    name: 'partitioned',
    type: STATEFUL_SET,
    metadata: generation,
    spec: { ...three, updateStrategy: { rollingUpdate: { partition: 2 } } },
    status: counts(3, 1),
    expected: 'ready',
  },
  {
    name: 'partitioned, and not updated behind the partition yet',
    type: STATEFUL_SET,
    metadata: generation,
    spec: { ...three, updateStrategy: { rollingUpdate: { partition: 1 } } },
    status: counts(3, 1),
    expected: 'notReady: 1 of 2 replicas are updated',
  },
  {
    name: 'a revision on its way',
    type: STATEFUL_SET,
    metadata: generation,
    spec: three,
    status: { ...counts(3), currentRevision: 'a', updateRevision: 'b' },
    expected: 'notReady: its new revision is being rolled out',
  },
  {
    name: 'rolled out',
    type: STATEFUL_SET,
    metadata: generation,
    spec: three,
    status: { ...counts(3), currentRevision: 'b', updateRevision: 'b' },
    expected: 'ready',
  },
  {
    name: 'half updated',
    type: DAEMON_SET,
    metadata: generation,
    status: nodes(2, 1),
    expected: 'notReady: 1 of 2 replicas are updated',
  },
  {
    name: 'half available',
    type: DAEMON_SET,
    metadata: generation,
    status: nodes(2, 2, 1),
    expected: 'notReady: 1 of 2 replicas',
  },
  {
    name: 'half ready',
    type: DAEMON_SET,
    metadata: generation,
    status: nodes(2, 2, 2, 1),
    expected: 'notReady: 1 of 2 replicas',
  },
  {
    name: 'no nodes',
    type: DAEMON_SET,
    metadata: generation,
    status: { observedGeneration: 2, desiredNumberScheduled: 0 },
    expected: 'ready',
  },
  {
    name: 'nodes without a pod',
    type: DAEMON_SET,
    metadata: generation,
    status: nodes(1),
    expected: 'notReady: 1 of 2 replicas',
  },
  {
    name: 'nodes not counted yet',
    type: DAEMON_SET,
    metadata: generation,
    status: { observedGeneration: 2 },
    expected: unseen,
  },
  {
    name: 'cannot make pods',
    type: REPLICA_SET,
    metadata: generation,
    spec: three,
    status: { ...counts(1), ...condition('ReplicaFailure', 'True', 'Quota') },
    expected: 'notReady: it cannot make pods: Quota',
  },
  {
    name: 'half there',
    type: REPLICA_SET,
    metadata: generation,
    spec: three,
    status: counts(2),
    expected: 'notReady: 2 of 3 replicas',
  },
  {
    name: 'too many',
    type: REPLICA_SET,
    metadata: generation,
    spec: three,
    status: counts(4),
    expected: 'notReady: 1 old replicas still exist',
  },
  { name: 'there', type: REPLICA_SET, metadata: generation, spec: three, status: counts(3), expected: 'ready' },
  { name: 'new', type: 'v1 Pod', expected: 'notReady: its phase is Pending, and it is not ready' },
  {
    name: 'running',
    type: 'v1 Pod',
    status: { phase: 'Running', ...condition('Ready', 'False') },
    expected: 'notReady: its phase is Running, and it is not ready',
  },
  { name: 'ready', type: 'v1 Pod', status: { phase: 'Running', ...condition('Ready') }, expected: 'ready' },
  {
    name: 'without a node',
    type: 'v1 Pod',
    status: { phase: 'Pending', ...condition('PodScheduled', 'False', 'Unschedulable') },
    expected: 'notReady: it cannot be scheduled',
  },
  {
    name: 'in a crash loop',
    type: 'v1 Pod',
    status: { phase: 'Running', containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
    expected: 'notReady: a container of it is in CrashLoopBackOff',
  },
  { name: 'over', type: 'v1 Pod', status: { phase: 'Succeeded' }, expected: 'ready' },
  { name: 'broken', type: 'v1 Pod', status: { phase: 'Failed' }, expected: 'failed: its phase is Failed' },
  { name: 'running', type: 'batch/v1 Job', status: { active: 1 }, expected: 'notReady: it is not complete' },
  { name: 'done', type: 'batch/v1 Job', status: condition('Complete'), expected: 'ready' },
  { name: 'failed', type: 'batch/v1 Job', status: condition('Failed'), expected: 'failed: it has failed' },
  { name: 'inside the cluster', type: 'v1 Service', spec: { type: 'ClusterIP' }, expected: 'ready' },
  {
    name: 'a balancer without anything',
    type: 'v1 Service',
    spec: { type: 'LoadBalancer' },
    expected: 'notReady: it has no cluster IP yet',
  },
  {
    name: 'a balancer without address',
    type: 'v1 Service',
    spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1' },
    status: { loadBalancer: {} },
    expected: 'notReady: its load balancer has no address yet',
  },
  {
    name: 'a balancer with one',
    type: 'v1 Service',
    spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1' },
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    expected: 'ready',
  },
  {
    name: 'pending',
    type: 'v1 PersistentVolumeClaim',
    status: { phase: 'Pending' },
    expected: 'notReady: its phase is Pending',
  },
  { name: 'bound', type: 'v1 PersistentVolumeClaim', status: { phase: 'Bound' }, expected: 'ready' },
  { name: 'new', type: 'v1 Namespace', expected: 'notReady: its phase is unknown' },
  { name: 'active', type: 'v1 Namespace', status: { phase: 'Active' }, expected: 'ready' },
  { name: 'new', type: CRD, expected: 'notReady: it is not established' },
  {
    name: 'names taken',
    type: CRD,
    status: condition('NamesAccepted', 'False', 'ListKindConflict'),
    expected: 'failed: its names are not accepted: ListKindConflict',
  },
  {
    name: 'being installed',
    type: CRD,
    status: condition('Established', 'False', 'Installing'),
    expected: 'notReady: it is not established',
  },
  {
    name: 'not accepted',
    type: CRD,
    status: condition('Established', 'False', 'NotAccepted'),
    expected: 'failed: it is not established: NotAccepted',
  },
  { name: 'established', type: CRD, status: condition('Established'), expected: 'ready' },
  { name: 'without conditions', type: CUSTOM, status: {}, expected: 'ready' },
  { name: 'ready', type: CUSTOM, status: condition('Ready'), expected: 'ready' },
  {
    name: 'not ready',
    type: CUSTOM,
    status: condition('Ready', 'False', 'Waiting'),
    expected: 'notReady: it is not ready: Waiting',
  },
  {
    name: 'not ready, without a reason',
    type: CUSTOM,
    status: { conditions: [{ type: 'Ready', status: 'False' }] },
    expected: 'notReady: it is not ready',
  },
  {
    name: 'stalled',
    type: CUSTOM,
    status: condition('Stalled', 'True', 'Broken'),
    expected: 'failed: it is stalled: Broken',
  },
  {
    name: 'an old status',
    type: CUSTOM,
    metadata: generation,
    status: { observedGeneration: 1, ...condition('Ready') },
    expected: outdated,
  },
  {
    name: 'a status of a later generation, as after a restore',
    type: CUSTOM,
    metadata: generation,
    status: { observedGeneration: 3, ...condition('Ready') },
    expected: outdated,
  },
  {
    name: 'stalled, about a former generation',
    type: CUSTOM,
    metadata: generation,
    status: { conditions: [{ type: 'Stalled', status: 'True', observedGeneration: 1 }] },
    expected: unseen,
  },
  {
    name: 'of a group that only looks like a built-in one',
    type: 'example.com/v1 Deployment',
    status: {},
    expected: 'ready',
  },
]

describe('readinessOf', () => {
  for (const { name, type, metadata = {}, spec, status, expected } of cases) {
    const [apiVersion = '', kind = ''] = type.split(' ')
    it(`${type}: ${name}`, () => {
      const readiness = readinessOf({ apiVersion, kind, metadata, spec, status })
      expect(readiness.kind === 'ready' ? 'ready' : `${readiness.kind}: ${readiness.message}`).to.equal(expected)
    })
  }
})
