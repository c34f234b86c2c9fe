import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { jsonChanges } from '../../../src/core/base/json-changes.ts'

interface Case {
  readonly name: string
  readonly from: JsonValue | undefined
  readonly to: JsonValue | undefined
  /** `field path from → to` */
  readonly changes: readonly string[]
  readonly limit?: number
}

const CASES: readonly Case[] = [
  {
    name: 'no change in equal values, also with keys in another order',
    from: { a: 1, b: 2 },
    to: { b: 2, a: 1 },
    changes: [],
  },
  {
    name: 'a changed field, a new one and a removed one',
    from: { spec: { a: 1, c: { d: 1 } } },
    to: { spec: { a: 2, b: { d: [1] } } },
    changes: ['spec.a ["spec","a"] 1 → 2', 'spec.c ["spec","c"] {"d":1} → ', 'spec.b ["spec","b"]  → {"d":[1]}'],
  },
  {
    name: 'fields whose names are no words',
    from: {},
    to: { 'a.b': 1, c: { 'd/e': 1 } },
    changes: ['[\'a.b\'] ["a.b"]  → 1', 'c ["c"]  → {"d/e":1}'],
  },
  {
    name: 'items by their names, in any order',
    from: [{ name: 'a', v: 1 }, { name: 'b' }, { name: 'c' }],
    to: [{ name: 'd' }, { name: 'b' }, { name: 'a', v: 2 }],
    changes: ['[name=d] [0]  → {"name":"d"}', '[name=a].v [2,"v"] 1 → 2', '[name=c] [2] {"name":"c"} → '],
  },
  {
    name: 'conditions by their types',
    from: [{ type: 'Ready', status: 'True' }],
    to: [{ type: 'Ready', status: 'False' }],
    changes: ['[type=Ready].status [0,"status"] "True" → "False"'],
  },
  {
    name: 'items by their places where names are missing or not their own',
    from: { l: [1, { name: 'a' }], m: [{ name: 'a' }, { name: 'a' }] },
    to: { l: [2], m: [{ name: 'a' }, { name: 'b' }] },
    changes: ['l[0] ["l",0] 1 → 2', 'l[1] ["l",1] {"name":"a"} → ', 'm[1].name ["m",1,"name"] "a" → "b"'],
  },
  { name: 'a whole value that is new', from: undefined, to: { a: 1 }, changes: [' []  → {"a":1}'] },
  {
    name: 'no more places than asked for',
    from: { a: 1, b: 1, c: 1 },
    to: { a: 2, b: 2, c: 2 },
    limit: 2,
    changes: ['a ["a"] 1 → 2', 'b ["b"] 1 → 2'],
  },
]

describe('jsonChanges', () => {
  for (const { name, from, to, changes, limit } of CASES) {
    it(`finds: ${name}`, () => {
      const found = jsonChanges(from, to, limit).map(
        ({ field, path, from, to }) =>
          `${field} ${JSON.stringify(path)} ${JSON.stringify(from) ?? ''} → ${JSON.stringify(to) ?? ''}`,
      )
      expect(found).to.deep.equal(changes)
    })
  }

  it('reads each of many items only a few times', () => {
    let reads = 0
    const item = (name: string) => ({
      get name() {
        reads += 1
        return name
      },
    })
    const list = (letter: string) => Array.from({ length: 1000 }, (_, index) => item(letter + index))
    expect(jsonChanges(list('a'), list('b'), 3)).to.have.length(3)
    expect(reads).to.be.below(20 * 2000)
  })
})
