import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { account, createBinding, createRole, rule } from '../user-steps.ts'

const CORE = '/api/v1/namespaces/{ns}'
const KUBERNETES = 'https://kubernetes.default.svc'

function request(name: string, spec: JsonObject, more: JsonObject = {}): Step {
  const { of = 'robot', ...rest } = more
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec, ...rest }
  return { name, method: 'POST', path: `${CORE}/serviceaccounts/${of}/token`, body }
}

/** The real server says when it was asked, too. */
function review(name: string, of: string, more: JsonObject = {}): Step {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: of, ...more } }
  return { name, method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', body }
}

function withToken(name: string, method: 'GET' | 'DELETE', path: string, token: string): Step {
  return { name, method, path, headers: { authorization: `Bearer ${token}` } }
}

const POD: JsonObject = {
  metadata: { name: 'web' },
  spec: {
    serviceAccountName: 'robot',
    automountServiceAccountToken: false,
    schedulerName: 'nobody',
    containers: [{ name: 'a', image: 'a' }],
  },
}
const toPod = (more: JsonObject = {}): JsonObject => ({
  boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', ...more },
})

export const steps: readonly Step[] = [
  { name: 'create an account', method: 'POST', path: `${CORE}/serviceaccounts`, body: { metadata: { name: 'robot' } } },
  createRole('Role', 'reader', [rule('get list', 'configmaps')]),
  createBinding('RoleBinding', 'reader', 'Role/reader', [account('robot')]),
  { name: 'create a pod', method: 'POST', path: `${CORE}/pods`, body: POD },
  { name: 'create a secret', method: 'POST', path: `${CORE}/secrets`, body: { metadata: { name: 'key' } } },
  request('a token', {}),
  request('a token for ten minutes', { expirationSeconds: 600 }),
  request('a token for less', { expirationSeconds: 599 }),
  request('a token for ever', { expirationSeconds: 4294967297 }),
  request('a token for no time', { expirationSeconds: 0 }),
  request('a token for others', { audiences: ['vault'] }),
  request('a token for both', { audiences: ['vault', KUBERNETES] }),
  request('a token of nobody', {}, { of: 'ghost' }),
  request('a token that names its account', {}, { metadata: { name: 'robot', namespace: '{ns}' } }),
  request('a token that names another account', {}, { metadata: { name: 'other' } }),
  request('a token that names another namespace', {}, { metadata: { namespace: 'default' } }),
  request('a token that names the uid', {}, { metadata: { uid: '{create an account.uid}' } }),
  request('a token that names another uid', {}, { metadata: { uid: 'x' } }),
  request('a token of a pod', toPod()),
  request('a token of a pod by its uid', toPod({ uid: '{create a pod.uid}' })),
  request('a token of a pod by another uid', toPod({ uid: 'x' })),
  request('a token of a pod that is not there', toPod({ name: 'ghost' })),
  request('a token of a pod of another account', toPod(), { of: 'default' }),
  request('a token of a secret', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'key' } }),
  request('a token of a map', { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'key' } }),
  request('a token of a deployment', { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'key' } }),
  request('a token of a node that is not there', { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'ghost' } }),
  request('a token with an unknown field', { foo: 1 }),
  review('whose token', '{a token.token}'),
  review('whose token of a pod', '{a token of a pod.token}'),
  review('whose token for others', '{a token for others.token}'),
  review('whose token for others, by them', '{a token for others.token}', { audiences: ['vault', 'safe'] }),
  review('whose token for both', '{a token for both.token}', { audiences: ['vault', KUBERNETES] }),
  review('whose token for nobody', '{a token for both.token}', { audiences: ['safe'] }),
  review('whose rubbish', 'rubbish'),
  review('whose broken token', '{a token.token}x'),
  { ...review('whose nothing', ''), name: 'whose nothing' },
  {
    ...withToken('read as the account', 'GET', `${CORE}/configmaps?labelSelector=a`, '{a token.token}'),
    until: 200,
  },
  withToken('read as the account of a pod', 'GET', `${CORE}/configmaps?labelSelector=a`, '{a token of a pod.token}'),
  withToken('write as the account', 'DELETE', `${CORE}/configmaps/x`, '{a token.token}'),
  withToken('read by a token for both', 'GET', `${CORE}/configmaps?labelSelector=a`, '{a token for both.token}'),
  { name: 'delete the pod', method: 'DELETE', path: `${CORE}/pods/web?gracePeriodSeconds=0` },
  { name: 'delete the secret', method: 'DELETE', path: `${CORE}/secrets/key` },
  { name: 'delete the account', method: 'DELETE', path: `${CORE}/serviceaccounts/robot` },
]
