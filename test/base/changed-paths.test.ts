import { expect } from 'chai'
import { changedPaths } from '../../src/base/changed-paths.ts'
import { type JsonValue, printPath } from '../../src/base/json.ts'

const cases: readonly {
  readonly name: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly expected: readonly string[]
}[] = [
  { name: 'equal values', before: { a: [1, { b: 2 }] }, after: { a: [1, { b: 2 }] }, expected: [] },
  { name: 'a number', before: { a: { b: 1, c: 1 } }, after: { a: { b: 2, c: 1 } }, expected: ['a.b'] },
  { name: 'keys that come and go', before: { a: 1, b: 1 }, after: { c: 1, b: 1 }, expected: ['c', 'a'] },
  { name: 'an item', before: { a: [{ b: 1 }, 2] }, after: { a: [{ b: 3 }, 2] }, expected: ['a[0].b'] },
  { name: 'a longer list', before: { a: [1] }, after: { a: [1, 2] }, expected: ['a'] },
  { name: 'another type', before: { a: [1], b: {} }, after: { a: { 0: 1 }, b: 'x' }, expected: ['a', 'b'] },
  { name: 'nothing before', before: undefined, after: { a: 1 }, expected: [''] },
  { name: 'inherited names', before: {}, after: { constructor: 1 }, expected: ['constructor'] },
]

describe('changedPaths', () => {
  for (const { name, before, after, expected } of cases) {
    it(`tells of ${name}`, () => {
      expect(changedPaths(before, after).map(printPath)).to.deep.equal(expected)
    })
  }
})
