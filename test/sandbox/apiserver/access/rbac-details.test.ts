import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { Sandbox, settle } from '../sandbox.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ROLES = `${RBAC}/namespaces/default/roles`
const CLUSTER_ROLES = `${RBAC}/clusterroles`
const REVIEWS = '/apis/authorization.k8s.io/v1'

function binding(name: string, subject: JsonObject, role: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace: 'default' },
    subjects: [subject],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
  } as KubeObject
}

function clusterRole(name: string, more: JsonObject): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, ...more } as KubeObject
}

function grant(name: string, subject: JsonObject): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects: [subject],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  } as KubeObject
}

const user = (name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })

describe('Access by roles', () => {
  const sandbox = new Sandbox({ authorization: 'rbac' })
  before(async () => {
    await sandbox.start()
    const role = (name: string, more: JsonObject): KubeObject =>
      ({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name, namespace: 'default' },
        ...more,
      }) as KubeObject
    for (const object of [
      role('reader', {
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'] }],
      }),
      role('empty', {}),
      binding('local', { kind: 'ServiceAccount', name: 'default' }, 'reader'),
      binding('nothing', user('nemo'), 'empty'),
      binding('dangling', user('dana'), 'ghost'),
      clusterRole('maker', {
        rules: [
          {
            verbs: ['get', 'create', 'update'],
            apiGroups: ['rbac.authorization.k8s.io'],
            resources: ['roles', 'rolebindings', 'clusterroles'],
          },
          { verbs: ['get'], nonResourceURLs: ['/metrics'] },
        ],
      }),
      grant('maker', user('dana')),
      clusterRole('everything', {
        rules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
          { verbs: ['*'], nonResourceURLs: ['*'] },
        ],
      }),
      grant('everything', user('root')),
      clusterRole('kubelets', {
        rules: [
          { verbs: ['impersonate:arbitrary-node'], apiGroups: ['authentication.k8s.io'], resources: ['nodes'] },
          {
            verbs: ['impersonate-on:arbitrary-node:create'],
            apiGroups: ['authentication.k8s.io'],
            resources: ['selfsubjectreviews'],
          },
        ],
      }),
      grant('kubelets', { kind: 'ServiceAccount', name: 'default', namespace: 'default' }),
    ])
      sandbox.objects.create(object, 'test')
  })
  after(() => sandbox.stop())

  const as = (name: string): Record<string, string> => ({ 'impersonate-user': name })

  const questions: readonly { name: string; user: string; resource: JsonObject; status: JsonObject }[] = [
    {
      name: 'a subject without a namespace is of the binding’s',
      user: 'system:serviceaccount:default:default',
      resource: { verb: 'get', resource: 'configmaps', name: 'one', namespace: 'default' },
      status: {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "local/default" of Role "reader" to ServiceAccount "default/default"',
      },
    },
    {
      name: 'a role without rules allows nothing',
      user: 'nemo',
      resource: { verb: 'get', resource: 'pods', namespace: 'default' },
      status: { allowed: false },
    },
    {
      name: 'the reason names a missing role',
      user: 'dana',
      resource: { verb: 'get', resource: 'pods', namespace: 'default' },
      status: { allowed: false, reason: 'RBAC: role.rbac.authorization.k8s.io "ghost" not found' },
    },
  ]
  for (const { name, user: who, resource, status } of questions) {
    it(`says: ${name}`, async () => {
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user: who, resourceAttributes: resource },
      }
      const answer = await sandbox.send('POST', `${REVIEWS}/subjectaccessreviews`, { body })
      expect(answer.body.status).to.deep.equal(status)
    })
  }

  it('lists the rules of a user with their names, and reports what is missing', async () => {
    const ask = async (who: string): Promise<JsonObject> => {
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace: 'default' },
      }
      return (await sandbox.send('POST', `${REVIEWS}/selfsubjectrulesreviews`, { body, headers: as(who) })).body
    }
    expect((await ask('system:serviceaccount:default:default')).status)
      .to.have.property('resourceRules')
      .that.deep.includes({ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'] })
    expect((await ask('dana')).status).to.include({
      evaluationError: 'role.rbac.authorization.k8s.io "ghost" not found',
    })
  })

  const local = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    metadata,
    spec: { user: 'a', ...spec },
  })
  const refused: readonly { name: string; body: JsonObject; status: number; message: RegExp }[] = [
    {
      name: 'labels',
      body: local(
        { resourceAttributes: { verb: 'get', namespace: 'default' } },
        { namespace: 'default', labels: { a: 'b' } },
      ),
      status: 422,
      message: /metadata: Invalid value: .*: must be empty except for namespace$/,
    },
    {
      name: 'a question without a namespace',
      body: local({ resourceAttributes: { verb: 'get' } }, { namespace: 'default' }),
      status: 422,
      message: /spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace$/,
    },
    {
      name: 'no namespace of its own',
      body: local({ resourceAttributes: { verb: 'get', namespace: 'other' } }),
      status: 422,
      message: /spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace$/,
    },
    {
      name: 'questions that are null',
      body: local({ resourceAttributes: null, nonResourceAttributes: null }, { namespace: 'default' }),
      status: 422,
      message: /exactly one of nonResourceAttributes or resourceAttributes must be specified/,
    },
    {
      name: 'neither question',
      body: local({}, { namespace: 'default' }),
      status: 422,
      message: /exactly one of nonResourceAttributes or resourceAttributes must be specified/,
    },
  ]
  for (const { name, body, status, message } of refused) {
    it(`refuses a LocalSubjectAccessReview with ${name}`, async () => {
      const path = `${REVIEWS}/namespaces/default/localsubjectaccessreviews`
      const answer = await sandbox.send('POST', path, { body })
      expect(answer.body.message).to.match(message)
      expect(answer.status).to.equal(status)
    })
  }

  it('reports roles that could not be resolved beside the permissions that are not held', async () => {
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }]
    const body = { metadata: { name: 'more' }, rules }
    const answer = await sandbox.send('POST', ROLES, { body, headers: as('dana') })
    expect(answer.status).to.equal(403)
    expect(answer.body.message).to.equal(
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "dana" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}; resolution errors: [role.rbac.authorization.k8s.io "ghost" not found]',
    )
  })

  it('lets only a user with all permissions make an aggregated role', async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { into: 'sum' } }] }
    const send = (who: string): ReturnType<Sandbox['send']> =>
      sandbox.send('POST', CLUSTER_ROLES, { body: { metadata: { name: 'sum' }, aggregationRule }, headers: as(who) })
    const refusal = await send('dana')
    expect(refusal.status).to.equal(403)
    expect(refusal.body.message).to.match(/must have cluster-admin privileges to use the aggregationRule$/)
    expect((await send('root')).status).to.equal(201)
    const taken = await sandbox.send('PUT', `${CLUSTER_ROLES}/sum`, {
      body: { metadata: { name: 'sum' }, rules: [] },
      headers: as('dana'),
    })
    expect(taken.body.message).to.match(/must have cluster-admin privileges to use the aggregationRule$/)
  })

  it('lets a caller be a node that may be nodes alone', async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const asked = await sandbox.send('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    })
    const { token } = asked.body.status as { token: string }
    const headers = { authorization: `Bearer ${token}`, 'impersonate-user': 'system:node:n1' }
    const answer = await sandbox.send('POST', path, { body, headers })
    expect(answer.body.status).to.deep.equal({
      userInfo: { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    })
  })

  it('asks rules of resources about a path in vain', async () => {
    const spec = {
      user: 'system:serviceaccount:default:default',
      nonResourceAttributes: { verb: 'create', path: '/metrics' },
    }
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
    const rule = { verbs: ['create'], apiGroups: [''], resources: ['pods'] }
    sandbox.objects.create(clusterRole('pods', { rules: [rule] }), 'test')
    sandbox.objects.create(grant('pods', { kind: 'ServiceAccount', name: 'default', namespace: 'default' }), 'test')
    const answer = await sandbox.send('POST', `${REVIEWS}/subjectaccessreviews`, { body })
    expect(answer.body.status).to.deep.equal({ allowed: false })
  })

  it('aggregates through more roles than it goes rounds', async () => {
    const names = [...'abcdefghijklm']
    for (const [index, name] of names.entries()) {
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { chain: String(index + 1) } }] }
      const role = clusterRole(`chain-${name}`, { aggregationRule })
      sandbox.objects.create({ ...role, metadata: { ...role.metadata, labels: { chain: String(index) } } }, 'test')
    }
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]
    const last = clusterRole('chain-z', { rules })
    sandbox.objects.create({ ...last, metadata: { name: 'chain-z', labels: { chain: String(names.length) } } }, 'test')
    await settle()
    const gvk = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' }
    expect(sandbox.objects.get(gvk, { namespace: '', name: 'chain-a' })?.rules).to.deep.equal(rules)
  })

  it('sorts the extras of a user', async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const headers = { ...as('eve'), 'impersonate-extra-b': '1', 'impersonate-extra-a': '2', 'impersonate-extra-c': '3' }
    const answer = await sandbox.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body, headers })
    const { extra } = (answer.body.status as { userInfo: { extra: JsonObject } }).userInfo
    expect(Object.keys(extra)).to.deep.equal(['a', 'b', 'c'])
  })

  it('takes the key of an extra that is badly escaped as it is', async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const headers = { ...as('eve'), 'impersonate-extra-a%zz': 'x' }
    const answer = await sandbox.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body, headers })
    expect(answer.body.status)
      .to.have.nested.property('userInfo.extra')
      .that.deep.equals({ 'a%zz': ['x'] })
  })

  const paths: readonly { path: string; message: RegExp }[] = [
    { path: '/apis', message: /cannot get path "\/apis"/ },
    { path: '/api/v1/watch/pods', message: /cannot watch resource "pods" in API group "" at the cluster scope/ },
    { path: '/api/v1/proxy/nodes/a', message: /cannot proxy resource "nodes" in API group "" at the cluster scope/ },
  ]
  for (const { path, message } of paths) {
    it(`asks for the right to ${path}`, async () => {
      const headers = { authorization: undefined as unknown as string }
      const answer = await sandbox.send('GET', path, { headers })
      expect(answer.body.message).to.match(message)
    })
  }
})
