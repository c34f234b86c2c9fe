import { expect } from 'chai'
import type { JsonObject } from '../../../src/base/json.ts'
import type { KubeObject } from '../../../src/kube/object.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { ANYTHING, configMap, customResourceDefinition, Sandbox } from '../sandbox.ts'

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
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
    objects.delete(CRD, { namespace: '', name: 'widgets.example.com' })
    expect(objects.get(CRD, { namespace: '', name: 'widgets.example.com' })).to.equal(undefined)
    expect(() => objects.list(WIDGET)).to.throw(/no matches for kind "Widget"/)
  })

  it('wait for objects that finalizers hold', () => {
    const { objects } = sandbox()
    objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    const held = objects.create(widget('held', { finalizers: ['example.com/hold'] }), 'test')
    objects.delete(CRD, { namespace: '', name: 'widgets.example.com' })
    expect(conditionsOf(objects, 'widgets')).to.include({ Terminating: 'InstanceDeletionInProgress' })
    const live = objects.get(WIDGET, { namespace: 'default', name: 'held' }) ?? held
    const { finalizers: _finalizers, ...metadata } = live.metadata
    objects.update({ ...live, metadata }, 'test')
    expect(objects.get(CRD, { namespace: '', name: 'widgets.example.com' })).to.equal(undefined)
  })

  it('do not get names that are taken, until these are free', () => {
    const { objects } = sandbox()
    objects.create(customResourceDefinition('widgets', 'Widget', { names: { shortNames: ['w'] } }), 'test')
    objects.create(customResourceDefinition('wares', 'Widget', { names: { shortNames: ['w', 'x'] } }), 'test')
    expect(conditionsOf(objects, 'wares')).to.deep.equal({
      NamesAccepted: 'ListKindConflict',
      Established: 'NotAccepted',
    })
    objects.delete(CRD, { namespace: '', name: 'widgets.example.com' })
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
    expect(second).to.include({ apiVersion: 'example.com/v2', size: 7 })
    const live = objects.get(CRD, { namespace: '', name: 'widgets.example.com' }) ?? crd
    objects.update({ ...live, spec: { ...(live.spec as JsonObject), versions: versions(false) } }, 'test')
    expect(() => objects.list({ ...WIDGET, version: 'v2' })).to.throw(/no matches/)
    expect(objects.list(WIDGET)).to.have.length(1)
  })

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

  it('cannot change their scope', () => {
    const { objects } = sandbox()
    const crd = objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    const live = objects.get(CRD, { namespace: '', name: 'widgets.example.com' }) ?? crd
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

function conditionsOf(objects: Sandbox['objects'], plural: string): Record<string, string> {
  const crd = objects.get(CRD, { namespace: '', name: `${plural}.example.com` })
  const { conditions = [] } = (crd?.status ?? {}) as { conditions?: { type: string; reason: string }[] }
  return Object.fromEntries(conditions.map(({ type, reason }) => [type, reason]))
}
