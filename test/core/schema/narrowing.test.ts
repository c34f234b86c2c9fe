import { expect } from 'chai'
import { type JsonObject, printPath } from '../../../src/core/base/json.ts'
import { narrowings } from '../../../src/core/schema/narrowing.ts'

const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...rest })
const text = (rest: JsonObject = {}): JsonObject => ({ type: 'string', ...rest })
const count = (rest: JsonObject = {}): JsonObject => ({ type: 'integer', ...rest })

const cases: readonly {
  readonly name: string
  readonly before: JsonObject
  readonly after: JsonObject
  readonly found: readonly string[]
}[] = [
  { name: 'equal schemas', before: object({ a: text() }), after: object({ a: text() }), found: [] },
  { name: 'a further field', before: object({ a: text() }), after: object({ a: text(), b: text() }), found: [] },
  {
    name: 'another description or default',
    before: object({ a: text({ description: 'x' }) }),
    after: object({ a: text({ description: 'y', default: 'z' }) }),
    found: [],
  },
  {
    name: 'a field that goes',
    before: object({ a: object({ b: text() }) }),
    after: object({ a: object({}) }),
    found: ['a.b is gone'],
  },
  {
    name: 'a field that goes from where anything may be',
    before: object({ a: object({ b: text() }) }),
    after: object({ a: object({}, { 'x-kubernetes-preserve-unknown-fields': true }) }),
    found: [],
  },
  {
    name: 'a field that is required',
    before: object({ a: text() }),
    after: object({ a: text() }, { required: ['a'] }),
    found: ['a is required now'],
  },
  {
    name: 'a field that need not be there any more',
    before: object({ a: text() }, { required: ['a'] }),
    after: object({ a: text() }),
    found: [],
  },
  {
    name: 'another type',
    before: object({ a: text() }),
    after: object({ a: count() }),
    found: ['a has the type integer now'],
  },
  {
    name: 'a value less',
    before: text({ enum: ['a', 'b'] }),
    after: text({ enum: ['b', 'c'] }),
    found: [' does not take "a" any more'],
  },
  {
    name: 'values for the first time',
    before: text(),
    after: text({ enum: ['b'] }),
    found: [' takes few values only'],
  },
  { name: 'values no longer', before: text({ enum: ['b'] }), after: text(), found: [] },
  {
    name: 'a higher minimum',
    before: count({ minimum: 1 }),
    after: count({ minimum: 2 }),
    found: [' has another `minimum`'],
  },
  { name: 'a lower minimum', before: count({ minimum: 2 }), after: count({ minimum: 1 }), found: [] },
  { name: 'a first maximum', before: count(), after: count({ maximum: 9 }), found: [' has another `maximum`'] },
  { name: 'a higher maximum', before: count({ maximum: 8 }), after: count({ maximum: 9 }), found: [] },
  {
    name: 'another pattern',
    before: text({ pattern: 'a' }),
    after: text({ pattern: 'b' }),
    found: [' has another `pattern`'],
  },
  { name: 'no pattern any more', before: text({ pattern: 'a' }), after: text(), found: [] },
  {
    name: 'a further rule',
    before: text(),
    after: text({ 'x-kubernetes-validations': [{ rule: 'self != ""' }] }),
    found: [' has another `x-kubernetes-validations`'],
  },
  { name: 'null no longer', before: text({ nullable: true }), after: text(), found: [' has no `nullable` any more'] },
  {
    name: 'something within items',
    before: object({ a: { type: 'array', items: object({ b: text() }) } }),
    after: object({ a: { type: 'array', items: object({}) } }),
    found: ["a['*'].b is gone"],
  },
  {
    name: 'keys of any name that go',
    before: object({ a: { type: 'object', additionalProperties: text() } }),
    after: object({ a: object({}) }),
    found: ["a['*'] is gone"],
  },
  {
    name: 'keys of any name that anything may take the place of',
    before: { type: 'object', additionalProperties: text() },
    after: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    found: [],
  },
  {
    name: 'several at once, in the order of the schema',
    before: object({ a: text(), b: count(), c: text() }),
    after: object({ b: count({ minimum: 3 }), c: text() }, { required: ['c'] }),
    found: ['c is required now', 'a is gone', 'b has another `minimum`'],
  },
  { name: 'no schema any more', before: object({ a: text() }), after: {}, found: ['a is gone'] },
]

describe('narrowings of a schema', () => {
  for (const { name, before, after, found } of cases) {
    it(`are found: ${name}`, () => {
      const actual = narrowings(before, after).map(({ path, problem }) => `${printPath(path)} ${problem}`)
      expect(actual).to.deep.equal(found)
    })
  }

  it('are found when the whole schema is gone', () => {
    const actual = narrowings(object({ a: text() }), undefined).map(
      ({ path, problem }) => `${printPath(path)} ${problem}`,
    )
    expect(actual).to.deep.equal(['a is gone'])
  })

  it('are none where there was no schema', () => {
    expect(narrowings(undefined, object({}))).to.deep.equal([])
  })
})
