import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { account, as, createBinding, createRole, remove, rule, untilAllowed, user } from '../user-steps.ts'

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const body: JsonObject = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

function whoAmI(name: string, headers: Readonly<Record<string, string>>): Step {
  return { name, method: 'POST', path: WHO, headers, body }
}

const TOKEN = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }

/** As the account with its token, which may be some others. */
function byAccount(name: string, headers: Readonly<Record<string, string>>): Step {
  return whoAmI(`by an account: ${name}`, { ...headers, authorization: 'Bearer {its token.token}' })
}

const none = { differs: 'the administrators of both servers have other names' }

export const steps: readonly Step[] = [
  whoAmI('a user', as('alice')),
  whoAmI('a user in a group', as('alice', 'team')),
  whoAmI('a user in the group of everybody', as('alice', 'system:authenticated')),
  whoAmI('a user in the group of nobody', as('alice', 'system:unauthenticated')),
  whoAmI('an administrator', as('alice', 'system:masters')),
  whoAmI('nobody', as('system:anonymous')),
  whoAmI('nobody in a group', as('system:anonymous', 'team')),
  whoAmI('an account', as('system:serviceaccount:{ns}:default')),
  whoAmI('an account that is not there', as('system:serviceaccount:{ns}:ghost')),
  whoAmI('an account in another group', as('system:serviceaccount:{ns}:default', 'team')),
  whoAmI('an account of a broken name', as('system:serviceaccount:{ns}')),
  whoAmI('an account of a name with capitals', as('system:serviceaccount:{ns}:Robot')),
  whoAmI('an account of a name with a colon', as('system:serviceaccount:{ns}:a:b')),
  whoAmI('a node', as('system:node:one', 'system:nodes')),
  whoAmI('a uid', { ...as('alice'), 'impersonate-uid': '7' }),
  whoAmI('an extra', { ...as('alice'), 'impersonate-extra-scopes': 'view' }),
  whoAmI('an extra with capitals', { ...as('alice'), 'impersonate-extra-Scopes': 'View' }),
  whoAmI('an escaped extra', { ...as('alice'), 'impersonate-extra-example.com%2Fscopes': 'view' }),
  whoAmI('a group alone', { 'impersonate-group': 'team' }),
  whoAmI('a uid alone', { 'impersonate-uid': '7' }),
  whoAmI('an extra alone', { 'impersonate-extra-scopes': 'view' }),
  { ...whoAmI('an empty user', { 'impersonate-user': '' }), ...none },
  createRole('ClusterRole', 'double-{ns}', [
    rule('impersonate', 'users', { resourceNames: ['alice'] }),
    rule('impersonate', 'groups', { resourceNames: ['team'] }),
    rule('impersonate', 'userextras/scopes', { apiGroups: ['authentication.k8s.io'], resourceNames: ['view'] }),
  ]),
  createBinding('ClusterRoleBinding', 'double-{ns}', 'ClusterRole/double-{ns}', [user('double-{ns}')]),
  createRole('Role', 'double', [rule('impersonate', 'serviceaccounts')]),
  createBinding('RoleBinding', 'double', 'Role/double', [user('double-{ns}')]),
  untilAllowed('she may be Alice', as('double-{ns}'), {
    verb: 'impersonate',
    resource: 'users',
    name: 'alice',
    namespace: '',
  }),
  untilAllowed('she may be an account', as('double-{ns}'), { verb: 'impersonate', resource: 'serviceaccounts' }),
  {
    name: 'create an account',
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/serviceaccounts',
    body: { metadata: { name: 'double' } },
  },
  { name: 'its token', method: 'POST', path: '/api/v1/namespaces/{ns}/serviceaccounts/double/token', body: TOKEN },
  createRole('Role', 'other', [rule('impersonate', 'serviceaccounts', { resourceNames: ['default'] })]),
  createBinding('RoleBinding', 'other', 'Role/other', [account('double')]),
  createRole('ClusterRole', 'constrained-{ns}', [
    rule('impersonate:user-info', 'users', { apiGroups: ['authentication.k8s.io'], resourceNames: ['carol'] }),
    rule('impersonate-on:user-info:create', 'selfsubjectreviews', { apiGroups: ['authentication.k8s.io'] }),
    rule('impersonate', 'users', { resourceNames: ['alice'] }),
    rule('impersonate', 'groups', { resourceNames: ['team'] }),
    rule('impersonate', 'userextras/scopes', { apiGroups: ['authentication.k8s.io'], resourceNames: ['view'] }),
  ]),
  createBinding('ClusterRoleBinding', 'constrained-{ns}', 'ClusterRole/constrained-{ns}', [account('double')]),
  { ...byAccount('its own way', as('alice')), until: 201 },
  byAccount('alice in a team', as('alice', 'team')),
  byAccount('alice in another team', as('alice', 'others')),
  byAccount('an administrator', as('alice', 'system:masters')),
  byAccount('bob', as('bob')),
  byAccount('carol, for this alone', as('carol')),
  byAccount('carol in a team', as('carol', 'team')),
  byAccount('a view', { ...as('alice'), 'impersonate-extra-scopes': 'view' }),
  byAccount('an edit', { ...as('alice'), 'impersonate-extra-scopes': 'edit' }),
  byAccount('a uid', { ...as('alice'), 'impersonate-uid': '7' }),
  byAccount('another account', as('system:serviceaccount:{ns}:default')),
  byAccount('itself', as('system:serviceaccount:{ns}:double')),
  byAccount('a node', as('system:node:one')),
  byAccount('nobody', as('system:anonymous')),
  remove('ClusterRoleBinding', 'constrained-{ns}'),
  remove('ClusterRole', 'constrained-{ns}'),
  remove('ClusterRoleBinding', 'double-{ns}'),
  remove('ClusterRole', 'double-{ns}'),
]
