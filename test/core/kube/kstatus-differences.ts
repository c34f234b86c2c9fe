import type { KubeObject } from '../../../src/core/kube/object.ts'
import { readinessOf } from '../../../src/core/kube/readiness.ts'

/** What kstatus and `readinessOf` say, in the words of the latter; kstatus gives an `error` for what it cannot read. */
export type Verdict = 'ready' | 'notReady' | 'failed' | 'error'

/** What our rules say in these words: an object that its controller has not seen yet is not ready. */
export function verdictOn(object: KubeObject): Verdict {
  const { kind } = readinessOf(object)
  return kind === 'unobserved' ? 'notReady' : kind
}

/** Where our rules are not those of kstatus: each stands in `docs/readiness.md` with the reason. */
export interface KstatusDifference {
  /** The first column of the table there. */
  readonly name: string
  /** What it says of these objects; of the example, the first. */
  readonly kstatus: readonly Verdict[]
  readonly ours: Verdict
  readonly example: KubeObject
  readonly covers: (object: KubeObject) => boolean
}

/** What the rules look at, as far as this list needs it. */
interface Shape {
  readonly spec?: { readonly updateStrategy?: { readonly type?: string } }
  readonly status?: {
    readonly phase?: string
    readonly observedGeneration?: number
    readonly conditions?: readonly ShapeCondition[]
  }
}

interface ShapeCondition {
  readonly type: string
  readonly status: string
  readonly observedGeneration?: number
}

const shapeOf = (object: KubeObject): Shape => object as Shape
const conditionsOf = (object: KubeObject, type: string): readonly ShapeCondition[] =>
  shapeOf(object).status?.conditions?.filter((condition) => condition.type === type) ?? []

function isAboutOther(object: KubeObject, type: string): boolean {
  const generations = conditionsOf(object, type).map(({ observedGeneration }) => observedGeneration)
  return generations.some((generation) => generation !== undefined && generation !== object.metadata.generation)
}

/** Kinds whose controllers always write `status.observedGeneration`. */
const OBSERVED = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'PodDisruptionBudget']
const metadata = { name: 'a', generation: 2 }

export const KSTATUS_DIFFERENCES: readonly KstatusDifference[] = [
  {
    name: 'a Pod whose phase is Failed',
    kstatus: ['ready'],
    ours: 'failed',
    example: { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Failed' } },
    covers: ({ kind }) => kind === 'Pod',
  },
  {
    name: 'a Pod that no node takes, or with a container in CrashLoopBackOff',
    kstatus: ['failed'],
    ours: 'notReady',
    example: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'a', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
      },
    },
    covers: ({ kind }) => kind === 'Pod',
  },
  {
    name: 'a Pod in a phase that kstatus does not know',
    kstatus: ['error'],
    ours: 'notReady',
    example: { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Unknown' } },
    covers: (object) => object.kind === 'Pod' && shapeOf(object).status?.phase === 'Unknown',
  },
  {
    name: 'a Job that runs',
    kstatus: ['ready'],
    ours: 'notReady',
    example: { apiVersion: 'batch/v1', kind: 'Job', metadata, status: { startTime: '2026-11-24T00:00:00Z' } },
    covers: ({ kind }) => kind === 'Job',
  },
  {
    name: 'a Service of type LoadBalancer without an address',
    kstatus: ['ready'],
    ours: 'notReady',
    example: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1' },
      status: { loadBalancer: {} },
    },
    covers: ({ kind }) => kind === 'Service',
  },
  {
    name: 'a StatefulSet with the strategy OnDelete and too few or too many Pods',
    kstatus: ['ready'],
    ours: 'notReady',
    example: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { replicas: 3, updateStrategy: { type: 'OnDelete' } },
      status: { observedGeneration: 2, replicas: 3, readyReplicas: 0 },
    },
    covers: (object) => object.kind === 'StatefulSet' && shapeOf(object).spec?.updateStrategy?.type === 'OnDelete',
  },
  {
    name: 'a Namespace that is not Active',
    kstatus: ['ready'],
    ours: 'notReady',
    example: { apiVersion: 'v1', kind: 'Namespace', metadata },
    covers: ({ kind }) => kind === 'Namespace',
  },
  {
    name: 'a PodDisruptionBudget with fewer healthy Pods than it wants',
    kstatus: ['ready'],
    ours: 'notReady',
    example: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      status: { observedGeneration: 2, currentHealthy: 0, desiredHealthy: 3, expectedPods: 3 },
    },
    covers: (object) =>
      object.kind === 'PodDisruptionBudget' && shapeOf(object).status?.observedGeneration !== undefined,
  },
  {
    name: 'a kind whose controller always writes `status.observedGeneration`, and it is not there',
    kstatus: ['ready', 'failed'],
    ours: 'notReady',
    example: { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { replicas: 0 } },
    covers: (object) => OBSERVED.includes(object.kind) && shapeOf(object).status?.observedGeneration === undefined,
  },
  {
    name: 'a DaemonSet without `metadata.generation`',
    kstatus: ['notReady'],
    ours: 'ready',
    example: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      status: { observedGeneration: 2, desiredNumberScheduled: 0 },
    },
    covers: ({ kind, metadata: { generation } }) => kind === 'DaemonSet' && generation === undefined,
  },
  {
    name: 'a `Ready=True` whose own `observedGeneration` is not the present one',
    kstatus: ['ready'],
    ours: 'notReady',
    example: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata,
      status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] },
    },
    covers: (object) => isAboutOther(object, 'Ready'),
  },
  {
    name: 'a `Stalled=True` whose own `observedGeneration` is not the present one',
    kstatus: ['failed'],
    ours: 'notReady',
    example: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata,
      status: { conditions: [{ type: 'Stalled', status: 'True', observedGeneration: 1 }] },
    },
    covers: (object) => isAboutOther(object, 'Stalled'),
  },
  {
    name: 'a `Ready` condition that is neither `True`, `False` nor `Unknown`',
    kstatus: ['ready'],
    ours: 'notReady',
    example: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata,
      status: { conditions: [{ type: 'Ready', status: 'Degraded' }] },
    },
    covers: (object) =>
      conditionsOf(object, 'Ready').some(({ status }) => !['True', 'False', 'Unknown'].includes(status)),
  },
  {
    name: 'a kind of the group `extensions`',
    kstatus: ['notReady', 'failed'],
    ours: 'ready',
    example: { apiVersion: 'extensions/v1beta1', kind: 'Deployment', metadata },
    covers: ({ apiVersion }) => apiVersion.startsWith('extensions/'),
  },
]
