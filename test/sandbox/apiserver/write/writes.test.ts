import { expect } from 'chai'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import { configMap, customResourceDefinition, type HttpAnswer, Sandbox, settle } from '../sandbox.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const MERGE = { 'content-type': 'application/merge-patch+json' }
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'example.com/x' }] } }
const widget = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  ...more,
})
const scale = (name: string, more: JsonObject): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  ...more,
})

/** What is expected here is what a real kube-apiserver 1.36 answers. */
describe('Writes over HTTP', () => {
  const sandbox = new Sandbox()
  const post = (path: string, body: JsonValue): Promise<HttpAnswer> => sandbox.send('POST', path, { body })
  const put = (path: string, body: JsonValue): Promise<HttpAnswer> => sandbox.send('PUT', path, { body })

  before(async () => {
    await sandbox.start()
    const scalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const version = (more: JsonObject): JsonObject => ({
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      ...more,
    })
    const withSelector = { ...scalePaths, labelSelectorPath: '.status.selector' }
    for (const crd of [
      customResourceDefinition('widgets', 'Widget', { versions: [version({ subresources: { scale: withSelector } })] }),
      customResourceDefinition('gadgets', 'Gadget', { versions: [version({ subresources: { scale: scalePaths } })] }),
    ]) {
      sandbox.objects.create(crd, 'test')
    }
    await settle()
    sandbox.objects.create(configMap('a'), 'test')
  })
  after(() => sandbox.stop())

  const owners: Readonly<Record<string, readonly [change: JsonObject, says: string]>> = {
    'without a version': [{ apiVersion: 'a/' }, 'ownerReferences.apiVersion: Invalid value: "a/": version must not'],
    'of no version': [{ apiVersion: 'a/b/c' }, 'Invalid value: "a/b/c": version must not be empty'],
    'without a kind': [{ kind: '' }, 'metadata.ownerReferences.kind: Invalid value: "": must not be empty'],
    'without a name': [{ name: '' }, 'metadata.ownerReferences.name: Invalid value: "": must not be empty'],
    'that are Events': [{ kind: 'Event' }, '/v1, Kind=Event is disallowed from being an owner'],
  }
  for (const [name, [change, says]] of Object.entries(owners)) {
    it(`have no owners ${name}`, async () => {
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u', ...change }]
      const answer = await post(MAPS, { metadata: { name: 'o', ownerReferences } })
      expect(answer.status).to.equal(422)
      expect(answer.body.message).to.include(says)
    })
  }

  const versions: readonly (readonly [name: string, path: string, metadata: JsonObject, status: number])[] = [
    ['that are set', MAPS, { name: 'version-1', resourceVersion: '1' }, 500],
    ['that are set, also for a name in use', MAPS, { name: 'a', resourceVersion: '1' }, 500],
    ['of invalid objects', MAPS, { name: 'A', resourceVersion: '1' }, 422],
    ['in dry runs', `${MAPS}?dryRun=All`, { name: 'version-2', resourceVersion: '1' }, 201],
    ['in dry runs for a name in use', `${MAPS}?dryRun=All`, { name: 'a', resourceVersion: '1' }, 409],
    ['that are 0', MAPS, { name: 'version-3', resourceVersion: '0' }, 201],
    ['that are no number', MAPS, { name: 'version-4', resourceVersion: 'x' }, 201],
    ['beyond 64 bits', MAPS, { name: 'version-5', resourceVersion: `${2n ** 64n}` }, 201],
  ]
  for (const [name, path, metadata, status] of versions) {
    it(`of new objects answer versions ${name} with ${status}`, async () => {
      const answer = await post(path, { metadata })
      expect(answer.status, answer.text).to.equal(status)
    })
  }

  const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }
  const entries: Readonly<Record<string, readonly [entry: JsonObject, managers: readonly string[]]>> = {
    'of an unknown operation': [{ ...entry, operation: 'Foo' }, []],
    'of an unknown format': [{ ...entry, fieldsType: 'Other' }, []],
    'without a format': [{ ...entry, fieldsType: '' }, []],
    'whose fields are no object': [{ ...entry, fieldsV1: 'x' }, []],
    'that own what is written': [{ ...entry, fieldsV1: { 'f:data': { 'f:a': {} } } }, ['undici']],
  }
  for (const [name, [sent, managers]] of Object.entries(entries)) {
    it(`take managers ${name} for what the real server takes them`, async () => {
      const body = { metadata: { name: 'a', managedFields: [sent] }, data: { a: 'b', c: 'd' } }
      const headers = { 'user-agent': 'undici' }
      const answer = await sandbox.send('PUT', `${MAPS}/a?dryRun=All`, { body, headers })
      expect(answer.status, answer.text).to.equal(200)
      const found = isJsonObject(answer.body.metadata) ? answer.body.metadata.managedFields : undefined
      expect(((found ?? []) as JsonObject[]).map(({ manager }) => manager)).to.deep.equal(managers)
    })
  }

  it('drop the namespace of what has none', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const answer = await post(roles, { metadata: { name: 'no-namespace', namespace: 'x' } })
    expect(answer.status).to.equal(201)
    expect(answer.body.metadata).not.to.have.property('namespace')
  })

  it('name what they would have made in a namespace that ends', async () => {
    await post('/api/v1/namespaces', { metadata: { name: 'ending' } })
    const spec = { finalizers: ['kubernetes', 'x/y'] }
    const finalize = { metadata: { name: 'ending', labels: { a: 'b' } }, spec }
    const kept = await put('/api/v1/namespaces/ending/finalize', finalize)
    expect(kept.body).to.have.nested.property('metadata.labels.a', 'b')
    expect(kept.body.spec).to.deep.equal(spec)
    expect(kept.body.status).to.deep.equal({ phase: 'Active' })
    await sandbox.send('DELETE', '/api/v1/namespaces/ending')
    const maps = '/api/v1/namespaces/ending/configmaps'
    for (const [metadata, name] of [
      [{ generateName: 'gen-' }, 'gen-'],
      [{}, 'Unknown'],
    ] as const) {
      const answer = await post(maps, { metadata })
      expect(answer.status).to.equal(403)
      expect(answer.body.message).to.include(`configmaps "${name}" is forbidden`)
    }
  })

  it('to the status leave the spec, and take labels', async () => {
    const path = '/apis/networking.k8s.io/v1/servicecidrs'
    const cidr = { metadata: { name: 'c' }, spec: { cidrs: ['10.97.0.0/16'] } }
    const created = await post(path, cidr)
    expect(created.status, created.text).to.equal(201)
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]
    const changed = {
      metadata: { name: 'c', labels: { a: 'b' } },
      spec: { cidrs: ['10.98.0.0/16'] },
      status: { conditions },
    }
    const { body, status } = await put(`${path}/c/status`, changed)
    expect(status).to.equal(200)
    expect(body.spec).to.deep.equal({ cidrs: ['10.97.0.0/16'] })
    expect(body.metadata).to.have.property('labels').that.deep.equals({ a: 'b' })
    expect(body.status).to.have.nested.property('conditions[0].type', 'Ready')
  })

  it('mean the object with the uid that they name', async () => {
    await post(WIDGETS, widget('w'))
    const answer = await put(`${WIDGETS}/w`, widget('w', { metadata: { name: 'w', uid: 'other' } }))
    expect(answer.status).to.equal(409)
    expect(answer.body.message).to.include('Key: /registry/example.com/widgets/default/w,')
  })

  it('keep the kind of a custom resource', async () => {
    const answer = await sandbox.send('PATCH', `${WIDGETS}/w`, { body: { kind: 'Other' }, headers: MERGE })
    expect(answer.status).to.equal(422)
    expect(answer.body.message).to.include('kind: Invalid value: "Other": must be Widget')
  })

  describe('to the scale', () => {
    const scales: Readonly<
      Record<string, readonly [path: string, object: JsonObject, spec: JsonObject, status: JsonObject]>
    > = {
      'of a custom resource': [
        WIDGETS,
        widget('s1', { spec: { replicas: 2 }, status: { replicas: 1, selector: 'x=y' } }),
        { replicas: 2 },
        { replicas: 1, selector: 'x=y' },
      ],
      'of one without status': [WIDGETS, widget('s2', { spec: { replicas: 2 } }), { replicas: 2 }, { replicas: 0 }],
      'of one without selectors': [
        WIDGETS.replace('widgets', 'gadgets'),
        widget('s3', { kind: 'Gadget', spec: { replicas: 2 } }),
        { replicas: 2 },
        { replicas: 0 },
      ],
      'of a kind whose selector is a map of labels': [
        '/api/v1/namespaces/default/replicationcontrollers',
        { metadata: { name: 'rc' }, spec: { replicas: 0, selector: { app: 'x' }, template } },
        {},
        { replicas: 0, selector: 'app=x' },
      ],
      'of a kind whose selector has expressions': [
        '/apis/apps/v1/namespaces/default/deployments',
        {
          metadata: { name: 'd' },
          spec: {
            replicas: 0,
            selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x', 'y'] }] },
            template,
          },
        },
        {},
        { replicas: 0, selector: 'app in (x,y)' },
      ],
    }
    for (const [name, [path, object, spec, status]] of Object.entries(scales)) {
      it(`${name} show what it is`, async () => {
        expect((await post(path, object)).status).to.equal(201)
        const { body } = await sandbox.send('GET', `${path}/${(object.metadata as JsonObject).name}/scale`)
        expect(body.spec).to.deep.equal(spec)
        expect(body.status).to.deep.equal(status)
      })
    }

    it('give replicas to what has none', async () => {
      await post(WIDGETS, widget('bare'))
      const answer = await put(`${WIDGETS}/bare/scale`, scale('bare', { spec: { replicas: 4 } }))
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.body.spec).to.deep.equal({ replicas: 4 })
      expect((await sandbox.send('GET', `${WIDGETS}/bare`)).body.spec).to.deep.equal({ replicas: 4 })
    })

    it('without a spec mean none', async () => {
      const answer = await put(`${WIDGETS}/bare/scale`, scale('bare', {}))
      expect(answer.status, answer.text).to.equal(200)
      expect((await sandbox.send('GET', `${WIDGETS}/bare`)).body.spec).to.deep.equal({ replicas: 0 })
    })

    it('of another uid are refused', async () => {
      const body = scale('d', { metadata: { name: 'd', uid: 'other' } })
      const answer = await put('/apis/apps/v1/namespaces/default/deployments/d/scale', body)
      expect(answer.status).to.equal(409)
      expect(answer.body.message).to.include('on deployments.apps "d": StorageError')
    })
  })
})
