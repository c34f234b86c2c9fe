import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { formatGroupKind, type GroupKind } from '../../../core/kube/group-version-kind.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'

/** Kinds with which a person who may create a resource could get rights that they do not have. */
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
  ['Namespace', 'decides how privileged its Pods may be'],
])

/**
 * What is wrong with a role that makes objects of a kind, unless watches.yaml acknowledges the kind.
 *
 * @param manifest what the role says of them; empty where it does not say, as for the objects of a chart
 */
export function escalationProblem(
  { group, kind }: GroupKind,
  manifest: JsonObject,
  acknowledged: readonly GroupKind[],
): Problem | undefined {
  const name = formatGroupKind({ group, kind })
  const effect = name === 'Secret' ? effectOfSecret(manifest) : ESCALATING.get(name)
  if (effect === undefined || acknowledged.some((one) => formatGroupKind(one) === name)) return undefined
  const hint = `write \`acknowledge: [${name}]\` into the entry of watches.yaml, if that is wanted`
  return {
    code: 'RB1135',
    message: `${kind} ${effect}: users who may create the resource could raise their rights`,
    hint,
  }
}

/** The control plane fills a Secret of this type with a token of the account that the annotation names. */
const TOKEN_TYPE = 'kubernetes.io/service-account-token'
const TOKEN_ACCOUNT = 'kubernetes.io/service-account.name'

function effectOfSecret(manifest: JsonObject): string | undefined {
  const type = fieldOf(manifest, 'type')
  const account = ['metadata', 'annotations', TOKEN_ACCOUNT].reduce<JsonValue | undefined>(fieldOf, manifest)
  const isToken = type === TOKEN_TYPE || (isRendered(type) && account !== undefined)
  return isToken ? 'may be filled with a token of a ServiceAccount' : undefined
}

/** A field, or what is rendered in the place of it: its name, or all that it is in. */
function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isJsonObject(value)) return isRendered(value) ? value : undefined
  return value[name] ?? Object.keys(value).find(isRendered)
}

/** Whether only a run knows the value. */
function isRendered(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.includes('${')
}
