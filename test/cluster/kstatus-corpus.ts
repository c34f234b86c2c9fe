import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/** Values of one field, by its path; `undefined` leaves the field out. */
type Choices = Readonly<Record<string, readonly (JsonValue | undefined)[]>>

interface Family {
  readonly apiVersion: string
  readonly kind: string
  readonly fields: Choices
}

const NOW = '2026-11-24T00:00:00Z'
const PRESENT = 2

/** Generations that a status, or a condition, may be about: none, a former one, the present, a later one. */
const GENERATIONS = [undefined, 1, PRESENT, 3]

const condition = (type: string, status: string, reason?: string, observedGeneration?: number): JsonObject => ({
  type,
  status,
  ...(reason !== undefined && { reason }),
  ...(observedGeneration !== undefined && { observedGeneration }),
})

/** What every kind may have beside the fields of its own. Paths that begin with `?` give a condition, in their order. */
const STANDARD: Choices = {
  'metadata.generation': [undefined, PRESENT],
  'metadata.deletionTimestamp': [undefined, NOW],
  'status.observedGeneration': GENERATIONS,
  '?1': [undefined, condition('Stalled', 'True', 'Broken'), condition('Stalled', 'False')],
  '?2': [undefined, condition('Reconciling', 'True', 'Progressing'), condition('Reconciling', 'False')],
  '?3': [undefined, condition('Stalled', 'True', 'Broken', 1), condition('Reconciling', 'True', undefined, 1)],
}

const PRESENT_STATUS: Choices = { 'metadata.generation': [PRESENT], 'status.observedGeneration': [undefined, PRESENT] }

const DEPLOYMENT: Choices = {
  ...PRESENT_STATUS,
  'spec.replicas': [undefined, 0, 2],
  'spec.progressDeadlineSeconds': [undefined, 600, 2147483647],
  'status.replicas': [undefined, 1, 2, 3],
  'status.updatedReplicas': [undefined, 1, 2, 3],
  'status.readyReplicas': [undefined, 1, 2],
  'status.availableReplicas': [undefined, 1, 2, 3],
  '?1': [
    undefined,
    condition('Progressing', 'True', 'NewReplicaSetAvailable'),
    condition('Progressing', 'True', 'ReplicaSetUpdated'),
    condition('Progressing', 'Unknown', 'DeploymentPaused'),
    condition('Progressing', 'False', 'ProgressDeadlineExceeded'),
  ],
  '?2': [undefined, condition('Available', 'True'), condition('Available', 'False')],
}

const DAEMON_SET: Choices = {
  ...PRESENT_STATUS,
  'metadata.generation': [undefined, PRESENT],
  'status.desiredNumberScheduled': [undefined, 0, 2],
  'status.currentNumberScheduled': [undefined, 1, 2],
  'status.updatedNumberScheduled': [undefined, 1, 2],
  'status.numberAvailable': [undefined, 1, 2],
  'status.numberReady': [undefined, 1, 2],
}

const REPLICA_SET: Choices = {
  ...PRESENT_STATUS,
  'spec.replicas': [undefined, 0, 2],
  'status.replicas': [undefined, 1, 2, 3],
  'status.fullyLabeledReplicas': [undefined, 1, 2],
  'status.readyReplicas': [undefined, 1, 2],
  'status.availableReplicas': [undefined, 1, 2],
  '?1': [undefined, condition('ReplicaFailure', 'True', 'FailedCreate'), condition('ReplicaFailure', 'False')],
}

const READY: Choices = {
  '?1': [undefined, condition('Other', 'False')],
  '?2': [
    undefined,
    ...['True', 'False', 'Unknown', 'Degraded'].flatMap((status) =>
      GENERATIONS.map((generation) => condition('Ready', status, 'R', generation)),
    ),
  ],
}

const FAMILIES: readonly Family[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', fields: DEPLOYMENT },
  { apiVersion: 'extensions/v1beta1', kind: 'Deployment', fields: { ...DEPLOYMENT, 'spec.replicas': [2] } },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    fields: {
      ...PRESENT_STATUS,
      'spec.replicas': [undefined, 0, 2],
      'spec.updateStrategy.type': [undefined, 'RollingUpdate', 'OnDelete'],
      'spec.updateStrategy.rollingUpdate.partition': [undefined, 0, 1, 3],
      'status.replicas': [undefined, 1, 2, 3],
      'status.readyReplicas': [undefined, 1, 2],
      'status.updatedReplicas': [undefined, 1, 2],
      'status.currentReplicas': [undefined, 1, 2],
      'status.currentRevision': ['a'],
      'status.updateRevision': ['a', 'b'],
    },
  },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', fields: DAEMON_SET },
  { apiVersion: 'extensions/v1beta1', kind: 'DaemonSet', fields: DAEMON_SET },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', fields: REPLICA_SET },
  { apiVersion: 'extensions/v1beta1', kind: 'ReplicaSet', fields: REPLICA_SET },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    fields: {
      'metadata.creationTimestamp': [NOW],
      'status.phase': [undefined, 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'],
      '?1': [undefined, condition('Ready', 'True'), condition('Ready', 'False', 'ContainersNotReady')],
      '?2': [undefined, condition('PodScheduled', 'False', 'Unschedulable'), condition('PodScheduled', 'True')],
      'status.containerStatuses': [
        undefined,
        [{ name: 'a', state: { running: {} } }],
        [{ name: 'a' }, { name: 'b', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        [{ name: 'a', state: { waiting: { reason: 'ContainerCreating' } } }],
      ],
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    fields: {
      'spec.completions': [undefined, 2],
      'status.startTime': [undefined, NOW],
      'status.active': [undefined, 1],
      'status.succeeded': [undefined, 1, 2],
      'status.failed': [undefined, 1],
      '?1': [
        undefined,
        ...['Complete', 'Failed', 'Suspended'].flatMap((type) => [condition(type, 'True'), condition(type, 'False')]),
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    fields: {
      'spec.type': [undefined, 'ClusterIP', 'NodePort', 'ExternalName', 'LoadBalancer'],
      'spec.clusterIP': [undefined, '', 'None', '10.0.0.1'],
      'status.loadBalancer.ingress': [undefined, [], [{ ip: '1.2.3.4' }]],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    fields: {
      ...PRESENT_STATUS,
      'status.currentHealthy': [undefined, 1, 3],
      'status.desiredHealthy': [undefined, 1, 3],
      'status.expectedPods': [undefined, 1, 3],
      'status.disruptionsAllowed': [undefined, 1],
      '?1': [undefined, condition('DisruptionAllowed', 'False', 'InsufficientPods')],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    fields: { 'status.phase': [undefined, 'Pending', 'Bound', 'Lost'] },
  },
  { apiVersion: 'v1', kind: 'Namespace', fields: { 'status.phase': [undefined, 'Active', 'Terminating'] } },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    fields: {
      '?1': [undefined, condition('NamesAccepted', 'True'), condition('NamesAccepted', 'False', 'Conflict')],
      '?2': [
        undefined,
        condition('Established', 'True'),
        condition('Established', 'False', 'Installing'),
        condition('Established', 'False', 'NotAccepted'),
      ],
    },
  },
  ...['ConfigMap', 'Secret', 'Node'].map((kind) => ({ apiVersion: 'v1', kind, fields: READY })),
  { apiVersion: 'batch/v1', kind: 'CronJob', fields: READY },
  { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', fields: READY },
  { apiVersion: 'example.com/v1', kind: 'Widget', fields: { ...READY, ...PRESENT_STATUS } },
  { apiVersion: 'example.com/v1', kind: 'Deployment', fields: { ...READY, ...PRESENT_STATUS } },
]

/** Every combination of what a kind's rules may look at, and of what holds for all kinds. */
export function* kstatusCorpus(): Generator<KubeObject> {
  for (const { apiVersion, kind, fields } of FAMILIES) {
    for (const choices of [fields, { ...samplesOf(fields), ...STANDARD }]) {
      for (const values of combinations(Object.entries(choices))) yield objectOf(apiVersion, kind, values)
    }
  }
}

/** The last value of each field: together they are mostly those of an object that is ready. */
function samplesOf(fields: Choices): Choices {
  return Object.fromEntries(Object.entries(fields).map(([path, values]) => [path, values.slice(-1)]))
}

type Value = readonly [path: string, value: JsonValue | undefined]

function* combinations(fields: readonly (readonly [string, readonly (JsonValue | undefined)[]])[]): Generator<Value[]> {
  const [first, ...rest] = fields
  if (!first) return yield []
  const [path, values] = first
  for (const others of combinations(rest)) for (const value of values) yield [[path, value], ...others]
}

function objectOf(apiVersion: string, kind: string, values: readonly Value[]): KubeObject {
  const given = values.filter(([, value]) => value !== undefined)
  const conditions = given.filter(([path]) => path.startsWith('?')).map(([, value]) => value as JsonValue)
  const fields = given.filter(([path]) => !path.startsWith('?'))
  if (conditions.length > 0) fields.push(['status.conditions', conditions])
  const object = fields.reduce<JsonObject>((made, [path, value]) => withField(made, path.split('.'), value), {})
  return { ...object, apiVersion, kind, metadata: { name: 'a', ...(object.metadata as JsonObject) } }
}

function withField(object: JsonObject, [step = '', ...steps]: readonly string[], value: JsonValue = null): JsonObject {
  const inner = (object[step] ?? {}) as JsonObject
  return { ...object, [step]: steps.length === 0 ? value : withField(inner, steps, value) }
}
