import { type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { badRequest, forbidden, notFound, statusError } from '../api-status.ts'
import { withMeta } from '../write/object-meta.ts'
import type { WriteRequest } from '../write/write-request.ts'
import { isMaster, type PolicyRule } from './authorizer.ts'
import { joinErrors, RBAC_GROUP, type Rbac, type RoleRef } from './rbac.ts'
import { goList, missingRules } from './rule-coverage.ts'

/**
 * Users can grant only rights that they have themselves, unless they may `escalate` the role or `bind` the role of the binding.
 *
 * @throws ApiError 403, 404
 */
export function checkEscalation(rbac: Rbac, request: WriteRequest, object: KubeObject, old?: KubeObject): void {
  const { resource, user } = request
  if (resource.group !== RBAC_GROUP || isMaster(user)) return
  if (old && isOnlyCollected(object, old)) return
  if (resource.plural === 'roles' || resource.plural === 'clusterroles') checkRole(rbac, request, object, old)
  else checkBinding(rbac, request, object)
}

/** What the garbage collector changes is allowed. */
function isOnlyCollected(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata
  return jsonEquals(withMeta(object, { ownerReferences, finalizers, managedFields }) as JsonValue, old as JsonValue)
}

function checkRole(rbac: Rbac, request: WriteRequest, object: KubeObject, old: KubeObject | undefined): void {
  const { resource, namespace, name, user } = request
  const { group, plural } = resource
  const attributes = { group, plural, namespace, name, subresource: '' }
  if (rbac.decide(user, { verb: 'escalate', path: '', resource: attributes }).allowed) return
  confirmOwned(rbac, request, object, (object.rules ?? []) as readonly PolicyRule[])
  if (!aggregates(object) && !(old && aggregates(old))) return
  // A user with all rights has `escalate`, too, and has passed the check above.
  throw forbidden(resource, keyOf(object).name, 'must have cluster-admin privileges to use the aggregationRule')
}

function aggregates({ aggregationRule }: KubeObject): boolean {
  const { clusterRoleSelectors = [] } = (aggregationRule ?? {}) as { clusterRoleSelectors?: readonly unknown[] }
  return clusterRoleSelectors.length > 0
}

function checkBinding(rbac: Rbac, request: WriteRequest, object: KubeObject): void {
  const { namespace, user } = request
  const ref = object.roleRef as unknown as RoleRef & { readonly apiGroup: string }
  if (ref.kind !== 'ClusterRole' && ref.kind !== 'Role') {
    throw statusError(500, '', `unsupported role reference kind: ${JSON.stringify(ref.kind)}`)
  }
  const plural = ref.kind === 'ClusterRole' ? 'clusterroles' : 'roles'
  const resource = { group: ref.apiGroup, plural, namespace, name: ref.name, subresource: '' }
  if (rbac.decide(user, { verb: 'bind', path: '', resource }).allowed) return
  if (ref.kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.')
  const rules = rbac.rulesOfRole(ref, namespace)
  if (!rules) throw notFound(request.resource, ref.name)
  confirmOwned(rbac, request, object, rules)
}

function confirmOwned(rbac: Rbac, request: WriteRequest, object: KubeObject, wanted: readonly PolicyRule[]): void {
  const { user, namespace, resource } = request
  const { rules, errors } = rbac.rulesOf(user, namespace)
  const missing = missingRules(rules, wanted)
  if (missing.length === 0) return
  const who = `user ${JSON.stringify(user.name)} (groups=${goList(user.groups)})`
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${joinErrors(errors)}]`
  const text = `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}${unresolved}`
  throw forbidden(resource, keyOf(object).name, text)
}
