import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import { apiVersionOf, formatGroupKind, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'

const TIME = '2026-01-01T00:00:00Z'

/** An object of others as it may be in a cluster: nothing is known of it but its name. */
export function plausibleObject(gvk: Gvk, { namespace, name }: ObjectKey): KubeObject {
  const metadata = { name, ...(namespace !== '' && { namespace }) }
  return settled({ apiVersion: apiVersionOf(gvk), kind: gvk.kind, metadata })
}

/** The object as its controller leaves it when all is well, so that what a role reads of it is there. */
export function settled(object: KubeObject): KubeObject {
  const { managedFields: _managed, ...metadata } = object.metadata
  const spec = isJsonObject(object.spec) ? object.spec : {}
  const status = STATUS[formatGroupKind(gvkOf(object))]?.(spec) ?? { conditions: [condition('Ready')] }
  return {
    ...object,
    metadata: { uid: UID, resourceVersion: '1', generation: 1, creationTimestamp: TIME, ...metadata },
    status: { ...(isJsonObject(object.status) && object.status), ...status },
  }
}

/** Of every object of a trial. */
export const UID = '00000000-0000-4000-8000-000000000001'

function condition(type: string): JsonObject {
  return { type, status: 'True', reason: 'Trial', message: '', lastTransitionTime: TIME }
}

function replicas({ replicas = 1 }: JsonObject): JsonObject {
  const counts = ['replicas', 'readyReplicas', 'availableReplicas', 'updatedReplicas', 'currentReplicas']
  return { observedGeneration: 1, ...Object.fromEntries(counts.map((count) => [count, replicas])) }
}

const ADDRESS = { loadBalancer: { ingress: [{ ip: '192.0.2.1', hostname: 'example.com' }] } }

/** By kind: the status of an object with which all is well. */
const STATUS: Readonly<Record<string, (spec: JsonObject) => JsonObject>> = {
  'Deployment.apps': (spec) => ({ ...replicas(spec), conditions: [condition('Available'), condition('Progressing')] }),
  'ReplicaSet.apps': replicas,
  'StatefulSet.apps': (spec) => ({ ...replicas(spec), currentRevision: 'a', updateRevision: 'a' }),
  'DaemonSet.apps': () => ({
    observedGeneration: 1,
    ...{ desiredNumberScheduled: 1, currentNumberScheduled: 1, updatedNumberScheduled: 1 },
    ...{ numberAvailable: 1, numberReady: 1, numberMisscheduled: 0 },
  }),
  'Job.batch': () => ({
    ...{ succeeded: 1, startTime: TIME, completionTime: TIME },
    conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  }),
  Pod: () => ({
    ...{ phase: 'Running', podIP: '192.0.2.2', hostIP: '192.0.2.3' },
    conditions: [condition('PodScheduled'), condition('Ready'), condition('ContainersReady')],
  }),
  PersistentVolumeClaim: ({ resources }) => ({
    phase: 'Bound',
    ...(isJsonObject(resources) && isJsonObject(resources.requests) && { capacity: resources.requests }),
  }),
  Namespace: () => ({ phase: 'Active' }),
  Service: () => ADDRESS,
  'Ingress.networking.k8s.io': () => ADDRESS,
  'PodDisruptionBudget.policy': () => ({
    observedGeneration: 1,
    ...{ disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    conditions: [condition('DisruptionAllowed')],
  }),
  ConfigMap: () => ({}),
  Secret: () => ({}),
}
