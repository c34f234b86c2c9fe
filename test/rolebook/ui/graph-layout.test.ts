import { expect } from 'chai'
import { layoutOf } from '../../../src/rolebook/ui/graph-layout.ts'
import type { ObjectNode, OwnedNode, OwnedObjects, TaskNode } from '../../../src/rolebook/ui/model.ts'

function task(id: string, objects: readonly string[] = [], within?: string): TaskNode {
  return { id, name: id, kind: 'ensure', state: 'unchanged', why: [], objects, ...(within !== undefined && { within }) }
}

function configMap(name: string): ObjectNode {
  const head = { group: '', kind: 'ConfigMap', namespace: 'default', name, uid: name }
  return { ...head, health: 'ready', message: '', created: '', finalizers: [] }
}

const edge = (from: string, to: string) => ({ from, to, reason: 'reads $x', optional: false })

describe('the layout of a graph', () => {
  const graph = {
    tasks: [task('a', ['ConfigMap default/x', 'ConfigMap default/y']), task('b'), task('c'), task('d', [], 'c')],
    edges: [edge('a', 'c'), edge('b', 'c')],
    objects: ['x', 'y', 'alone'].map(configMap),
  }
  const { nodes, edges, columns, lines } = layoutOf(graph)
  const placeOf = (title: string): string => {
    const node = nodes.find((one) => one.title === title)
    return `${node?.column}/${node?.line}`
  }
  const cases = [
    { title: 'a', at: '0/0', reason: 'it comes first' },
    { title: 'x', at: '3/0', reason: 'what a task made stands on its line' },
    { title: 'y', at: '3/1', reason: 'further objects follow' },
    { title: 'b', at: '0/2', reason: 'it waits for nothing' },
    { title: 'c', at: '1/3', reason: 'it comes after a and b' },
    { title: 'd', at: '2/4', reason: 'it stands in c' },
    { title: 'alone', at: '3/2', reason: 'no task names it, and there is room' },
  ]
  for (const { title, at, reason } of cases)
    it(`has ${title} at ${at}: ${reason}`, () => expect(placeOf(title)).to.equal(at))

  it('joins tasks in their order, and tasks with what they made', () => {
    expect(edges.map(({ from, to }) => `${from.title}-${to.title}`)).to.deep.equal(['a-c', 'b-c', 'a-x', 'a-y'])
    expect([columns, lines]).to.deep.equal([4, 5])
  })
})

describe('the layout of objects', () => {
  it('leaves out what a task has made and is gone', () => {
    const { nodes, edges, lines } = layoutOf({ tasks: [task('a', ['ConfigMap default/x'])], edges: [], objects: [] })
    expect(nodes.map(({ title }) => title)).to.deep.equal(['a'])
    expect(edges).to.deep.equal([])
    expect(lines).to.equal(1)
  })

  it('joins a task with an object in no namespace', () => {
    const object: ObjectNode = { ...configMap('team-a'), kind: 'Namespace', namespace: '' }
    const { edges } = layoutOf({ tasks: [task('a', ['Namespace team-a'])], edges: [], objects: [object] })
    expect(edges.map(({ from, to }) => `${from.title}-${to.title}`)).to.deep.equal(['a-team-a'])
  })
})

describe('the layout of what objects own', () => {
  const owned = (nodes: readonly OwnedNode[], more = 0): OwnedObjects => ({ nodes, more, moreUnready: 0 })
  const pod = (name: string, inner = owned([])): OwnedNode => {
    return {
      uid: name,
      kind: 'Pod',
      namespace: '',
      name,
      health: 'ready',
      message: '',
      status: 'Running 1/1',
      owned: inner,
    }
  }
  const withOwned = (name: string, of: OwnedObjects): ObjectNode => ({ ...configMap(name), owned: of })
  const graph = {
    tasks: [task('a', ['ConfigMap default/x', 'ConfigMap default/y']), task('b')],
    edges: [],
    objects: [
      withOwned('x', owned([pod('set', owned([pod('p'), pod('q')], 12))])),
      withOwned('y', owned([])),
      withOwned('alone', owned([pod('r'), pod('s')])),
    ],
  }
  const { nodes, edges, columns, lines } = layoutOf(graph)
  const cases = [
    { title: 'x', at: '1/0', reason: 'its task made it' },
    { title: 'set', at: '2/0', reason: 'it stands behind its owner' },
    { title: 'p', at: '3/0', reason: 'the first one stands on the line of its owner' },
    { title: 'q', at: '3/1', reason: 'the others follow' },
    { title: '+12 more', at: '3/2', reason: 'what is not shown comes last' },
    { title: 'y', at: '1/3', reason: 'it leaves room for what x owns' },
    { title: 'b', at: '0/4', reason: 'so does the next task' },
    { title: 'alone', at: '1/4', reason: 'there is room for it with what it owns' },
    { title: 's', at: '2/5', reason: 'no two nodes stand in one place' },
  ]
  for (const { title, at, reason } of cases) {
    it(`has ${title} at ${at}: ${reason}`, () => {
      const found = nodes.find((one) => one.title === title)
      expect(`${found?.column}/${found?.line}`).to.equal(at)
    })
  }

  it('joins owners with what they own', () => {
    const pairs = edges.map(({ from, to }) => `${from.title}-${to.title}`)
    expect(pairs).to.include.members(['x-set', 'set-p', 'set-q', 'set-+12 more', 'alone-r'])
    expect([columns, lines]).to.deep.equal([4, 6])
  })

  it('says how far a Pod is', () =>
    expect(nodes.find(({ title }) => title === 'p')?.note).to.equal('Pod · Running 1/1'))

  it('gives what is not shown a line of its own, also behind an object that no task names', () => {
    const objects = [withOwned('first', owned([pod('p')], 3)), configMap('second')]
    const placed = layoutOf({ tasks: [], edges: [], objects }).nodes
    expect(placed.map(({ title, line }) => `${title} ${line}`)).to.deep.equal([
      'first 0',
      'p 0',
      '+3 more 1',
      'second 2',
    ])
  })

  const ofMore = [
    { moreUnready: 0, note: 'all ready', state: 'ready' },
    { moreUnready: 2, note: '2 not ready', state: 'notReady' },
  ]
  for (const { moreUnready, note, state } of ofMore) {
    it(`says of what is not shown: ${note}`, () => {
      const objects = [withOwned('x', { nodes: [], more: 12, moreUnready })]
      const placed = layoutOf({ tasks: [], edges: [], objects }).nodes
      expect(placed.find(({ title }) => title === '+12 more')).to.include({ note, state })
    })
  }

  it('shows the kind alone where nothing is known of how far an object is', () => {
    const objects = [withOwned('x', owned([{ ...pod('unknown'), status: '' }]))]
    const placed = layoutOf({ tasks: [], edges: [], objects }).nodes
    expect(placed.find(({ title }) => title === 'unknown')?.note).to.equal('Pod')
  })
})
