import { expect } from 'chai'
import type { KubeObject, ObjectMeta } from '../../src/kube/object.ts'
import { Deletion, type DeletionTools, type Departure } from '../../src/reconcile/deletion.ts'
import { ownerOf } from '../../src/reconcile/marks.ts'
import type { Role } from '../../src/role/role.ts'
import { widgetWith } from '../support/widget.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }

/** An object that no garbage collector removes with the widget. */
function child(name: string, metadata: ObjectMeta = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'other', uid: name, ...metadata } }
}

interface Case {
  readonly name: string
  readonly finalizers?: readonly string[]
  readonly children: readonly KubeObject[]
  /** Names of those that are somebody else's, or have gone, when they are looked at again. */
  readonly lost?: readonly string[]
  /** What the server has of them afterwards. */
  readonly left?: readonly KubeObject[]
  readonly told: readonly string[]
  readonly end: string
}

const cases: readonly Case[] = [
  { name: 'with nothing left', children: [], told: [], end: 'done' },
  { name: 'with its objects', children: [child('a'), child('b')], told: ['a', 'b'], end: 'done' },
  {
    name: 'and those that have gone by themselves are not its business',
    children: [child('a'), child('b')],
    lost: ['a'],
    left: [child('a')],
    told: ['b'],
    end: 'done',
  },
  {
    name: 'after its objects, however long these take',
    children: [child('a')],
    left: [child('a', { deletionTimestamp: 'x' })],
    told: ['a'],
    end: 'Secret other/a is being deleted',
  },
  {
    name: 'after those that go already, of which nothing is told again',
    children: [child('a', { deletionTimestamp: 'x' })],
    left: [child('a', { deletionTimestamp: 'x' })],
    told: [],
    end: 'Secret other/a is being deleted',
  },
  {
    name: 'where others have made objects of those names',
    children: [child('a')],
    left: [child('a', { uid: 'new' })],
    told: ['a'],
    end: 'done',
  },
  {
    name: 'and what it retains stays',
    children: [child('a', { annotations: { 'rolebook.dev/retain': 'true' } })],
    left: [child('a')],
    told: [],
    end: 'done',
  },
  {
    name: 'and its objects stay where whoever deletes it wants that',
    finalizers: ['orphan'],
    children: [child('a')],
    left: [child('a')],
    told: [],
    end: 'done',
  },
]

describe('Deletion', () => {
  for (const { name, finalizers = [], children, lost = [], left = [], told, end } of cases) {
    it(`lets a resource go ${name}`, async () => {
      const removed: string[] = []
      const unbound: string[] = []
      const tools = {
        client: {
          get: async (_gvk: unknown, key: { name: string }) => left.find((one) => one.metadata.name === key.name),
        },
        managedObjects: {
          liveInventory: async () => children,
          remove: async ({ metadata }: KubeObject) => !lost.includes(String(metadata.name)),
          outOfReach: async () => undefined,
        },
        patchedObjects: { releaseAll: async () => undefined },
        finalizer: { remove: async ({ uid }: { uid: string }) => void unbound.push(uid) },
      } as unknown as DeletionTools
      const metadata = { deletionTimestamp: 'x', finalizers: ['rolebook.dev/finalizer', ...finalizers] }
      const departure = {
        owner: ownerOf(widgetWith(metadata), WIDGET),
        entry: { role: {} as Role },
        memory: { made: [] },
        signal: new AbortController().signal,
        removed: (object: KubeObject) => void removed.push(String(object.metadata.name)),
      } as unknown as Departure
      const state = await new Deletion(tools).finish(departure)
      expect(state.kind === 'done' ? 'done' : state.blockedBy).to.equal(end)
      expect([removed, unbound]).to.deep.equal([told, end === 'done' ? ['u'] : []])
    })
  }

  it('asks for nothing where only others hold the resource up', async () => {
    const owner = ownerOf(widgetWith({ deletionTimestamp: 'x', finalizers: ['theirs/x'] }), WIDGET)
    // No tool is there to be used.
    const deletion = new Deletion({} as DeletionTools)
    expect(await deletion.finish({ owner } as Departure)).to.deep.equal({ kind: 'done' })
  })
})
