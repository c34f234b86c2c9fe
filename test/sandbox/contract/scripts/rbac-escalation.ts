import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import {
  account,
  as,
  binding,
  createBinding,
  createRole,
  remove,
  rolesPath,
  rule,
  untilAllowed,
  user,
} from '../user-steps.ts'

const RBAC = 'rbac.authorization.k8s.io'
const EVE = 'eve-{ns}'
const MERGE = { 'content-type': 'application/merge-patch+json' }
const APPLY = { 'content-type': 'application/apply-patch+yaml' }

/** Eve may write roles and bindings, and has a little herself. */
const setUp: readonly Step[] = [
  createRole('Role', 'own', [
    rule('get list', 'pods secrets'),
    rule('update', '*/status', { apiGroups: ['apps'] }),
    rule('*', 'configmaps', { resourceNames: ['one'] }),
    rule('get', '*', { apiGroups: ['batch'] }),
  ]),
  createRole('Role', 'other', [rule('delete', 'pods')]),
  createRole('Role', 'part', [rule('get', 'pods')]),
]

/** Writing roles is not granting: the verbs `escalate` and `bind` are others than `create`. */
const eveRules: readonly JsonObject[] = [
  rule('get create update patch delete', 'roles rolebindings clusterroles clusterrolebindings', { apiGroups: [RBAC] }),
  { verbs: ['get'], nonResourceURLs: ['/logs/*'] },
]

function roleBy(name: string, rules: readonly JsonObject[], more: Partial<Step> = {}): Step {
  const body = { metadata: { name: name.replaceAll(' ', '-') }, rules }
  return { name, method: 'POST', path: rolesPath('Role'), headers: as(EVE), body, ...more }
}

function clusterRoleBy(name: string, fields: JsonObject): Step {
  const body = { metadata: { name: `${name.replaceAll(' ', '-')}-{ns}` }, ...fields }
  return { name, method: 'POST', path: `${rolesPath('ClusterRole')}?dryRun=All`, headers: as(EVE), body }
}

function bindingBy(name: string, kind: string, ref: string): Step {
  const body = binding(`${name.replaceAll(' ', '-')}-{ns}`, ref, [user('mallory')])
  return { name, method: 'POST', path: `${rolesPath(kind)}?dryRun=All`, headers: as(EVE), body }
}

const writes: readonly Step[] = [
  roleBy('a role with what she has', [rule('get', 'pods')]),
  roleBy('a role with all she has', [rule('get list', 'pods secrets')]),
  roleBy('a role with more verbs', [rule('get delete watch', 'pods')]),
  roleBy('a role with more resources', [rule('get', 'pods nodes services')]),
  roleBy('a role of another group', [rule('get', 'pods', { apiGroups: ['apps'] })]),
  roleBy('a role with a star', [rule('*', '*', { apiGroups: ['*'] })]),
  roleBy('a role with a subresource she has', [rule('update', 'deployments/status', { apiGroups: ['apps'] })]),
  roleBy('a role with a subresource she has not', [rule('update', 'deployments/scale', { apiGroups: ['apps'] })]),
  roleBy('a role of a name she has', [rule('get delete', 'configmaps', { resourceNames: ['one'] })]),
  roleBy('a role of names', [rule('get', 'configmaps', { resourceNames: ['one', 'two', 'three'] })]),
  roleBy('a role of all names', [rule('get', 'configmaps')]),
  roleBy('a role with any resource', [rule('get', 'jobs anything', { apiGroups: ['batch'] })]),
  roleBy('a role with a name of what she has', [rule('get', 'pods', { resourceNames: ['web'] })]),
  roleBy('a role with nothing', []),
  roleBy('an invalid role with more', [{ verbs: ['delete'], apiGroups: [''] }]),
  roleBy('two rules', [rule('delete', 'pods'), rule('watch', 'pods'), rule('watch', 'services')]),
  roleBy('a role with more by apply', [], {
    method: 'PATCH',
    path: `${rolesPath('Role')}/applied?fieldManager=eve`,
    headers: { ...as(EVE), ...APPLY },
    body: { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name: 'applied' }, rules: [rule('delete', 'pods')] },
  }),
  roleBy('a patch with more', [], {
    method: 'PATCH',
    path: `${rolesPath('Role')}/part`,
    headers: { ...as(EVE), ...MERGE },
    body: { rules: [rule('delete', 'pods')] },
  }),
  roleBy('a patch of what is more already', [], {
    method: 'PATCH',
    path: `${rolesPath('Role')}/other`,
    headers: { ...as(EVE), ...MERGE },
    body: { metadata: { labels: { a: 'b' } } },
  }),
  roleBy('a patch of finalizers alone', [], {
    method: 'PATCH',
    path: `${rolesPath('Role')}/other`,
    headers: { ...as(EVE), ...MERGE },
    body: { metadata: { finalizers: null } },
  }),
  roleBy('a PUT with more', [], {
    method: 'PUT',
    path: `${rolesPath('Role')}/part`,
    body: { metadata: { name: 'part' }, rules: [rule('delete', 'pods')] },
  }),
  roleBy('a PUT that creates with more', [], {
    method: 'PUT',
    path: `${rolesPath('Role')}/put`,
    body: { metadata: { name: 'put' }, rules: [rule('delete', 'pods')] },
  }),
  clusterRoleBy('a cluster role with nothing', { rules: [] }),
  clusterRoleBy('a cluster role with what she has elsewhere', { rules: [rule('get', 'pods')] }),
  clusterRoleBy('a cluster role with a path she has', { rules: [{ verbs: ['get'], nonResourceURLs: ['/logs/a'] }] }),
  clusterRoleBy('a cluster role with paths', {
    rules: [{ verbs: ['get', 'post'], nonResourceURLs: ['/logs/a', '/b'] }],
  }),
  clusterRoleBy('a cluster role that aggregates', {
    rules: [],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  }),
  bindingBy('bind what she has', 'RoleBinding', 'Role/part'),
  bindingBy('bind what she has not', 'RoleBinding', 'Role/other'),
  bindingBy('bind what is not there', 'RoleBinding', 'Role/ghost'),
  bindingBy('bind a cluster role', 'RoleBinding', 'ClusterRole/eve-{ns}'),
  bindingBy('bind view', 'RoleBinding', 'ClusterRole/system:public-info-viewer'),
  bindingBy('bind a cluster role that is not there', 'RoleBinding', 'ClusterRole/ghost-{ns}'),
  bindingBy('bind in the cluster', 'ClusterRoleBinding', 'ClusterRole/eve-{ns}'),
  bindingBy('bind the administrators', 'ClusterRoleBinding', 'ClusterRole/cluster-admin'),
  bindingBy('bind a role in the cluster', 'ClusterRoleBinding', 'Role/part'),
  bindingBy('bind a kind that is none', 'RoleBinding', 'Thing/part'),
]

const later: readonly Step[] = [
  createRole('Role', 'granter', [
    rule('escalate', 'roles', { apiGroups: [RBAC], resourceNames: ['part'] }),
    rule('bind', 'roles', { apiGroups: [RBAC], resourceNames: ['other'] }),
    rule('bind', 'clusterroles', { apiGroups: [RBAC], resourceNames: ['cluster-admin'] }),
  ]),
  createBinding('RoleBinding', 'granter', 'Role/granter', [user(EVE)]),
  untilAllowed('Eve escalates', as(EVE), { verb: 'bind', group: RBAC, resource: 'roles', name: 'other' }),
  {
    ...roleBy('escalate a role by name', []),
    method: 'PUT',
    path: `${rolesPath('Role')}/part`,
    body: { metadata: { name: 'part' }, rules: [rule('delete', 'pods')] },
  },
  roleBy('create what may be escalated by name', [rule('delete', 'nodes')]),
  { ...bindingBy('bind by name', 'RoleBinding', 'Role/other'), name: 'bind by the verb' },
  {
    ...bindingBy('administrators here', 'RoleBinding', 'ClusterRole/cluster-admin'),
    name: 'bind the administrators here',
  },
  { ...bindingBy('administrators', 'ClusterRoleBinding', 'ClusterRole/cluster-admin'), name: 'but not everywhere' },
]

export const steps: readonly Step[] = [
  createRole('ClusterRole', 'eve-{ns}', eveRules),
  ...setUp,
  createBinding('ClusterRoleBinding', 'eve-{ns}', 'ClusterRole/eve-{ns}', [user(EVE)]),
  createBinding('RoleBinding', 'own', 'Role/own', [user(EVE), account('robot')]),
  untilAllowed('Eve writes roles', as(EVE), { verb: 'create', group: RBAC, resource: 'roles' }),
  untilAllowed('Eve reads pods', as(EVE), { verb: 'get', resource: 'pods' }),
  ...writes,
  ...later,
  remove('ClusterRoleBinding', 'eve-{ns}'),
  remove('ClusterRole', 'eve-{ns}'),
]
