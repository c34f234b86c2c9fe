import { expect } from 'chai'
import fc from 'fast-check'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { type KubeObject, keyOf } from '../../../src/core/kube/object.ts'
import { ObjectCache } from '../../../src/engine/runtime/object-cache.ts'

const object = (namespace: string, name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...(namespace && { namespace }), name, labels },
})
const owners = ({ metadata }: KubeObject): string[] => (metadata.labels?.owner ?? '').split('-').filter(Boolean)

describe('ObjectCache', () => {
  it('finds by key, by namespace and by labels', () => {
    const cache = new ObjectCache()
    const a = object('x', 'a', { app: 'web' })
    const b = object('x', 'b')
    const c = object('y', 'c', { app: 'web' })
    const d = object('', 'd')
    for (const each of [a, b, c, d]) cache.put(each)
    expect(cache.get({ namespace: 'x', name: 'a' })).to.equal(a)
    expect(cache.get({ namespace: '', name: 'd' })).to.equal(d)
    expect(cache.get({ namespace: 'x', name: 'c' })).to.equal(undefined)
    expect(cache.list()).to.have.members([a, b, c, d])
    expect(cache.list({ namespace: '' })).to.have.members([a, b, c, d])
    expect(cache.list({ namespace: 'x' })).to.have.members([a, b])
    expect(cache.list({ namespace: 'nope' })).to.deep.equal([])
    expect(cache.list({ labels: (labels) => labels?.app === 'web' })).to.have.members([a, c])
    expect(cache.size).to.equal(4)
  })

  it('refuses an index that it does not have', () => {
    expect(() => new ObjectCache().byIndex('owner', 'x'))
      .to.throw(CodedError)
      .with.property('code', 'UnknownIndex')
  })

  it('keeps its indexes true, whatever is put and deleted', () => {
    const anyObject = fc
      .tuple(fc.constantFrom('x', 'y', ''), fc.constantFrom('a', 'b'), fc.constantFrom('', '1', '2', '1-2', '1-1'))
      .map(([namespace, name, owner]) => object(namespace, name, { owner }))
    const step = fc.tuple(fc.boolean(), anyObject)
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = new ObjectCache({ indexes: { owner: owners } })
        const model = new Map<string, KubeObject>()
        for (const [isPut, each] of steps) {
          const key = JSON.stringify(keyOf(each))
          const old = isPut ? cache.put(each) : cache.delete(keyOf(each))
          expect(old).to.equal(model.get(key))
          if (isPut) model.set(key, each)
          else model.delete(key)
        }
        const all = [...model.values()]
        expect(cache.size).to.equal(all.length)
        expect(cache.list()).to.have.members(all)
        for (const owner of ['1', '2']) {
          expect(cache.byIndex('owner', owner)).to.have.members(all.filter((each) => owners(each).includes(owner)))
        }
      }),
    )
  })
})
