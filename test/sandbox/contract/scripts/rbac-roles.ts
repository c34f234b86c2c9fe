import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { as, createBinding, createRole, remove, rolesPath, rule, untilAllowed, user } from '../user-steps.ts'

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
const MERGE = { 'content-type': 'application/merge-patch+json' }

/** Of these, the rules are the server's own and stand in its order. */
const DEFAULT_ROLES = [
  'cluster-admin',
  'system:aggregate-to-admin',
  'system:aggregate-to-edit',
  'system:aggregate-to-view',
  'system:basic-user',
  'system:discovery',
  'system:public-info-viewer',
  'system:service-account-issuer-discovery',
  'system:monitoring',
  'system:node',
  'system:node-proxier',
  'system:kube-scheduler',
  'system:kube-controller-manager',
  'system:volume-scheduler',
  'system:auth-delegator',
  'system:heapster',
  'system:kubelet-api-admin',
  'system:node-bootstrapper',
  'system:node-problem-detector',
  'system:persistent-volume-provisioner',
  'system:certificates.k8s.io:legacy-unknown-approver',
  'system:controller:deployment-controller',
  'system:controller:generic-garbage-collector',
  'system:controller:namespace-controller',
  'system:kube-dns',
]
const DEFAULT_BINDINGS = [
  'cluster-admin',
  'system:basic-user',
  'system:discovery',
  'system:public-info-viewer',
  'system:monitoring',
  'system:kube-scheduler',
  'system:controller:job-controller',
]

function get(kind: string, name: string): Step {
  return { name: `${kind} ${name}`, method: 'GET', path: `${rolesPath(kind)}/${name}` }
}

/** What the well-known roles allow in a namespace. */
const QUESTIONS: readonly JsonObject[] = [
  { verb: 'get', resource: 'pods' },
  { verb: 'get', resource: 'secrets' },
  { verb: 'create', resource: 'pods' },
  { verb: 'create', resource: 'pods', subresource: 'exec' },
  { verb: 'get', resource: 'pods', subresource: 'log' },
  { verb: 'patch', resource: 'deployments', group: 'apps', subresource: 'scale' },
  { verb: 'create', resource: 'roles', group: 'rbac.authorization.k8s.io' },
  { verb: 'impersonate', resource: 'serviceaccounts' },
  { verb: 'create', resource: 'serviceaccounts', subresource: 'token' },
  { verb: 'update', resource: 'resourcequotas' },
  { verb: 'list', resource: 'resourcequotas' },
  { verb: 'create', resource: 'localsubjectaccessreviews', group: 'authorization.k8s.io' },
  { verb: 'delete', resource: 'namespaces' },
  { verb: 'get', resource: 'leases', group: 'coordination.k8s.io' },
  { verb: 'list', resource: 'endpointslices', group: 'discovery.k8s.io' },
]

function asked(role: string, attributes: JsonObject): Step {
  const { verb, resource, subresource } = attributes
  return {
    name: `${role}: ${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`,
    method: 'POST',
    path: REVIEWS,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: `${role}er-{ns}`, resourceAttributes: { namespace: '{ns}', ...attributes } },
    },
  }
}

const ROLES = ['view', 'edit', 'admin']

const wellKnown: readonly Step[] = ROLES.flatMap((role) => [
  createBinding('RoleBinding', role, `ClusterRole/${role}`, [user(`${role}er-{ns}`)]),
  untilAllowed(`${role} is bound`, as(`${role}er-{ns}`), { verb: 'get', resource: 'pods' }),
  ...QUESTIONS.map((attributes) => asked(role, attributes)),
])

const label = { 'example.com/{ns}': 'part' }
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label }] }

const sum = (name: string, rules: number): Step => ({
  ...get('ClusterRole', 'sum-{ns}'),
  name,
  until: (body) => JSON.stringify(body).split('"verbs"').length - 1 === rules,
})

const aggregated: readonly Step[] = [
  createRole('ClusterRole', 'b-{ns}', [rule('get', 'pods'), rule('get', 'nodes')], { metadata: { labels: label } }),
  createRole('ClusterRole', 'sum-{ns}', [], { aggregationRule }),
  sum('the rules of one', 2),
  createRole('ClusterRole', 'a-{ns}', [rule('list', 'pods'), rule('get', 'nodes')], { metadata: { labels: label } }),
  sum('the rules of two', 3),
  {
    name: 'one is no part any more',
    method: 'PATCH',
    path: `${rolesPath('ClusterRole')}/b-{ns}`,
    headers: MERGE,
    body: { metadata: { labels: null } },
  },
  {
    ...sum('the rules of the other', 2),
    until: (body) => !JSON.stringify(body).includes('"get"],"apiGroups":[""],"resources":["pods"'),
  },
  remove('ClusterRole', 'a-{ns}'),
  sum('no rules', 0),
  remove('ClusterRole', 'b-{ns}'),
  remove('ClusterRole', 'sum-{ns}'),
]

export const steps: readonly Step[] = [
  ...DEFAULT_ROLES.map((name) => get('ClusterRole', name)),
  ...DEFAULT_BINDINGS.map((name) => get('ClusterRoleBinding', name)),
  get('ClusterRole', 'edit'),
  get('ClusterRole', 'view'),
  get('ClusterRole', 'admin'),
  {
    name: 'a role of the server',
    method: 'GET',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/extension-apiserver-authentication-reader',
  },
  ...wellKnown,
  ...aggregated,
]
