import type { Gvk } from '../../../../core/kube/group-version-kind.ts'

const apps = (kind: string): Gvk => ({ group: 'apps', version: 'v1', kind })
const core = (kind: string): Gvk => ({ group: '', version: 'v1', kind })
const batch = (kind: string): Gvk => ({ group: 'batch', version: 'v1', kind })

/** The kinds that the controllers read and write. */
export const KINDS = {
  deployment: apps('Deployment'),
  replicaSet: apps('ReplicaSet'),
  replicationController: core('ReplicationController'),
  statefulSet: apps('StatefulSet'),
  daemonSet: apps('DaemonSet'),
  controllerRevision: apps('ControllerRevision'),
  job: batch('Job'),
  cronJob: batch('CronJob'),
  pod: core('Pod'),
  node: core('Node'),
  service: core('Service'),
  endpoints: core('Endpoints'),
  endpointSlice: { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' },
  claim: core('PersistentVolumeClaim'),
  volume: core('PersistentVolume'),
  disruptionBudget: { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
  autoscaler: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  storageClass: { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' },
} as const
