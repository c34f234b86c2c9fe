import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { printPath } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { matchObject } from '../../../src/rolebook/role-test/match-object.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'

const pod = loadBuiltinSchemas().get({ group: '', version: 'v1', kind: 'Pod' })
const set: Schema = {
  type: 'object',
  properties: { list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } },
}

interface Case {
  readonly name: string
  readonly expected: JsonObject
  readonly actual: JsonObject
  readonly schema?: Schema | undefined
  /** Paths of the object that differ. */
  readonly differs: readonly string[]
}

const containers = (...list: JsonObject[]): JsonObject => ({ spec: { containers: list } })

const cases: readonly Case[] = [
  { name: 'fields beside those expected', expected: { a: 1 }, actual: { a: 1, b: 2 }, differs: [] },
  { name: 'another value', expected: { a: { b: 1 } }, actual: { a: { b: 2 } }, differs: ['a.b'] },
  { name: 'a value of another type', expected: { a: '1' }, actual: { a: 1 }, differs: ['a'] },
  { name: 'nothing where a map is expected', expected: { a: { b: 1 } }, actual: {}, differs: ['a'] },
  { name: 'null for nothing', expected: { a: null }, actual: {}, differs: [] },
  { name: 'absent for nothing', expected: { a: { absent: true } }, actual: { b: 1 }, differs: [] },
  { name: 'absent for something', expected: { a: { absent: true } }, actual: { a: 0 }, differs: ['a'] },
  { name: 'a text that matches', expected: { a: { matches: '^x-\\d+$' } }, actual: { a: 'x-12' }, differs: [] },
  { name: 'a text that does not', expected: { a: { matches: '^x-\\d+$' } }, actual: { a: 'x-y' }, differs: ['a'] },
  { name: 'a number that matches', expected: { a: { matches: '^3' } }, actual: { a: 30001 }, differs: [] },
  { name: 'a map that cannot match', expected: { a: { matches: '.' } }, actual: { a: {} }, differs: ['a'] },
  { name: 'a map that equals', expected: { a: { equals: { b: 1 } } }, actual: { a: { b: 1 } }, differs: [] },
  { name: 'a map that has more', expected: { a: { equals: { b: 1 } } }, actual: { a: { b: 1, c: 2 } }, differs: ['a'] },
  {
    name: 'a key of a matcher among others',
    expected: { a: { equals: 1, b: 2 } },
    actual: { a: { equals: 1, b: 2 } },
    differs: [],
  },
  { name: 'lists item by item', expected: { a: [{ b: 1 }, 2] }, actual: { a: [{ b: 1, c: 1 }, 3] }, differs: ['a[1]'] },
  { name: 'lists of other lengths', expected: { a: [1] }, actual: { a: [1, 2] }, differs: ['a'] },
  {
    name: 'items found by their merge key',
    schema: pod,
    expected: containers({ name: 'two', image: 'y' }),
    actual: containers({ name: 'one', image: 'x' }, { name: 'two', image: 'z' }),
    differs: ['spec.containers[1].image'],
  },
  {
    name: 'an item whose merge key is not there',
    schema: pod,
    expected: containers({ name: 'three' }),
    actual: containers({ name: 'one' }),
    differs: ['spec.containers'],
  },
  {
    name: 'of items without the key, the one that is most alike',
    schema: pod,
    expected: containers({ image: 'y', tty: true }),
    actual: containers({ name: 'one', image: 'x' }, { name: 'two', image: 'y' }),
    differs: ['spec.containers[1].tty'],
  },
  { name: 'members of a set', schema: set, expected: { list: ['b'] }, actual: { list: ['a', 'b'] }, differs: [] },
  {
    name: 'no member of a set',
    schema: set,
    expected: { list: ['c'] },
    actual: { list: ['a', 'b'] },
    differs: ['list'],
  },
]

describe('what an object must have at least', () => {
  for (const { name, expected, actual, schema, differs } of cases) {
    it(name, () => {
      const found = matchObject(expected, actual, schema).map(({ actualPath }) => printPath(actualPath))
      expect(found).to.deep.equal(differs)
    })
  }
})
