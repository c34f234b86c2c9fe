import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { as, createBinding, createRole, group, remove, rule, untilAllowed, user } from '../user-steps.ts'

const CORE = '/api/v1/namespaces/{ns}'
const APPS = '/apis/apps/v1/namespaces/{ns}'
const ALICE = 'alice-{ns}'
const READER = as(ALICE)
const MERGE = { 'content-type': 'application/merge-patch+json' }
const map = (name: string): JsonObject => ({ metadata: { name } })

/** As Alice, who has the roles below. */
function ask(method: Step['method'], path: string, body?: JsonObject): Step {
  const headers = { ...READER, ...(method === 'PATCH' && MERGE) }
  return { name: `${method} ${path}`, method, path, headers, ...(body && { body }) }
}

const setUp: readonly Step[] = [
  createRole('Role', 'reader', [
    rule('get list watch', 'configmaps'),
    rule('get update', 'secrets', { resourceNames: ['mine'] }),
    rule('get patch', 'deployments/scale', { apiGroups: ['apps'] }),
    rule('update patch', '*/status', { apiGroups: ['apps'] }),
    rule('get', 'namespaces'),
    rule('create', 'pods/eviction'),
    rule('create', 'events', { apiGroups: ['', 'events.k8s.io'] }),
    rule('deletecollection', 'leases', { apiGroups: ['coordination.k8s.io'] }),
    rule('list', 'configmaps services', { resourceNames: ['one'] }),
  ]),
  createBinding('RoleBinding', 'reader', 'Role/reader', [user(ALICE)]),
  createRole('ClusterRole', 'urls-{ns}', [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*'] }]),
  createBinding('ClusterRoleBinding', 'urls-{ns}', 'ClusterRole/urls-{ns}', [group('readers-{ns}')]),
  untilAllowed('Alice reads', READER, { verb: 'get', resource: 'configmaps' }),
  { ...ask('POST', `${CORE}/secrets`, map('mine')), name: 'create a secret', headers: {} },
  { ...ask('POST', `${CORE}/configmaps`, map('one')), name: 'create a map', headers: {} },
]

const requests: readonly Step[] = [
  ask('GET', `${CORE}/configmaps/one`),
  ask('GET', `${CORE}/configmaps/none`),
  ask('GET', `${CORE}/configmaps?labelSelector=a%3Db`),
  ask('GET', `${CORE}/configmaps?watch=1&timeoutSeconds=1&labelSelector=a%3Db`),
  ask('GET', '/api/v1/configmaps'),
  ask('GET', '/api/v1/namespaces/default/configmaps'),
  ask('GET', '/api/v1/namespaces/default/configmaps/one'),
  ask('POST', `${CORE}/configmaps`, map('two')),
  ask('PUT', `${CORE}/configmaps/one`, map('one')),
  ask('PATCH', `${CORE}/configmaps/one`, {}),
  ask('DELETE', `${CORE}/configmaps/one`),
  ask('DELETE', `${CORE}/configmaps`),
  ask('GET', `${CORE}/secrets/mine`),
  ask('GET', `${CORE}/secrets/yours`),
  ask('GET', `${CORE}/secrets`),
  ask('GET', `${CORE}/secrets?fieldSelector=metadata.name%3Dmine`),
  ask('PUT', `${CORE}/secrets/mine`, { ...map('mine'), stringData: { a: 'b' } }),
  ask('DELETE', `${CORE}/secrets/mine`),
  ask('GET', `${CORE}/services?fieldSelector=metadata.name%3Done`),
  ask('GET', `${CORE}/services?fieldSelector=metadata.name%3Dtwo`),
  ask('GET', `${CORE}/services?fieldSelector=metadata.name!%3Done`),
  ask('GET', `${CORE}/services?watch=true&fieldSelector=metadata.name%3Done`),
  ask('GET', `${APPS}/deployments/web`),
  ask('GET', `${APPS}/deployments/web/scale`),
  ask('PUT', `${APPS}/deployments/web/scale`, {}),
  ask('PATCH', `${APPS}/deployments/web/scale`, { spec: { replicas: 1 } }),
  ask('PATCH', `${APPS}/deployments/web/status`, {}),
  ask('GET', `${APPS}/statefulsets/web/status`),
  ask('PATCH', `${APPS}/statefulsets/web/status`, {}),
  ask('PATCH', `${CORE}/pods/web/status`, {}),
  ask('POST', `${CORE}/pods/web/eviction`, { ...map('web') }),
  ask('POST', `${CORE}/pods/web/binding`, { ...map('web') }),
  ask('GET', `${CORE}/pods/web/log`),
  ask('POST', `${CORE}/pods/web/exec`),
  ask('GET', CORE),
  ask('GET', '/api/v1/namespaces/default'),
  ask('GET', '/api/v1/namespaces'),
  ask('PUT', `${CORE}/finalize`, map('x')),
  ask('GET', `${CORE}/status`),
  ask('DELETE', CORE),
  ask('DELETE', '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases'),
  ask('DELETE', '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/one'),
  ask('GET', '/api/v1/nodes'),
  ask('GET', '/api/v1/nodes/one'),
  ask('GET', '/apis/apps/v1/deployments'),
  ask('GET', '/apis/nobody.example.com/v1/namespaces/{ns}/things/one'),
  ask('GET', `${CORE}/nothings`),
  { ...ask('GET', '/api/v1/watch/namespaces/{ns}/configmaps'), headers: as('bob') },
  ask('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles'),
  ask('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'),
  ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {}),
  ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {}),
]

/** Paths that are no resources, for a user, for a member of a group, and for an anonymous client. */
const paths: readonly Step[] = [
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/version',
  '/healthz',
  '/readyz',
  '/livez/ping',
  '/openapi/v3',
  '/metrics',
  '/logs',
  '/logs/today',
  '/nowhere',
  '/',
].flatMap((path) =>
  [
    ['Alice', READER],
    ['a reader', as('bob', 'readers-{ns}')],
    ['nobody', as('system:anonymous')],
  ].map(
    ([who, headers]): Step => ({
      name: `${path} for ${who}`,
      method: 'GET',
      path,
      headers: headers as Record<string, string>,
    }),
  ),
)

/** What these answer is another subject, or changes with the server: only who may ask is. */
const OWN_SUBJECT = new Set([
  '/apis',
  '/openapi/v3',
  '/metrics',
  '/logs/today',
  '/',
  '/healthz',
  '/readyz',
  '/livez/ping',
])

function isComparable({ name, path }: Step): boolean {
  return !OWN_SUBJECT.has(path) || name.endsWith('nobody') || (name.endsWith('Alice') && /metrics|logs|^\/ /.test(name))
}

export const steps: readonly Step[] = [
  ...setUp,
  ...requests,
  ...paths.filter(isComparable),
  { name: 'text that might be HTML', method: 'GET', path: '/api/v1/nodes', headers: as('<b>&"') },
  { name: 'a write by nobody', method: 'POST', path: `${CORE}/configmaps`, headers: as('system:anonymous'), body: {} },
  createBinding('RoleBinding', 'lost', 'Role/lost', [user('carol-{ns}')]),
  createBinding('RoleBinding', 'lost-too', 'ClusterRole/lost-{ns}', [user('dave-{ns}')]),
  {
    ...ask('GET', `${CORE}/pods`),
    name: 'a role that is not there',
    headers: as('carol-{ns}'),
    until: (body) => JSON.stringify(body).includes('RBAC'),
  },
  {
    ...ask('GET', `${CORE}/pods`),
    name: 'a ClusterRole that is not there',
    headers: as('dave-{ns}'),
    until: (body) => JSON.stringify(body).includes('RBAC'),
  },
  remove('ClusterRoleBinding', 'urls-{ns}'),
  remove('ClusterRole', 'urls-{ns}'),
]
