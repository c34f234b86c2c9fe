import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ANYTHING, CONFIG_MAP, configMap, customResourceDefinition, Sandbox } from '../sandbox.ts'

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const WIDGETS = { namespace: '', name: 'widgets.example.com' }
const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }

describe('Custom resource definitions', () => {
  it('are served as soon as they are created, and no longer when they are gone', () => {
    const { objects } = sandbox()
    objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    objects.create(widget('a'), 'test')
    expect(conditionsOf(objects, 'widgets')).to.deep.equal({
      NamesAccepted: 'NoConflicts',
      Established: 'InitialNamesAccepted',
    })
    objects.delete(CRD, WIDGETS)
    expect(objects.get(CRD, WIDGETS)).to.equal(undefined)
    expect(() => objects.list(WIDGET)).to.throw(/no matches for kind "Widget"/)
  })

  it('wait for objects that finalizers hold', () => {
    const { objects } = sandbox()
    objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    const held = objects.create(widget('held', { finalizers: ['example.com/hold'] }), 'test')
    objects.delete(CRD, WIDGETS)
    expect(conditionsOf(objects, 'widgets')).to.include({ Terminating: 'InstanceDeletionInProgress' })
    const live = objects.get(WIDGET, { namespace: 'default', name: 'held' }) ?? held
    const { finalizers: _finalizers, ...metadata } = live.metadata
    objects.update({ ...live, metadata }, 'test')
    expect(objects.get(CRD, WIDGETS)).to.equal(undefined)
  })

  it('do not get names that are taken, until these are free', () => {
    const { objects } = sandbox()
    objects.create(customResourceDefinition('widgets', 'Widget', { names: { shortNames: ['w'] } }), 'test')
    objects.create(customResourceDefinition('wares', 'Widget', { names: { shortNames: ['w', 'x'] } }), 'test')
    expect(conditionsOf(objects, 'wares')).to.deep.equal({
      NamesAccepted: 'ListKindConflict',
      Established: 'NotAccepted',
    })
    objects.delete(CRD, WIDGETS)
    expect(conditionsOf(objects, 'wares')).to.deep.equal({
      NamesAccepted: 'NoConflicts',
      Established: 'InitialNamesAccepted',
    })
  })

  it('show one object in all their versions, and follow changes', () => {
    const { objects } = sandbox()
    const schema = (properties: JsonObject): JsonObject => ({ openAPIV3Schema: { ...ANYTHING, properties } })
    const versions = (served: boolean): JsonObject[] => [
      { name: 'v1', served: true, storage: true, schema: schema({}) },
      { name: 'v2', served, storage: false, schema: schema({ size: { type: 'integer', default: 7 } }) },
    ]
    const crd = objects.create(customResourceDefinition('widgets', 'Widget', { versions: versions(true) }), 'test')
    objects.create(widget('a'), 'test')
    const second = objects.get({ ...WIDGET, version: 'v2' }, { namespace: 'default', name: 'a' })
    expect(second).to.include({ apiVersion: 'example.com/v2' })
    expect(second, 'a default of another version than the stored one').not.to.have.property('size')
    const live = objects.get(CRD, WIDGETS) ?? crd
    objects.update({ ...live, spec: { ...(live.spec as JsonObject), versions: versions(false) } }, 'test')
    expect(() => objects.list({ ...WIDGET, version: 'v2' })).to.throw(/no matches/)
    expect(objects.list(WIDGET)).to.have.length(1)
  })

  it('show one object in all their versions also to the server itself, which asks no webhook', () => {
    const { objects } = sandbox()
    const versions = [version('v1', { storage: true }), version('v2', {})]
    const clientConfig = { url: 'https://127.0.0.1:1/convert' }
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
    objects.create(customResourceDefinition('widgets', 'Widget', { versions, conversion }), 'test')
    objects.create({ ...widget('a'), spec: { size: 1 } }, 'test')
    const second = (): KubeObject | undefined =>
      objects.get({ ...WIDGET, version: 'v2' }, { namespace: 'default', name: 'a' })
    expect(second()).to.deep.include({ apiVersion: 'example.com/v2', spec: { size: 1 } })
    objects.update({ ...(second() ?? widget('a')), spec: { size: 2 } } as KubeObject, 'test')
    expect(objects.list(WIDGET)[0]).to.deep.include({ apiVersion: 'example.com/v1', spec: { size: 2 } })
  })

  it('follow their names', () => {
    const { objects } = sandbox()
    const crd = objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    const live = objects.get(CRD, WIDGETS) ?? crd
    const { names } = live.spec as { names: JsonObject }
    objects.update({ ...live, spec: { ...(live.spec as JsonObject), names: { ...names, shortNames: ['w'] } } }, 'test')
    expect(statusOf(objects, 'widgets').acceptedNames).to.deep.include({ shortNames: ['w'] })
    expect(conditionsOf(objects, 'widgets')).to.include({ Established: 'InitialNamesAccepted' })
  })

  it('report all short names that are taken', () => {
    const { objects } = sandbox()
    objects.create(customResourceDefinition('widgets', 'Widget', { names: { shortNames: ['w', 'x'] } }), 'test')
    objects.create(customResourceDefinition('wares', 'Ware', { names: { shortNames: ['w', 'x', 'y'] } }), 'test')
    const { conditions = [] } = statusOf(objects, 'wares') as { conditions?: JsonObject[] }
    expect(conditions[0]?.message).to.equal('["w" is already in use, "x" is already in use]')
    objects.delete(CRD, { namespace: '', name: 'wares.example.com' })
    expect(objects.list(CRD)).to.have.length(1)
  })

  it('leave with their objects also when no version is served any more', () => {
    const { objects } = sandbox()
    const crd = objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    objects.create(widget('a'), 'test')
    const live = objects.get(CRD, WIDGETS) ?? crd
    const versions = [version('v1', { storage: true, served: false })]
    objects.update({ ...live, spec: { ...(live.spec as JsonObject), versions } }, 'test')
    objects.delete(CRD, WIDGETS)
    expect(objects.get(CRD, WIDGETS)).to.equal(undefined)
  })

  it('stay while the finalizer of another controller holds them', () => {
    const { objects } = sandbox()
    const crd = customResourceDefinition('widgets', 'Widget')
    const finalizers = ['example.com/hold', 'customresourcecleanup.apiextensions.k8s.io']
    const held = objects.create({ ...crd, metadata: { ...crd.metadata, finalizers } }, 'test')
    objects.delete(CRD, WIDGETS)
    const live = objects.get(CRD, WIDGETS) ?? held
    expect(live.metadata.finalizers).to.deep.equal(['example.com/hold'])
    const { finalizers: _finalizers, ...metadata } = live.metadata
    objects.update({ ...live, metadata }, 'test')
    expect(objects.get(CRD, WIDGETS)).to.equal(undefined)
  })

  it('are followed to the newest of changes that were made at once', () => {
    const { objects } = sandbox()
    const stop = objects.subscribe(CONFIG_MAP, () => {
      stop()
      const crd = objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
      objects.update({ ...crd, metadata: { ...crd.metadata, labels: { a: 'b' } } }, 'test')
      objects.create(customResourceDefinition('wares', 'Ware'), 'test')
      const key = { namespace: '', name: 'wares.example.com' }
      objects.delete(CRD, key)
    })
    objects.create(configMap('starts-it'), 'test')
    expect(conditionsOf(objects, 'widgets')).to.include({ Established: 'InitialNamesAccepted' })
    expect(objects.list(CRD)).to.have.length(1)
  })

  const warnings: readonly { name: string; versions: readonly JsonObject[]; text: string }[] = [
    { name: 'nothing better', versions: [], text: 'example.com/v1 Widget is deprecated' },
    {
      name: 'a better version',
      versions: [version('v2', {}), version('v3', {}), version('v4', { deprecated: true })],
      text: 'example.com/v1 Widget is deprecated; use example.com/v3 Widget',
    },
    { name: 'words of its own', versions: [], text: 'leave it' },
  ]
  for (const { name, versions, text } of warnings) {
    it(`warn about a deprecated version: ${name}`, async () => {
      const server = sandbox()
      await server.start()
      const own = name.includes('words') ? { deprecationWarning: text } : {}
      const all = [version('v1', { storage: true, deprecated: true, ...own }), ...versions]
      server.objects.create(customResourceDefinition('widgets', 'Widget', { versions: all }), 'test')
      const { headers } = await server.send('GET', '/apis/example.com/v1/widgets')
      await server.stop()
      expect(headers.warning).to.equal(`299 - "${text}"`)
    })
  }

  const refused: Readonly<Record<string, JsonObject>> = {
    'a name that is not plural and group': { names: { plural: 'other' } },
    'two stored versions': { versions: ['v1', 'v2'].map((name) => version(name, { storage: true })) },
    'no stored version': { versions: [version('v1', { storage: false })] },
    'one version twice': { versions: [version('v1', { storage: true }), version('v1', { storage: false })] },
    'a version without schema': { versions: [{ name: 'v1', served: true, storage: true }] },
  }
  for (const [name, spec] of Object.entries(refused)) {
    it(`are refused with ${name}`, () => {
      expect(() => sandbox().objects.create(customResourceDefinition('widgets', 'Widget', spec), 'test')).to.throw(
        /is invalid/,
      )
    })
  }

  const approvals: Readonly<Record<string, readonly [annotation: string, reason: string, message: string]>> = {
    'its approval': ['https://example.com/yes', 'ApprovedAnnotation', 'approved in https://example.com/yes'],
    'that there is none': ['unapproved, a trial', 'UnapprovedAnnotation', 'not approved: "unapproved, a trial"'],
    'nothing any more': [
      '',
      'MissingAnnotation',
      'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
    'something else': [
      'perhaps',
      'InvalidAnnotation',
      'protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  }
  for (const [name, [annotation, reason, message]] of Object.entries(approvals)) {
    it(`of a group of Kubernetes itself report that their annotation says ${name}`, () => {
      const { objects } = sandbox()
      const annotations = (text: string): Record<string, string> => ({ 'api-approved.kubernetes.io': text })
      const crd = customResourceDefinition('widgets', 'Widget', { group: 'trial.k8s.io' })
      const key = { namespace: '', name: 'widgets.trial.k8s.io' }
      const metadata = { name: key.name, annotations: annotations('https://example.com/first') }
      const created = objects.create({ ...crd, metadata }, 'test')
      const live = objects.get(CRD, key) ?? created
      // The endpoint of the status does not judge the approval.
      const changed = { ...live.metadata, annotations: annotations(annotation) }
      objects.update({ ...live, metadata: changed }, 'test', 'status')
      const { status } = objects.get(CRD, key) ?? live
      const found = (status as { conditions: JsonObject[] }).conditions.find(
        ({ type }) => type === 'KubernetesAPIApprovalPolicyConformant',
      )
      expect(found).to.include({ reason, message })
    })
  }

  it('cannot change their scope', () => {
    const { objects } = sandbox()
    const crd = objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    const live = objects.get(CRD, WIDGETS) ?? crd
    const moved = { ...live, spec: { ...(live.spec as JsonObject), scope: 'Cluster' } }
    expect(() => objects.update(moved, 'test')).to.throw(/spec.scope: Invalid value: "Cluster": field is immutable/)
  })
})

function sandbox(): Sandbox {
  const server = new Sandbox({ clock: new FakeClock() })
  server.objects.create(configMap('unrelated'), 'test')
  return server
}

function widget(name: string, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', ...metadata },
  } as KubeObject
}

function version(name: string, more: JsonObject): JsonObject {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: ANYTHING }, ...more }
}

function statusOf(objects: Sandbox['objects'], plural: string): JsonObject {
  return objects.get(CRD, { namespace: '', name: `${plural}.example.com` })?.status as JsonObject
}

function conditionsOf(objects: Sandbox['objects'], plural: string): Record<string, string> {
  const { conditions = [] } = statusOf(objects, plural) as { conditions?: { type: string; reason: string }[] }
  return Object.fromEntries(conditions.map(({ type, reason }) => [type, reason]))
}
