import { formatGroupKind, type GroupKind } from '../../../core/kube/group-version-kind.ts'
import { mayBeEqual, type ObjectUse } from './object-use.ts'

/**
 * Whether an object that is written has to be there before another one is used, because the API server or the kubelet asks for
 * it: what lives in it, is of its kind, is admitted by it, or runs pods that use it.
 */
export function mustComeFirst(first: ObjectUse, later: ObjectUse): boolean {
  if (first.access !== 'write') return false
  const isNeeded = NEEDED[formatGroupKind(first.kind)]
  if (isNeeded?.(first, later)) return true
  return later.access === 'write' && mayRunPods(later.kind) && !mayRunPods(first.kind)
}

type IsNeeded = (first: ObjectUse, later: ObjectUse) => boolean

const livesIn: IsNeeded = (namespace, { name, namespace: place, isApart }) => {
  // What names no namespace is in that of the resource, which is there.
  if (name !== undefined && place === undefined) return false
  if (place === undefined || namespace.name === undefined) return true
  return mayBeEqual(namespace.name, place, isApart === true || namespace.isApart === true)
}

/** The name of a CustomResourceDefinition ends with the group of its kind. */
const isOfKind: IsNeeded = (definition, { kind: { group }, isApart }) =>
  group.includes('.') && (definition.name === undefined || mayEndWith(definition.name, `.${group}`, isApart === true))

const isWritten: IsNeeded = (_first, { access }) => access === 'write'
const isBinding: IsNeeded = (_first, { kind, access }) =>
  access === 'write' && kind.group === RBAC && kind.kind.endsWith('Binding')

const RBAC = 'rbac.authorization.k8s.io'
const ADMISSION = 'admissionregistration.k8s.io'

/** By the kind of what comes first. */
const NEEDED: Readonly<Record<string, IsNeeded>> = {
  Namespace: (first, later) => later.access === 'write' && livesIn(first, later),
  'CustomResourceDefinition.apiextensions.k8s.io': isOfKind,
  'APIService.apiregistration.k8s.io': isWritten,
  [`MutatingWebhookConfiguration.${ADMISSION}`]: isWritten,
  [`ValidatingWebhookConfiguration.${ADMISSION}`]: isWritten,
  [`MutatingAdmissionPolicy.${ADMISSION}`]: isWritten,
  [`MutatingAdmissionPolicyBinding.${ADMISSION}`]: isWritten,
  [`ValidatingAdmissionPolicy.${ADMISSION}`]: isWritten,
  [`ValidatingAdmissionPolicyBinding.${ADMISSION}`]: isWritten,
  [`Role.${RBAC}`]: isBinding,
  [`ClusterRole.${RBAC}`]: isBinding,
}

/** Whether objects of the kind run pods; controllers of kinds that are not built in may do anything. */
function mayRunPods(kind: GroupKind): boolean {
  return WORKLOADS.has(formatGroupKind(kind)) || !isBuiltIn(kind)
}

const WORKLOADS: ReadonlySet<string> = new Set([
  'Pod',
  'ReplicationController',
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'Job.batch',
  'CronJob.batch',
])

/** The groups of Kubernetes itself. CustomResourceDefinitions of its projects may end likewise: they count as built in. */
function isBuiltIn({ group }: GroupKind): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}

function mayEndWith(text: string, end: string, isApart: boolean): boolean {
  return text.includes('${') ? mayBeEqual(text, `\${ ? }${end}`, isApart) : text.endsWith(end)
}
