import { expect } from 'chai'
import { ResourceRegistry } from '../../../../src/sandbox/apiserver/resource-registry.ts'
import { ObjectStore } from '../../../../src/sandbox/apiserver/store/object-store.ts'
import { WatchCursor, type WatchScope } from '../../../../src/sandbox/apiserver/store/watch-cursor.ts'
import { WatchHub } from '../../../../src/sandbox/apiserver/store/watch-hub.ts'
import { configMap } from '../sandbox.ts'

const TABLE = '/configmaps'
const RED: WatchScope = { namespace: undefined, matches: ({ object }) => object.metadata.labels?.color === 'red' }

describe('WatchCursor', () => {
  it('makes comings and goings of what starts or stops to match', () => {
    const store = new ObjectStore()
    const paint = (color: string): void => {
      store.put(TABLE, configMap('a', { metadata: { labels: { color } } }))
    }
    for (const color of ['blue', 'red', 'red', 'blue', 'red']) paint(color)
    const stored = store.get(TABLE, 'default', 'a')
    if (stored) store.remove(stored)
    expect(stepsOf(store, RED)).to.deep.equal([
      'ADDED a red 3',
      'MODIFIED a red 4',
      'DELETED a red 5',
      'ADDED a red 6',
      'DELETED a red 7',
    ])
  })

  it('passes over what never matched, and over other namespaces', () => {
    const store = new ObjectStore()
    const stored = store.put(TABLE, configMap('a'))
    store.put(TABLE, configMap('a', { data: { x: 'y' } }))
    store.remove(stored)
    expect(stepsOf(store, RED)).to.deep.equal([])
    expect(stepsOf(store, { namespace: 'other' })).to.deep.equal([])
    expect(stepsOf(store, { namespace: 'default' })).to.have.length(3)
  })

  it('knows how far it has read, and that it is lost', () => {
    const store = new ObjectStore(2)
    const cursor = new WatchCursor(store.table(TABLE).history, 1, { namespace: undefined })
    expect(cursor.atEnd).to.equal(true)
    store.put(TABLE, configMap('a'))
    expect(cursor.next()?.stored.revision).to.equal(2)
    expect(cursor.revision).to.equal(2)
    for (const name of ['b', 'c', 'd']) store.put(TABLE, configMap(name))
    expect(cursor.isLost).to.equal(true)
    expect(cursor.next()).to.equal(undefined)
  })
})

describe('WatchHub', () => {
  it('wakes the watches of a changed resource once for changes made in one go', async () => {
    const store = new ObjectStore()
    const hub = new WatchHub(store, new ResourceRegistry())
    let maps = 0
    let secrets = 0
    const stop = hub.add(TABLE, () => maps++)
    hub.add('/secrets', () => secrets++)
    store.put(TABLE, configMap('a'))
    store.put(TABLE, configMap('b'))
    await Promise.resolve()
    expect([maps, secrets]).to.deep.equal([1, 0])
    stop()
    store.put(TABLE, configMap('c'))
    await Promise.resolve()
    expect(maps).to.equal(1)
  })
})

function stepsOf(store: ObjectStore, scope: WatchScope): string[] {
  const cursor = new WatchCursor(store.table(TABLE).history, 1, scope)
  const steps: string[] = []
  for (let step = cursor.next(); step; step = cursor.next()) {
    const { name, object } = step.stored
    steps.push(`${step.type} ${name} ${object.metadata.labels?.color} ${object.metadata.resourceVersion}`)
  }
  return steps
}
