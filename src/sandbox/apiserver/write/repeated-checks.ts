import type { WriteRequest } from './write-request.ts'

/** How often the metadata of an update are checked once more for the kind: what they became, and what of them changed. */
export interface RepeatedChecks {
  readonly state: 0 | 1
  readonly change: 0 | 1
}

const BOTH: RepeatedChecks = { state: 1, change: 1 }
const ONLY_CHANGE: RepeatedChecks = { state: 0, change: 1 }
const ONLY_STATE: RepeatedChecks = { state: 1, change: 0 }
const NONE: RepeatedChecks = { state: 0, change: 0 }

/** What differs from `BOTH`; what the real server finds twice it says twice. */
const CHECKS: Readonly<Record<string, RepeatedChecks>> = {
  Service: ONLY_CHANGE,
  'Service status': ONLY_CHANGE,
  LimitRange: ONLY_STATE,
  ResourceQuota: ONLY_CHANGE,
  'ResourceQuota status': ONLY_CHANGE,
  'PersistentVolumeClaim status': ONLY_CHANGE,
  CronJob: ONLY_CHANGE,
  'CronJob status': NONE,
  NetworkPolicy: ONLY_CHANGE,
  'Ingress status': ONLY_CHANGE,
  HorizontalPodAutoscaler: ONLY_CHANGE,
  'HorizontalPodAutoscaler status': ONLY_CHANGE,
  PodDisruptionBudget: NONE,
  'PodDisruptionBudget status': NONE,
  Lease: ONLY_CHANGE,
  EndpointSlice: ONLY_STATE,
  PodTemplate: ONLY_CHANGE,
  PriorityClass: ONLY_CHANGE,
  CSIDriver: ONLY_CHANGE,
  CustomResourceDefinition: ONLY_CHANGE,
  FlowSchema: ONLY_STATE,
  'FlowSchema status': NONE,
  PriorityLevelConfiguration: ONLY_STATE,
  'PriorityLevelConfiguration status': NONE,
  'APIService status': ONLY_CHANGE,
  ControllerRevision: BOTH,
  CSINode: ONLY_STATE,
  VolumeAttachment: ONLY_STATE,
  CSIStorageCapacity: ONLY_CHANGE,
  IPAddress: ONLY_CHANGE,
  ServiceCIDR: ONLY_CHANGE,
  'ServiceCIDR status': ONLY_CHANGE,
}

export function repeatedChecks({ resource, subresource }: WriteRequest): RepeatedChecks {
  if (resource.group === 'admissionregistration.k8s.io') return ONLY_STATE
  const key = subresource === '' ? resource.kind : `${resource.kind} ${subresource}`
  if (resource.custom) return ONLY_CHANGE
  return CHECKS[key] ?? (resource.group === 'apps' ? ONLY_CHANGE : BOTH)
}

/** Whether the metadata of a new object are looked at only when all else is well. */
export function isJudgedLast({ resource }: WriteRequest): boolean {
  return resource.group === 'policy'
}
