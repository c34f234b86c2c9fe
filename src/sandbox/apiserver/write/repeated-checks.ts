import type { WriteRequest } from './write-request.ts'

/** Which of the checks of an update are made once more for the kind, in their order: what the metadata became, and what of them changed. */
export type RepeatedChecks = readonly ('state' | 'change')[]

const BOTH: RepeatedChecks = ['change', 'state']
const STATE_FIRST: RepeatedChecks = ['state', 'change']
const ONLY_CHANGE: RepeatedChecks = ['change']
const ONLY_STATE: RepeatedChecks = ['state']
const STATE_TWICE: RepeatedChecks = ['state', 'state']
const NONE: RepeatedChecks = []

/** What differs from `BOTH`; what the real server finds twice it says twice. */
const CHECKS: Readonly<Record<string, RepeatedChecks>> = {
  Service: ONLY_CHANGE,
  'Service status': ONLY_CHANGE,
  LimitRange: ONLY_STATE,
  ResourceQuota: ONLY_CHANGE,
  'ResourceQuota status': ONLY_CHANGE,
  'PersistentVolumeClaim status': ONLY_CHANGE,
  'Job status': ONLY_CHANGE,
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
  ReplicationController: ONLY_CHANGE,
  'ReplicationController status': ONLY_CHANGE,
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
  DeviceClass: STATE_FIRST,
  PersistentVolume: STATE_TWICE,
  'PersistentVolume status': ONLY_CHANGE,
  ResourceClaim: STATE_FIRST,
  'ResourceClaim status': ONLY_CHANGE,
  ResourceClaimTemplate: STATE_FIRST,
  ResourceSlice: ONLY_CHANGE,
  VolumeAttachment: ONLY_STATE,
  'VolumeAttachment status': ONLY_STATE,
  CSIStorageCapacity: STATE_FIRST,
  CertificateSigningRequest: STATE_FIRST,
  IPAddress: STATE_FIRST,
  Namespace: STATE_FIRST,
  Node: STATE_FIRST,
  RuntimeClass: STATE_FIRST,
  StorageClass: STATE_FIRST,
  ServiceCIDR: ONLY_CHANGE,
  'ServiceCIDR status': ONLY_CHANGE,
}

export function repeatedChecks({ resource, subresource }: WriteRequest): RepeatedChecks {
  if (resource.group === 'admissionregistration.k8s.io') return ONLY_STATE
  const key = subresource === '' ? resource.kind : `${resource.kind} ${subresource}`
  if (resource.custom) return ONLY_CHANGE
  if (resource.group === 'rbac.authorization.k8s.io') return STATE_FIRST
  if (resource.kind === 'Event') return resource.group === '' ? NONE : ONLY_CHANGE
  return CHECKS[key] ?? (resource.group === 'apps' ? ONLY_CHANGE : BOTH)
}

/** Whether the metadata of a new object are looked at only when all else is well. */
export function isJudgedLast({ resource }: WriteRequest): boolean {
  return resource.group === 'policy' || (resource.group === '' && resource.kind === 'Event')
}
