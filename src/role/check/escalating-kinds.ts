import { formatGroupKind, type GroupKind } from '../../kube/group-version-kind.ts'
import type { Problem } from '../../yaml/diagnostic.ts'

/** Kinds with which whoever may create a resource could get rights that they do not have. */
const ESCALATING: ReadonlyMap<string, string> = new Map([
  ['Role.rbac.authorization.k8s.io', 'grants rights'],
  ['ClusterRole.rbac.authorization.k8s.io', 'grants rights'],
  ['RoleBinding.rbac.authorization.k8s.io', 'grants rights'],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', 'grants rights'],
  ['MutatingWebhookConfiguration.admissionregistration.k8s.io', 'sees and changes all requests'],
  ['ValidatingWebhookConfiguration.admissionregistration.k8s.io', 'sees all requests'],
  ['MutatingAdmissionPolicy.admissionregistration.k8s.io', 'changes all requests'],
  ['MutatingAdmissionPolicyBinding.admissionregistration.k8s.io', 'changes all requests'],
  ['CustomResourceDefinition.apiextensions.k8s.io', 'changes what the server serves'],
  ['APIService.apiregistration.k8s.io', 'changes what the server serves'],
  ['CertificateSigningRequest.certificates.k8s.io', 'makes credentials'],
  ['TokenRequest.authentication.k8s.io', 'makes credentials'],
  ['PersistentVolume', 'reaches files of the nodes'],
])

/** What is wrong with a role that makes objects of a kind, unless somebody said that it may. */
export function escalationProblem({ group, kind }: GroupKind, acknowledged: readonly GroupKind[]): Problem | undefined {
  const name = formatGroupKind({ group, kind })
  const effect = ESCALATING.get(name)
  if (effect === undefined || acknowledged.some((one) => formatGroupKind(one) === name)) return undefined
  const hint = `write \`acknowledge: [${name}]\` into the entry of watches.yaml, if that is wanted`
  return {
    code: 'RB1135',
    message: `${kind} ${effect}: whoever may create the resource could raise their rights`,
    hint,
  }
}
