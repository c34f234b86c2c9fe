import { expect } from 'chai'
import { layoutOf } from '../../../src/rolebook/ui/graph-layout.ts'
import type { ObjectNode, TaskNode } from '../../../src/rolebook/ui/model.ts'

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
