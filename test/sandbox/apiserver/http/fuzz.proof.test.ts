import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { configMap, customResourceDefinition, Sandbox } from '../sandbox.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
/** `npm run proof:fuzz` makes many more. */
const RUNS = 1500
/** What the server says on purpose: it has no nodes, and cannot know the future. */
const MEANT = new Set([501, 504])

const word = fc.constantFrom(
  'api',
  'apis',
  'v1',
  'apps',
  'namespaces',
  'default',
  'pods',
  'configmaps',
  'a',
  'status',
  'scale',
  '',
  '..',
  '%2e',
  'watch',
  'openapi',
  'v3',
  'x:y',
  'example.com',
  'widgets',
)
const path = fc.oneof(
  fc.array(word, { maxLength: 8 }).map((words) => `/${words.join('/')}`),
  fc.constantFrom(
    '/api/v1/namespaces/default/configmaps',
    '/api/v1/namespaces/default/configmaps/a',
    '/apis/apps/v1/namespaces/default/deployments',
    '/apis/example.com/v1/namespaces/default/widgets',
    '/apis/example.com/v1/namespaces/default/widgets/a',
    '/apis/example.com/v1/namespaces/default/widgets/a/status',
    '/api/v1/namespaces/default/pods/a/binding',
    CRDS,
  ),
)
const query = fc.array(
  fc.tuple(
    fc.constantFrom(
      'limit',
      'continue',
      'resourceVersion',
      'resourceVersionMatch',
      'labelSelector',
      'fieldSelector',
      'dryRun',
      'fieldManager',
      'force',
      'fieldValidation',
      'propagationPolicy',
      'timeoutSeconds',
    ),
    fc.oneof(
      fc.string(),
      fc.constantFrom('1', '-1', '0', 'All', 'Exact', 'a=b', 'a in (b', 'true', '99999999999999999999'),
    ),
  ),
  { maxLength: 3 },
)
const keys = fc.constantFrom(
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'namespace',
  'labels',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'spec',
  'status',
  'data',
  'constructor',
  'toString',
  'replicas',
  'template',
  'op',
  'path',
  'value',
  'uid',
  'resourceVersion',
  'deletionTimestamp',
  'generateName',
  'versions',
  'schema',
  'a',
)
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('v1', 'ConfigMap', 'a', 'example.com/v1', 'Widget', '/data/a', 'add', 'apps/v1', 'Deployment'),
)
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(keys, tie('body'), { maxKeys: 6 }),
  ),
}))
const text = fc.oneof(
  body.map((value) => JSON.stringify(value)),
  fc.string(),
  body.map((value) => JSON.stringify({ ...configMap('a'), ...(value as object) })),
)
const contentType = fc.constantFrom(
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
  '',
)
const accept = fc.constantFrom(
  '*/*',
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  ';;;',
  'a/b;c',
)
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')

describe('Whatever is sent', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    await sandbox.send('POST', CRDS, { body: customResourceDefinition('widgets', 'Widget') })
  })
  after(() => sandbox.stop())

  it('is answered, and never by an error of the server', async function () {
    this.timeout(60_000)
    const request = fc.record({ method, path, query, text, contentType, accept })
    const property = fc.asyncProperty(request, async (given) => {
      const parameters = new URLSearchParams(given.query)
      const headers = { 'content-type': given.contentType, accept: given.accept }
      const answer = await sandbox.send(given.method, `${given.path}?${parameters}`, {
        ...(given.method !== 'GET' && { body: given.text }),
        headers,
      })
      const isMeant = answer.status < 500 || MEANT.has(answer.status) || isOfTheRealServer(answer.body.message)
      expect(isMeant, `${answer.status} ${answer.text}`).to.equal(true)
    })
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
    expect((await sandbox.send('GET', '/readyz')).text).to.equal('ok')
    expect(Object.keys(Object.prototype)).to.deep.equal([])
  })

  it('is answered when it is nearly an object', async function () {
    this.timeout(60_000)
    const property = fc.asyncProperty(
      fc.constantFrom(...VALID),
      fc.nat(1000),
      body,
      method,
      async (valid, place, junk, verb) => {
        const mutated = replaceAt(valid.object, { left: place % countOf(valid.object) }, junk as JsonValue)
        const url = verb === 'POST' ? valid.path : `${valid.path}/a`
        const headers = { 'content-type': verb === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
        const answer = await sandbox.send(verb, url, { ...(verb !== 'GET' && { body: mutated ?? null }), headers })
        const isMeant = answer.status < 500 || MEANT.has(answer.status) || isOfTheRealServer(answer.body.message)
        expect(isMeant, `${answer.status} ${answer.text}`).to.equal(true)
      },
    )
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
  })

  it('is answered when it is nearly protobuf', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
      const answer = await sandbox.send('POST', '/api/v1/namespaces/default/configmaps', {
        body: Buffer.concat([Buffer.from('k8s\0'), bytes]),
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      })
      expect(answer.status).to.be.below(500)
    })
    await fc.assert(property, { numRuns: 200 })
  })
})

const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
}
const VALID: readonly { readonly path: string; readonly object: JsonValue }[] = [
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: { metadata: { name: 'a' }, spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template } },
  },
  {
    path: '/api/v1/namespaces/default/services',
    object: { metadata: { name: 'a' }, spec: { selector: { a: 'b' }, ports: [{ port: 80, targetPort: 'web' }] } },
  },
  { path: '/api/v1/namespaces/default/pods', object: { ...template, metadata: { name: 'a' } } },
  { path: CRDS, object: customResourceDefinition('things', 'Thing') as JsonValue },
  {
    path: '/apis/example.com/v1/namespaces/default/widgets',
    object: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {
        name: 'a',
        finalizers: ['a/b'],
        managedFields: [{ manager: 'm', operation: 'Apply', fieldsV1: { 'f:a': {} } }],
      },
      spec: { a: [1, { b: null }] },
    },
  },
]

function countOf(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner as JsonValue), 1)
}

/** A value with junk in one of its places. */
function replaceAt(value: JsonValue | undefined, count: { left: number }, junk: JsonValue): JsonValue | undefined {
  if (count.left-- === 0) return junk
  if (Array.isArray(value)) return value.map((item) => replaceAt(item, count, junk) ?? null)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceAt(inner, count, junk)]))
}

/** Where the real server, too, answers 500 to a bad request. */
function isOfTheRealServer(message: unknown): boolean {
  return /resourceVersion should not be set|resourceVersion: Invalid value|'apiVersion' is missing|failed to create typed|target\.name|spec replicas field|failed to (decode|read)/.test(
    String(message),
  )
}
