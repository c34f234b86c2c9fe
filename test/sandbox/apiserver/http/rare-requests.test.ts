import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { configMap, customResourceDefinition, Sandbox, settle } from '../sandbox.ts'
import { itAnswers, type RequestCase } from './request-case.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/default/pods'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const WATCHED = '/api/v1/watch/namespaces/default/configmaps'
const TOKEN = '/api/v1/namespaces/default/serviceaccounts/default/token'
const STRATEGIC = 'application/strategic-merge-patch+json'
const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { serviceAccountName: 'default', containers: [{ name: 'c', image: 'example.com/x' }], ...spec },
})
const eviction = (name: string, deleteOptions: JsonObject): JsonObject => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  deleteOptions,
})
const boundTo = (boundObjectRef: JsonObject): JsonObject => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec: { boundObjectRef },
})

const cases: readonly RequestCase[] = [
  {
    name: 'a binding to nothing',
    request: `POST ${PODS}/p/binding`,
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' } },
    status: 500,
    says: 'target.name: Required value',
  },
  {
    name: 'the old watch of a subresource',
    request: `GET /api/v1/watch/namespaces/default/pods/p/status`,
    status: 404,
  },
  { name: 'the old watch of what cannot be watched', request: 'GET /api/v1/watch/componentstatuses', status: 404 },
  { name: 'a POST to the old watch', request: `POST ${WATCHED}`, body: configMap('w'), status: 405 },
  {
    name: 'the old watch of one object by the name of another',
    request: `GET ${WATCHED}/a?fieldSelector=metadata.name%3Db`,
    status: 400,
    says: 'match requested name',
  },
  {
    name: 'the old watch of one object by its own name',
    request: `GET ${WATCHED}/a?fieldSelector=metadata.name%3Da&resourceVersion=999999999`,
    status: 504,
    says: 'Too large resource version',
  },
  {
    name: 'a custom resource without kind whose unknown fields are ignored',
    request: `POST ${WIDGETS}?fieldValidation=Ignore`,
    body: { apiVersion: 'example.com/v1', metadata: { name: 'z' } },
    status: 400,
    says: `Widget in version \\"v1\\" cannot be handled as a Widget: Object 'Kind' is missing in`,
  },
  {
    name: 'a list of one custom resource',
    request: `GET ${WIDGETS}/w`,
    accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    status: 406,
    says: 'you requested PartialObjectMetadataList, but the requested object is not a list (*unstructured.Unstructured)',
  },
  {
    name: 'many brackets in a text',
    request: `POST ${MAPS}`,
    body: configMap('brackets', { data: { text: '{['.repeat(1001) } }),
    status: 201,
  },
  {
    name: 'many brackets beside each other',
    request: `POST ${WIDGETS}`,
    body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'lists' }, lists: Array(1001).fill([]) },
    status: 201,
  },
  {
    name: 'a dry run of null',
    request: `DELETE ${MAPS}/a`,
    body: { dryRun: [null] },
    status: 422,
    says: 'dryRun: Unsupported value: [\\"\\"]: supported values',
  },
  {
    name: 'an order of a list that is not there',
    request: `PATCH ${PODS}/p`,
    type: STRATEGIC,
    body: { metadata: { '$setElementOrder/finalizers': ['b.example.com/x', 'a.example.com/x'] } },
    status: 200,
  },
  {
    name: 'an eviction of another pod',
    request: `POST ${PODS}/p/eviction`,
    body: eviction('q', {}),
    status: 400,
    says: 'name in URL does not match name in Eviction object',
  },
  {
    name: 'an eviction of another state of the pod',
    request: `POST ${PODS}/p/eviction`,
    body: eviction('p', { preconditions: { resourceVersion: '1' } }),
    status: 409,
  },
  {
    name: 'a token that is bound to a kind of no version',
    request: `POST ${TOKEN}`,
    body: boundTo({ kind: 'Lease', name: 'x' }),
    status: 400,
    says: 'cannot bind token to object of type /, Kind=Lease',
  },
  {
    name: 'a token of a pod whose node is gone',
    request: `POST ${TOKEN}`,
    body: boundTo({ kind: 'Pod', apiVersion: 'v1', name: 'p' }),
    status: 201,
    says: '"boundObjectRef":{"kind":"Pod"',
  },
  {
    name: 'the names of health checks',
    request: 'GET /livez?verbose',
    status: 200,
    says: '[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n',
  },
  {
    name: 'the names of health checks, when one is left out and one is unknown',
    request: 'GET /livez?verbose&exclude=etcd&exclude=none',
    status: 200,
    says: 'warn: some health checks cannot be excluded: no matches for "none"\nlivez check passed\n',
  },
]

describe('Rare requests', () => {
  const sandbox = new Sandbox({
    intercept: ({ path }) => {
      if (path === '/broken') throw new Error('broken')
      return undefined
    },
  })
  before(async () => {
    await sandbox.start()
    sandbox.objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    await settle()
    sandbox.objects.create(configMap('a'), 'test')
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
    await sandbox.send('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account })
    await sandbox.send('POST', PODS, { body: pod('p', { nodeName: 'gone' }) })
    await sandbox.send('POST', WIDGETS, {
      body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: {} },
    })
  })
  after(() => sandbox.stop())

  itAnswers(sandbox, cases)

  it('an apply with a hostile field', async () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' }
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"__proto__":"x"}}'
    const answer = await sandbox.send('PATCH', `${MAPS}/a?fieldManager=m`, { body, headers })
    expect([answer.status, answer.body.message]).to.deep.equal([400, 'json: a field must not be called __proto__'])
  })

  it('a patch of no media type', async () => {
    const headers = { authorization: `Bearer ${sandbox.token}` }
    const body = new TextEncoder().encode('{}')
    const answer = await fetch(`${sandbox.url}${MAPS}/a`, { method: 'PATCH', headers, body })
    expect(answer.status).to.equal(415)
  })

  it('a patch that copies an object into itself until nothing can walk it', async () => {
    const deepest = (n: number): string => `/spec${'/a'.repeat(2 ** n)}`
    const body = Array.from({ length: 15 }, (_, n) => ({ op: 'copy', from: '/spec', path: deepest(n) }))
    const headers = { 'content-type': 'application/json-patch+json' }
    const answer = await sandbox.send('PATCH', `${WIDGETS}/w`, { body, headers })
    expect([answer.status, answer.body.message]).to.deep.equal([400, 'the request is too complex'])
  })

  it('a request at which the server fails costs only its own connection', async () => {
    const failed = await sandbox.send('GET', '/broken').catch(() => 'no answer')
    expect(failed).to.equal('no answer')
    expect((await sandbox.send('GET', `${MAPS}/a`)).status).to.equal(200)
  })

  it('a warning about a field escapes what cannot be printed of its name', async () => {
    const body = configMap('escaped', { 'x\u007f\u0001\u00a0\u{e0001}ä': 1 })
    const answer = await sandbox.send('POST', `${MAPS}?fieldValidation=Warn`, { body })
    const text = Buffer.from(String(answer.headers.warning), 'latin1').toString()
    expect(text).to.equal('299 - "unknown field \\"x\\\\x7f\\\\x01\\\\u00a0\\\\U000e0001ä\\""')
  })

  it('a warning with a control character is none', async () => {
    const admission = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic'
    const names = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }
    const spec = {
      matchConstraints: { resourceRules: [names] },
      validations: [{ expression: 'false', message: 'a\u007fb' }],
    }
    const metadata = { name: 'warn.example.com' }
    await sandbox.send('POST', `${admission}ies`, { body: { metadata, spec } })
    const binding = { metadata, spec: { policyName: metadata.name, validationActions: ['Warn'] } }
    expect((await sandbox.send('POST', `${admission}ybindings`, { body: binding })).status).to.equal(201)
    const body = { metadata: { name: 'warned' } }
    const answer = await sandbox.send('POST', '/api/v1/namespaces/default/secrets', { body })
    expect([answer.status, answer.headers.warning]).to.deep.equal([201, undefined])
  })
})
