import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { account, as, createBinding, createRole, group, mayI, remove, rule, untilAllowed, user } from '../user-steps.ts'

const AUTHORIZATION = '/apis/authorization.k8s.io/v1'
const ADMINS = { user: 'root', groups: ['system:masters'] }

function review(kind: string, spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'authorization.k8s.io/v1', kind, spec, ...more }
}

/** What the server answers the administrator about a user. */
function about(name: string, spec: JsonObject): Step {
  const body = review('SubjectAccessReview', spec)
  return { name, method: 'POST', path: `${AUTHORIZATION}/subjectaccessreviews`, body }
}

const pods = { verb: 'get', resource: 'pods', namespace: '{ns}' }

function asked(name: string, subject: JsonObject, attributes: JsonObject): Step {
  return about(name, { ...subject, resourceAttributes: { namespace: '{ns}', ...attributes } })
}

const ALICE = { user: 'alice-{ns}' }

const questions: readonly Step[] = [
  asked('a verb of a rule', ALICE, { verb: 'get', resource: 'pods' }),
  asked('another verb', ALICE, { verb: 'delete', resource: 'pods' }),
  asked('another resource', ALICE, { verb: 'get', resource: 'secrets' }),
  asked('another group', ALICE, { verb: 'get', resource: 'pods', group: 'apps' }),
  asked('another namespace', ALICE, { verb: 'get', resource: 'pods', namespace: 'default' }),
  asked('all namespaces', ALICE, { verb: 'get', resource: 'pods', namespace: '' }),
  asked('a subresource', ALICE, { verb: 'get', resource: 'pods', subresource: 'log' }),
  asked('a subresource that is not meant', ALICE, { verb: 'get', resource: 'pods', subresource: 'exec' }),
  asked('a name that is meant', ALICE, { verb: 'delete', resource: 'configmaps', name: 'mine' }),
  asked('a name that is not', ALICE, { verb: 'delete', resource: 'configmaps', name: 'yours' }),
  asked('no name where one is meant', ALICE, { verb: 'delete', resource: 'configmaps' }),
  asked('a version that does not matter', ALICE, { verb: 'get', resource: 'pods', version: 'v7' }),
  asked('every verb', ALICE, { verb: '*', resource: 'pods' }),
  asked('every resource', ALICE, { verb: 'get', resource: '*' }),
  asked('a rule with a star for the group', ALICE, { verb: 'list', resource: 'widgets', group: 'any.example.com' }),
  asked('a rule with a star for the verb', ALICE, { verb: 'frob', resource: 'gadgets', group: 'x.example.com' }),
  asked('a rule for any subresource', ALICE, { verb: 'update', resource: 'widgets', subresource: 'status' }),
  asked('a group', { user: 'b', groups: ['readers-{ns}'] }, { verb: 'list', resource: 'nodes', namespace: '' }),
  asked('a group without a user', { groups: ['readers-{ns}'] }, { verb: 'list', resource: 'nodes', namespace: '' }),
  asked('a cluster role in a namespace', { user: 'b', groups: ['readers-{ns}'] }, { verb: 'list', resource: 'nodes' }),
  asked('an account', { user: 'system:serviceaccount:{ns}:robot' }, { verb: 'get', resource: 'pods' }),
  asked('an account of elsewhere', { user: 'system:serviceaccount:default:robot' }, { verb: 'get', resource: 'pods' }),
  asked(
    'an account by its group',
    { user: 'x', groups: ['system:serviceaccounts:{ns}'] },
    { verb: 'get', resource: 'pods' },
  ),
  asked('administrators', ADMINS, { verb: 'frob', resource: 'anything' }),
  asked('selectors', ALICE, {
    verb: 'get',
    resource: 'pods',
    fieldSelector: { rawSelector: 'spec.nodeName=a' },
    labelSelector: { rawSelector: 'a=b' },
  }),
  asked('a broken selector', ALICE, { verb: 'get', resource: 'pods', labelSelector: { rawSelector: 'a in' } }),
  asked('an empty selector', ALICE, { verb: 'get', resource: 'pods', fieldSelector: {} }),
  asked('a selector in two forms', ALICE, {
    verb: 'get',
    resource: 'pods',
    labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
  }),
  asked('labels in each way', ALICE, {
    verb: 'get',
    resource: 'pods',
    labelSelector: {
      requirements: [
        { key: 'a', operator: 'In', values: ['x'] },
        { key: 'b', operator: 'NotIn', values: ['x'] },
        { key: 'c', operator: 'Exists' },
        { key: 'd', operator: 'DoesNotExist' },
      ],
    },
  }),
  asked('labels in ways of which one is unknown', ALICE, {
    verb: 'get',
    resource: 'pods',
    labelSelector: {
      requirements: [
        { key: 'a', operator: 'Exists' },
        { key: 'b', operator: 'Near' },
      ],
    },
  }),
  asked('labels in ways that are all unknown', ALICE, {
    verb: 'get',
    resource: 'pods',
    labelSelector: { requirements: [{ key: 'b', operator: 'Near' }] },
  }),
  asked('a label without a key', ALICE, {
    verb: 'get',
    resource: 'pods',
    labelSelector: { requirements: [{ key: '', operator: 'Exists' }] },
  }),
  asked('a field without a key', ALICE, {
    verb: 'get',
    resource: 'pods',
    fieldSelector: { requirements: [{ key: '', operator: 'In', values: ['a'] }] },
  }),
  asked('a field with an odd key', ALICE, {
    verb: 'get',
    resource: 'pods',
    fieldSelector: { requirements: [{ key: 'a b', operator: 'In', values: ['x'] }] },
  }),
  asked('fields of one value and of two', ALICE, {
    verb: 'get',
    resource: 'pods',
    fieldSelector: {
      requirements: [
        { key: 'a', operator: 'In', values: ['x'] },
        { key: 'b', operator: 'NotIn', values: ['x', 'y'] },
      ],
    },
  }),
  about('a path', { ...ALICE, nonResourceAttributes: { verb: 'get', path: '/logs/x' } }),
  about('another path', { ...ALICE, nonResourceAttributes: { verb: 'get', path: '/debug' } }),
  about('a path with another verb', { ...ALICE, nonResourceAttributes: { verb: 'post', path: '/logs/x' } }),
  about('a public path', {
    user: 'x',
    groups: ['system:unauthenticated'],
    nonResourceAttributes: { verb: 'get', path: '/version' },
  }),
  about('nobody', { resourceAttributes: pods }),
  about('nothing', ALICE),
  about('both', { ...ALICE, resourceAttributes: pods, nonResourceAttributes: { verb: 'get', path: '/x' } }),
  about('an unknown field', { ...ALICE, resourceAttributes: { ...pods, extra: 1 } }),
  {
    ...about('metadata', {}),
    body: review('SubjectAccessReview', { ...ALICE, resourceAttributes: pods }, { metadata: { labels: { a: 'b' } } }),
  },
]

function local(name: string, spec: JsonObject, metadata: JsonObject): Step {
  const path = `${AUTHORIZATION}/namespaces/{ns}/localsubjectaccessreviews`
  return { name, method: 'POST', path, body: review('LocalSubjectAccessReview', spec, { metadata }) }
}

const locals: readonly Step[] = [
  local('a review in its namespace', { ...ALICE, resourceAttributes: pods }, { namespace: '{ns}' }),
  local('a review without a namespace in its body', { ...ALICE, resourceAttributes: pods }, {}),
  local(
    'a review of another namespace',
    { ...ALICE, resourceAttributes: { ...pods, namespace: 'default' } },
    { namespace: '{ns}' },
  ),
  local('a review of a path', { ...ALICE, nonResourceAttributes: { verb: 'get', path: '/x' } }, { namespace: '{ns}' }),
  local('a review of elsewhere', { ...ALICE, resourceAttributes: pods }, { namespace: 'default' }),
]

function self(name: string, who: string, attributes: JsonObject): Step {
  return {
    name,
    method: 'POST',
    path: `${AUTHORIZATION}/selfsubjectaccessreviews`,
    headers: as(who),
    body: mayI(attributes),
  }
}

function rulesOf(name: string, headers: Readonly<Record<string, string>>, namespace = '{ns}'): Step {
  return {
    name,
    method: 'POST',
    path: `${AUTHORIZATION}/selfsubjectrulesreviews`,
    headers,
    body: review('SelfSubjectRulesReview', namespace === '' ? {} : { namespace }),
  }
}

const selves: readonly Step[] = [
  self('may Alice read', 'alice-{ns}', { verb: 'get', resource: 'pods' }),
  self('may Bob read', 'bob', { verb: 'get', resource: 'pods' }),
  self('may an account read', 'system:serviceaccount:{ns}:robot', { verb: 'get', resource: 'pods' }),
  self('may nobody ask', 'system:anonymous', { verb: 'get', resource: 'pods' }),
  rulesOf('no namespace', as('alice-{ns}'), ''),
]

/** Everybody has the rules of discovery, and these stand in an order of the server's. */
const rules: readonly Step[] = [{ ...rulesOf('rules of nobody', as('system:anonymous')), unordered: true }]

export const steps: readonly Step[] = [
  createRole('Role', 'reader', [
    rule('get', 'pods pods/log'),
    rule('delete', 'configmaps', { resourceNames: ['mine'] }),
    rule('list', 'widgets', { apiGroups: ['*'] }),
    rule('*', 'gadgets', { apiGroups: ['x.example.com'] }),
    rule('update', '*/status'),
  ]),
  createBinding('RoleBinding', 'reader', 'Role/reader', [
    user('alice-{ns}'),
    account('robot'),
    group('system:serviceaccounts:{ns}'),
  ]),
  createRole('ClusterRole', 'nodes-{ns}', [rule('list', 'nodes'), { verbs: ['get'], nonResourceURLs: ['/logs/*'] }]),
  createBinding('ClusterRoleBinding', 'nodes-{ns}', 'ClusterRole/nodes-{ns}', [
    group('readers-{ns}'),
    user('alice-{ns}'),
  ]),
  untilAllowed('Alice reads', as('alice-{ns}'), { verb: 'get', resource: 'pods' }),
  untilAllowed('readers list nodes', as('b', 'readers-{ns}'), { verb: 'list', resource: 'nodes', namespace: '' }),
  ...questions,
  ...locals,
  ...selves,
  ...rules,
  remove('ClusterRoleBinding', 'nodes-{ns}'),
  remove('ClusterRole', 'nodes-{ns}'),
]
