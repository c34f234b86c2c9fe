import { expect } from 'chai'
import { mayBeEqual, mayBeSameObject, type ObjectUse } from '../../../../src/engine/role/graph/object-use.ts'

const texts: { left: string; right: string; isApart?: boolean; expected: boolean }[] = [
  { left: 'a', right: 'a', expected: true },
  { left: 'a', right: 'b', expected: false },
  { left: 'a', right: 'ab', expected: false },
  { left: '${x}', right: '${x}', expected: true },
  { left: '${x}', right: '${ x }', expected: true },
  { left: '${x}', right: '${y}', expected: true },
  { left: '${x}', right: 'a', expected: true },
  { left: '${x}-a', right: '${x}-b', expected: false },
  { left: '${x}', right: '${x}-b', expected: false },
  { left: '${x}', right: '${x}${y}', expected: true },
  { left: '${x}-a-${y}', right: '${x}-b-${y}', expected: false },
  { left: '${x}-a', right: '${y}-b', expected: false },
  { left: '${x}-a', right: '${y}-a', expected: true },
  { left: 'a-${x}', right: 'b-${y}', expected: false },
  { left: 'a-${x}', right: 'a-${y}-b', expected: true },
  { left: '$${x}', right: '${x}', expected: true },
  { left: '${$x}', right: '${$x}-b', expected: false },
  { left: '${$item}', right: '${$item}-b', isApart: true, expected: true },
  { left: '${$item}-a', right: '${$item}-b', isApart: true, expected: false },
  { left: '${spec.x}', right: '${spec.x}-b', isApart: true, expected: false },
  { left: 'a-${x', right: 'b', expected: true },
]

describe('mayBeEqual', () => {
  for (const { left, right, isApart = false, expected } of texts) {
    it(`says that ${left} ${expected ? 'may' : 'cannot'} equal ${right}${isApart ? ' elsewhere' : ''}`, () => {
      expect(mayBeEqual(left, right, isApart)).to.equal(expected)
      expect(mayBeEqual(right, left, isApart), 'the other way around').to.equal(expected)
    })
  }
})

describe('mayBeSameObject', () => {
  const kind = { group: '', kind: 'Secret' }
  const use = (fields: Partial<ObjectUse>): ObjectUse => ({ kind, access: 'write', name: 'a', ...fields })
  const cases: { name: string; left?: Partial<ObjectUse>; right: Partial<ObjectUse>; expected: boolean }[] = [
    { name: 'of the same name', right: {}, expected: true },
    { name: 'of another kind', right: { kind: { group: 'x.io', kind: 'Secret' } }, expected: false },
    { name: 'of any name', right: { name: undefined }, expected: true },
    { name: 'in two namespaces', left: { namespace: 'one' }, right: { namespace: 'two' }, expected: false },
    { name: 'in a namespace and in that of the resource', right: { namespace: 'two' }, expected: true },
  ]
  for (const { name, left = {}, right, expected } of cases) {
    it(`judges uses ${name}`, () => expect(mayBeSameObject(use(left), use(right))).to.equal(expected))
  }
})
