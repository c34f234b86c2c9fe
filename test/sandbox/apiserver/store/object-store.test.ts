import { expect } from 'chai'
import { ObjectStore } from '../../../../src/sandbox/apiserver/store/object-store.ts'
import type { StoreEvent } from '../../../../src/sandbox/apiserver/store/stored-object.ts'
import { configMap } from '../sandbox.ts'

const TABLE = '/configmaps'

describe('ObjectStore', () => {
  it('counts versions over all resources', () => {
    const store = new ObjectStore()
    store.put(TABLE, configMap('a'))
    store.put('/secrets', configMap('b'))
    const stored = store.put(TABLE, configMap('a', { data: { x: '1' } }))
    expect(stored.revision).to.equal(4)
    expect(stored.object.metadata.resourceVersion).to.equal('4')
    expect(store.revision).to.equal(4)
    expect([...store.resources()]).to.deep.equal([TABLE, '/secrets'])
  })

  it('lists in the order of keys, of one namespace or of all', () => {
    const store = new ObjectStore()
    for (const [namespace, name] of [
      ['b', 'y'],
      ['a-b', 'x'],
      ['a', 'z'],
      ['a', 'c'],
    ]) {
      store.put(TABLE, configMap(name ?? '', { metadata: { namespace: namespace ?? '' } }))
    }
    const names = (namespace?: string): string[] =>
      store
        .table(TABLE)
        .list(namespace)
        .map((each) => `${each.namespace}/${each.name}`)
    expect(names()).to.deep.equal(['a-b/x', 'a/c', 'a/z', 'b/y'])
    expect(names('a')).to.deep.equal(['a/c', 'a/z'])
    expect(names('none')).to.deep.equal([])
    const stored = store.get(TABLE, 'a', 'c')
    if (stored) store.remove(stored)
    expect(names()).to.deep.equal(['a-b/x', 'a/z', 'b/y'])
    expect(store.table(TABLE).size).to.equal(3)
  })

  it('gives the removed state the version of the removal', () => {
    const store = new ObjectStore()
    const stored = store.put(TABLE, configMap('a'))
    const removed = store.remove(stored)
    expect(removed.object.metadata.resourceVersion).to.equal('3')
    expect(store.get(TABLE, 'default', 'a')).to.equal(undefined)
    expect(() => store.remove(stored)).not.to.throw()
  })

  it('notifies listeners in order, also of their own changes', () => {
    const store = new ObjectStore()
    const seen: string[] = []
    store.subscribe(({ current }) => {
      if (current.name === 'first') store.put(TABLE, configMap('second'))
    })
    const stop = store.subscribe((event: StoreEvent) =>
      seen.push(`${event.type} ${event.current.name} ${event.revision}`),
    )
    store.put(TABLE, configMap('first'))
    expect(seen).to.deep.equal(['ADDED first 2', 'ADDED second 3'])
    stop()
    store.put(TABLE, configMap('third'))
    expect(seen).to.have.length(2)
  })
})
