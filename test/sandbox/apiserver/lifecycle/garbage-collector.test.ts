import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ANYTHING, CONFIG_MAP, configMap, customResourceDefinition, Sandbox, settle } from '../sandbox.ts'

describe('GarbageCollector', () => {
  let objects: Sandbox['objects']
  beforeEach(() => {
    objects = new Sandbox({ clock: new FakeClock() }).objects
  })

  const create = (name: string, metadata: JsonObject = {}): KubeObject =>
    objects.create(configMap(name, { metadata }), 'test')
  const exists = (name: string): boolean => objects.get(CONFIG_MAP, { namespace: 'default', name }) !== undefined
  const remove = (name: string, propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'): void =>
    objects.delete(CONFIG_MAP, { namespace: 'default', name }, { propagationPolicy })

  it('deletes what a deleted owner owned, and what that owned', async () => {
    const top = create('top')
    const middle = create('middle', { ownerReferences: [owner(top)] })
    create('bottom', { ownerReferences: [owner(middle)] })
    remove('top')
    expect(exists('middle')).to.equal(true)
    await settle()
    expect([exists('middle'), exists('bottom')]).to.deep.equal([false, false])
  })

  it('deletes what names an owner of another uid, or of another namespace', async () => {
    const there = objects.create(configMap('there', { metadata: { namespace: 'kube-system' } }), 'test')
    const here = create('here')
    create('wrong-uid', { ownerReferences: [{ ...owner(here), uid: 'other' }] })
    create('other-namespace', { ownerReferences: [owner(there)] })
    await settle()
    expect([exists('wrong-uid'), exists('other-namespace')]).to.deep.equal([false, false])
  })

  it('leaves alone what names an owner of a kind that is not served', async () => {
    create('a', { ownerReferences: [{ apiVersion: 'nothing/v1', kind: 'Nothing', name: 'n', uid: 'u' }] })
    await settle()
    expect(exists('a')).to.equal(true)
  })

  it('knows cluster-scoped owners', async () => {
    objects.create(customResourceDefinition('tops', 'Top', { scope: 'Cluster' }), 'test')
    const top = objects.create({ apiVersion: 'example.com/v1', kind: 'Top', metadata: { name: 't' } }, 'test')
    create('child', { ownerReferences: [owner(top)] })
    await settle()
    expect(exists('child')).to.equal(true)
    objects.delete({ group: 'example.com', version: 'v1', kind: 'Top' }, { namespace: '', name: 't' })
    await settle()
    expect(exists('child')).to.equal(false)
  })

  it('drops owners that are gone, and keeps what has another', async () => {
    const [one, two] = [create('one'), create('two')]
    create('child', { ownerReferences: [owner(one), owner(two)] })
    remove('one')
    await settle()
    const child = objects.get(CONFIG_MAP, { namespace: 'default', name: 'child' })
    expect(child?.metadata.ownerReferences?.map(({ name }) => name)).to.deep.equal(['two'])
  })

  it('orphans when asked to', async () => {
    create('child', { ownerReferences: [owner(create('parent'))] })
    remove('parent', 'Orphan')
    expect(exists('parent')).to.equal(true)
    await settle()
    expect(exists('parent')).to.equal(false)
    const child = objects.get(CONFIG_MAP, { namespace: 'default', name: 'child' })
    expect(child?.metadata.ownerReferences).to.equal(undefined)
  })

  it('in the foreground, deletes the deepest first', async () => {
    const deleted: string[] = []
    objects.subscribe(CONFIG_MAP, ({ type, object }) => type === 'DELETED' && deleted.push(object.metadata.name ?? ''))
    const top = create('top')
    const middle = create('middle', { ownerReferences: [{ ...owner(top), blockOwnerDeletion: true }] })
    create('bottom', { ownerReferences: [{ ...owner(middle), blockOwnerDeletion: true }] })
    remove('top', 'Foreground')
    await settle()
    expect(deleted).to.deep.equal(['bottom', 'middle', 'top'])
  })

  it('in the foreground, does not wait for dependents that do not block', async () => {
    create('child', { ownerReferences: [owner(create('top'))], finalizers: ['example.com/hold'] })
    remove('top', 'Foreground')
    await settle()
    expect(exists('top')).to.equal(false)
    expect(objects.get(CONFIG_MAP, { namespace: 'default', name: 'child' })?.metadata.deletionTimestamp).not.to.equal(
      undefined,
    )
  })

  it('in the foreground, goes on when a dependent lets go of its owner', async () => {
    const top = create('top')
    create('child', {
      ownerReferences: [{ ...owner(top), blockOwnerDeletion: true }],
      finalizers: ['example.com/hold'],
    })
    remove('top', 'Foreground')
    await settle()
    expect(exists('top')).to.equal(true)
    const child = objects.get(CONFIG_MAP, { namespace: 'default', name: 'child' }) ?? configMap('child')
    const { ownerReferences: _owners, ...metadata } = child.metadata
    objects.update({ ...child, metadata }, 'test')
    await settle()
    expect([exists('top'), exists('child')]).to.deep.equal([false, true])
  })

  for (const [finalizer, bottom] of [
    ['orphan', true],
    ['foregroundDeletion', false],
  ] as const) {
    it(`heeds the finalizer ${finalizer} on what it deletes`, async () => {
      const middle = create('middle', { ownerReferences: [owner(create('top'))], finalizers: [finalizer] })
      create('bottom', { ownerReferences: [owner(middle)] })
      remove('top')
      await settle()
      expect([exists('middle'), exists('bottom')]).to.deep.equal([false, bottom])
    })
  }

  it('does not look for what is gone before its turn', async () => {
    create('child', { ownerReferences: [{ ...owner(create('parent')), uid: 'other' }] })
    remove('child')
    await settle()
    expect(exists('child')).to.equal(false)
  })

  it('orphans what owns itself', async () => {
    const self = create('self')
    const { name = '', uid = '' } = self.metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }]
    objects.update({ ...self, metadata: { ...self.metadata, ownerReferences } }, 'test')
    remove('self', 'Orphan')
    await settle()
    expect(exists('self')).to.equal(false)
  })

  it('follows what names its owner twice', async () => {
    const parent = create('parent')
    const child = create('child', { ownerReferences: [owner(parent), { ...owner(parent), controller: true }] })
    objects.update({ ...child, data: { changed: 'yes' } }, 'test')
    remove('parent')
    await settle()
    expect(exists('child')).to.equal(false)
  })

  describe('of custom resources', () => {
    const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    const TOP = { group: 'example.com', version: 'v1', kind: 'Top' }
    const KEY = { namespace: 'default', name: 't' }
    let errors: unknown[]

    beforeEach(() => {
      errors = []
      const logger = { ...nopLogger, error: (_message: string, fields: unknown) => errors.push(fields) }
      objects = new Sandbox({ clock: new FakeClock(), logger }).objects
      objects.create(customResourceDefinition('tops', 'Top'), 'test')
      const metadata = { name: 't', namespace: 'default' }
      objects.create({ apiVersion: 'example.com/v1', kind: 'Top', metadata }, 'test')
    })
    const change = (version: JsonObject): void => {
      const crd = objects.get(CRD, { namespace: '', name: 'tops.example.com' })!
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: ANYTHING }, ...version }]
      objects.update({ ...crd, spec: { ...(crd.spec as JsonObject), versions } }, 'test')
    }

    it('leaves alone those that are not served any more', async () => {
      objects.delete(TOP, KEY, { propagationPolicy: 'Orphan' })
      change({ served: false })
      await settle()
      change({ served: true })
      expect([objects.get(TOP, KEY)?.metadata.finalizers, errors]).to.deep.equal([['orphan'], []])
    })

    it('reports the objects that it may not change', async () => {
      objects.delete(TOP, KEY, { propagationPolicy: 'Orphan' })
      change({ schema: { openAPIV3Schema: { ...ANYTHING, required: ['spec'] } } })
      await settle()
      expect(errors).to.have.length(1)
      expect(objects.get(TOP, KEY)?.metadata.finalizers).to.deep.equal(['orphan'])
    })
  })
})

function owner({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid }
}
