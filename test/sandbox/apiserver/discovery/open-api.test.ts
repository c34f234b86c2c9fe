import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { compareVersions } from '../../../../src/sandbox/apiserver/discovery/compare-versions.ts'
import { long } from '../../../support/long-tests.ts'
import { customResourceDefinition, Sandbox } from '../sandbox.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
type Index = { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> }

describe('OpenAPI documents', () => {
  const sandbox = new Sandbox()
  before(() => sandbox.start())
  after(() => sandbox.stop())

  const index = async (): Promise<Index['paths']> =>
    ((await sandbox.send('GET', '/openapi/v3')).body as unknown as Index).paths

  it('are listed with addresses that work', async () => {
    const paths = await index()
    expect(Object.keys(paths)).to.include.members(['api/v1', 'apis/apps/v1', 'apis/apiextensions.k8s.io/v1'])
    const document = await sandbox.send('GET', paths['apis/apps/v1']?.serverRelativeURL ?? '')
    expect(document.body)
      .to.have.nested.property('components.schemas')
      .that.includes.keys('io.k8s.api.apps.v1.Deployment')
  })

  long.it('are one document for older clients, custom resources included', async () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } }
    const versions = [{ name: 'v1', served: true, storage: true, schema }]
    const crd = customResourceDefinition('olds', 'Old', { group: 'old.io', versions })
    await sandbox.send('POST', CRDS, { body: { ...crd, metadata: { name: 'olds.old.io' } } })
    const { definitions, swagger } = (await sandbox.send('GET', '/openapi/v2')).body as unknown as {
      swagger: string
      definitions: Readonly<Record<string, { properties?: Readonly<Record<string, object>> }>>
    }
    expect(swagger).to.equal('2.0')
    expect(definitions['io.old.v1.Old']).to.have.property('properties')
    expect(definitions['io.k8s.api.apps.v1.Deployment']?.properties?.spec).to.deep.include({
      $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentSpec',
    })
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const protobuf = await sandbox.send('GET', '/openapi/v2', { headers: { accept } })
    expect(protobuf.text).to.include('io.old.v1.Old')
  })

  it('show older clients what a real kube-apiserver 1.36 shows them of custom resources', async () => {
    const path = new URL('recorded-swagger.generated.json', import.meta.url)
    const recorded: { crds: JsonObject[]; definitions: JsonObject } = JSON.parse(readFileSync(path, 'utf8'))
    const fresh = new Sandbox()
    await fresh.start()
    for (const body of recorded.crds) {
      const created = await fresh.send('POST', CRDS, { body })
      expect(created.status, created.text).to.equal(201)
    }
    const { body } = await fresh.send('GET', '/openapi/v2')
    await fresh.stop()
    for (const [name, definition] of Object.entries(recorded.definitions)) {
      expect((body.definitions as JsonObject)[name]).to.deep.equal(definition)
    }
  })

  it('describe custom resources, and change their address with them', async () => {
    const crd = customResourceDefinition('widgets', 'Widget')
    await sandbox.send('POST', CRDS, { body: crd })
    const before = (await index())['apis/example.com/v1']?.serverRelativeURL
    const document = await sandbox.send('GET', before ?? '')
    expect(Object.keys(document.body.paths ?? {})).to.deep.equal([
      '/apis/example.com/v1/namespaces/{namespace}/widgets',
      '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}',
      '/apis/example.com/v1/widgets',
    ])
    expect(document.text).to.include(
      '"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Widget"}]',
    )
    expect(document.text).not.to.match(/ResourceQuota|resourcequotas|strategic-merge|protobuf/)
    const patch = [
      { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties', value: { a: { type: 'string' } } },
    ]
    const headers = { 'content-type': 'application/json-patch+json' }
    await sandbox.send('PATCH', `${CRDS}/widgets.example.com`, { body: patch, headers })
    expect((await index())['apis/example.com/v1']?.serverRelativeURL).not.to.equal(before)
  })

  it('describe cluster-scoped custom resources', async () => {
    await sandbox.send('POST', CRDS, {
      body: customResourceDefinition('tops', 'Top', { scope: 'Cluster', group: 'top.io' }),
    })
    await sandbox.send('POST', CRDS, {
      body: {
        ...customResourceDefinition('tops', 'Top', { scope: 'Cluster', group: 'top.io' }),
        metadata: { name: 'tops.top.io' },
      },
    })
    const document = await sandbox.send('GET', '/openapi/v3/apis/top.io/v1')
    expect(Object.keys(document.body.paths ?? {})).to.deep.equal([
      '/apis/top.io/v1/tops',
      '/apis/top.io/v1/tops/{name}',
    ])
  })

  for (const path of ['/openapi/v3/apis/nothing/v1', '/openapi/v1', '/openapi/v2/more', '/openapi']) {
    it(`${path} is not there`, async () => expect((await sandbox.send('GET', path)).status).to.equal(404))
  }
})

describe('Resource lists', () => {
  it('are sorted by name, whatever was there first', async () => {
    const sandbox = new Sandbox()
    await sandbox.start()
    for (const [plural, kind] of Object.entries({ middles: 'Middle', zebras: 'Zebra', ants: 'Ant' })) {
      sandbox.objects.create(customResourceDefinition(plural, kind), 'test')
    }
    const { resources } = (await sandbox.send('GET', '/apis/example.com/v1')).body as { resources?: { name: string }[] }
    await sandbox.stop()
    expect(resources?.map(({ name }) => name)).to.deep.equal(['ants', 'middles', 'zebras'])
  })
})

describe('Versions', () => {
  it('are preferred as the real server prefers them', () => {
    const versions = ['foo1', 'v1alpha1', 'v2beta1', 'v1', 'v10', 'v2', 'v2beta2', 'v1alpha2', 'foo10', 'bar']
    expect([...versions].sort(compareVersions)).to.deep.equal([
      'v10',
      'v2',
      'v1',
      'v2beta2',
      'v2beta1',
      'v1alpha2',
      'v1alpha1',
      'bar',
      'foo1',
      'foo10',
    ])
  })
})
