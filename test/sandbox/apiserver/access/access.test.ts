import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { Sandbox } from '../sandbox.ts'

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const TOKEN_REQUEST = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } }
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const SELF = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

describe('Access', () => {
  const clock = new FakeClock()
  const sandbox = new Sandbox({ clock })
  before(() => sandbox.start())
  after(() => sandbox.stop())

  const cases: readonly {
    readonly name: string
    readonly path: string
    readonly authorization: string
    readonly status: number
  }[] = [
    { name: 'the token', path: '/api', authorization: 'valid', status: 200 },
    { name: 'another token', path: '/api', authorization: 'Bearer unknown', status: 401 },
    { name: 'a password', path: '/api', authorization: 'Basic YTpi', status: 401 },
    { name: 'no token', path: '/api', authorization: '', status: 403 },
    { name: 'no token, a resource', path: '/api/v1/namespaces/default/pods', authorization: '', status: 403 },
    {
      name: 'no token, a subresource',
      path: '/apis/apps/v1/namespaces/a/deployments/b/scale',
      authorization: '',
      status: 403,
    },
    { name: 'no token, a question of health', path: '/readyz', authorization: '', status: 200 },
    { name: 'no token, the version', path: '/version', authorization: '', status: 200 },
  ]
  for (const { name, path, authorization, status } of cases) {
    it(`answers ${status} to ${name}`, async () => {
      const given = authorization === 'valid' ? {} : { authorization }
      const headers = authorization === '' ? { authorization: undefined as unknown as string } : given
      expect((await sandbox.send('GET', path, { headers })).status).to.equal(status)
    })
  }

  it('says who may not do what', async () => {
    const headers = { authorization: undefined as unknown as string }
    const list = await sandbox.send('GET', '/api/v1/pods', { headers })
    expect(list.body.message).to.equal(
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    )
    const write = await sandbox.send('DELETE', '/apis/apps/v1/namespaces/a/deployments/b', { headers })
    expect(write.body.message).to.equal(
      'deployments.apps "b" is forbidden: User "system:anonymous" cannot delete resource "deployments" in API group "apps" in the namespace "a"',
    )
    const path = await sandbox.send('GET', '/openapi/v3', { headers })
    expect(path.body.message).to.equal('forbidden: User "system:anonymous" cannot get path "/openapi/v3"')
  })

  it('gives tokens to ServiceAccounts, which end with their time and with the account', async () => {
    const created = await sandbox.send('POST', `${ACCOUNTS}/default/token`, { body: TOKEN_REQUEST })
    const { token } = created.body.status as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await sandbox.send('POST', WHO, { body: SELF, headers })
    expect(body.status).to.have.nested.property('userInfo.username', 'system:serviceaccount:default:default')
    await clock.advance(601_000)
    expect((await sandbox.send('GET', '/api', { headers })).status).to.equal(401)

    const second = await sandbox.send('POST', `${ACCOUNTS}/default/token`, { body: TOKEN_REQUEST })
    const later = { authorization: `Bearer ${(second.body.status as { token: string }).token}` }
    expect((await sandbox.send('GET', '/api', { headers: later })).status).to.equal(200)
    await sandbox.send('DELETE', `${ACCOUNTS}/default`)
    expect((await sandbox.send('GET', '/api', { headers: later })).status).to.equal(401)
  })

  it('reviews tokens', async () => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews'
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: sandbox.token } }
    const answer = await sandbox.send('POST', path, { body })
    expect(answer.body.status).to.include({ authenticated: true })
  })

  for (const [kind, plural] of [
    ['SubjectAccessReview', 'subjectaccessreviews'],
    ['SelfSubjectRulesReview', 'selfsubjectrulesreviews'],
  ]) {
    it(`answers a ${kind}`, async () => {
      const spec =
        kind === 'SubjectAccessReview' ? { user: 'a', resourceAttributes: { verb: 'get' } } : { namespace: 'default' }
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: kind ?? '', spec }
      const answer = await sandbox.send('POST', `/apis/authorization.k8s.io/v1/${plural}`, { body })
      expect(answer.status).to.equal(201)
      expect(answer.body.status).to.be.an('object')
    })
  }

  const both = { resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/x', verb: 'get' } }
  const nothing =
    'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified'
  const questions: readonly { group?: string; kind: string; spec?: JsonObject; status: number; message: string }[] = [
    {
      kind: 'SelfSubjectAccessReview',
      spec: both,
      status: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    },
    { kind: 'SelfSubjectAccessReview', status: 422, message: `.authorization.k8s.io "" is invalid: ${nothing}` },
    {
      kind: 'SubjectAccessReview',
      spec: {},
      status: 422,
      message: `.authorization.k8s.io "" is invalid: [${nothing}, spec.user: Invalid value: "": at least one of user or group must be specified]`,
    },
    {
      group: 'authentication.k8s.io',
      kind: 'TokenReview',
      status: 400,
      message: 'token is required for TokenReview in authentication',
    },
  ]
  for (const { group = 'authorization.k8s.io', kind, spec, status, message } of questions) {
    it(`refuses a ${kind} about ${JSON.stringify(spec)} as the real server does`, async () => {
      const body = { apiVersion: `${group}/v1`, kind, ...(spec && { spec }) }
      const answer = await sandbox.send('POST', `/apis/${group}/v1/${kind.toLowerCase()}s`, { body })
      expect(answer.body.message).to.equal(message)
      expect(answer.status).to.equal(status)
    })
  }

  it('reports an unknown token as invalid', async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'nope' } }
    const answer = await sandbox.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body })
    expect(answer.body.status).to.deep.equal({ user: {}, error: 'invalid bearer token' })
  })

  it('refuses what needs a node', async () => {
    for (const subresource of ['attach', 'exec']) {
      const answer = await sandbox.send('GET', `/api/v1/namespaces/default/pods/p/${subresource}`)
      expect(answer.status, subresource).to.equal(501)
    }
  })
})
