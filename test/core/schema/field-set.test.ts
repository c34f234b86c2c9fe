import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { FieldSet } from '../../../src/core/schema/field-set.ts'
import { printPathElements } from '../../../src/core/schema/path-element.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { builtinSchema } from './schemas.ts'

const set = (json: JsonObject): FieldSet => FieldSet.fromFieldsV1(json)
const LEFT = { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} }, 'f:d': { 'f:e': {} } }
const RIGHT = { 'f:b': { 'f:c': {} }, 'f:d': {}, 'f:z': {} }

describe('sets of fields', () => {
  const operations: readonly { name: string; run: () => FieldSet; expected: JsonObject }[] = [
    {
      name: 'union has the fields of both',
      run: () => set(LEFT).union(set(RIGHT)),
      expected: { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} }, 'f:d': { '.': {}, 'f:e': {} }, 'f:z': {} },
    },
    {
      name: 'intersection has the fields that both have',
      run: () => set(LEFT).intersection(set(RIGHT)),
      expected: { 'f:b': { 'f:c': {} } },
    },
    {
      name: 'difference leaves what lies beneath a field of the other',
      run: () => set(LEFT).difference(set(RIGHT)),
      expected: { 'f:a': {}, 'f:b': {}, 'f:d': { 'f:e': {} } },
    },
    {
      name: 'recursive difference takes it too',
      run: () => set(LEFT).recursiveDifference(set(RIGHT)),
      expected: { 'f:a': {}, 'f:b': {} },
    },
    { name: 'union with nothing is the same', run: () => set(LEFT).union(FieldSet.empty), expected: LEFT },
    { name: 'nothing united is the other', run: () => FieldSet.empty.union(set(LEFT)), expected: LEFT },
    {
      name: 'paths of plain fields',
      run: () => FieldSet.ofFields([['spec'], ['metadata', 'labels']]),
      expected: { 'f:metadata': { 'f:labels': {} }, 'f:spec': {} },
    },
  ]
  for (const { name, run, expected } of operations) {
    it(name, () => expect(JSON.stringify(run().toFieldsV1())).to.equal(JSON.stringify(expected)))
  }

  it('united with what it has already is the very same', () => {
    const all = set(LEFT).union(set(RIGHT))
    expect(all.union(set(RIGHT))).to.equal(all)
  })

  it('may be empty', () => expect(set({}).isEmpty()).to.equal(true))

  it('take what is no set for a member', () => {
    expect(set({ 'f:a': null, 'f:b': 3 }).toFieldsV1()).to.deep.equal({ 'f:a': {}, 'f:b': {} })
  })

  it('are written in the order of the server, whatever order they came in', () => {
    const json = {
      'i:2': {},
      'v:true': {},
      'v:"b"': {},
      'v:10': {},
      'v:9': {},
      'k:{"port":443,"protocol":"TCP"}': {},
      'k:{"protocol":"TCP","port":80}': { 'f:name': {}, '.': {} },
      'f:b': {},
      'f:B': {},
      'f:\u{1f600}': {},
      'f:\uffee': {},
    }
    expect(Object.keys(set(json).toFieldsV1())).to.deep.equal([
      'f:B',
      'f:b',
      'f:\uffee',
      'f:\u{1f600}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":443,"protocol":"TCP"}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:2',
    ])
  })

  it('list parents before what lies beneath them', () => {
    const paths = [...set({ 'f:a': { '.': {}, 'k:{"n":"x"}': { 'f:v': {} } }, 'f:b': {} }).paths()]
    expect(paths.map(printPathElements)).to.deep.equal(['.a', '.b', '.a[n="x"].v'])
  })

  it('know their members', () => {
    const fields = set(LEFT)
    expect(fields.has(['f:d', 'f:e'])).to.equal(true)
    expect(fields.has(['f:d'])).to.equal(false)
    expect(fields.has([])).to.equal(false)
    expect(fields.has(['f:x', 'f:y'])).to.equal(false)
    expect(set(RIGHT).intersection(fields).isSubsetOf(fields)).to.equal(true)
    expect(fields.equals(set(structuredClone(LEFT)))).to.equal(true)
    expect(fields.equals(set(RIGHT))).to.equal(false)
  })

  it('skip unknown kinds of steps', () => {
    expect(set({ 'x:what': {}, 'f:a': {} }).toFieldsV1()).to.deep.equal({ 'f:a': {} })
  })

  for (const key of ['f', 'name', 'i:x', 'v:{', 'k:3', 'k:null']) {
    it(`refuse the key ${key}`, () => expect(() => set({ [key]: {} })).to.throw())
  }
})

describe('the fields of an object', () => {
  const schema = builtinSchema('v1', 'PodTemplate')
  const cases: readonly { name: string; given: JsonObject; expected: JsonObject }[] = [
    {
      name: 'items of lists with keys, with defaults of keys',
      given: { template: { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80 }] }] } } },
      expected: {
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"a"}': {
                '.': {},
                'f:name': {},
                'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
              },
            },
          },
        },
      },
    },
    {
      name: 'items that occur twice are owned as a whole',
      given: { metadata: { finalizers: ['a', 'b', 'a', 'a'] } },
      expected: { 'f:metadata': { 'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} } } },
    },
    {
      name: 'empty maps and nulls are leaves, empty lists are not there',
      given: {
        metadata: { labels: {}, annotations: null, finalizers: [] },
        template: { spec: { securityContext: {} } },
      },
      expected: {
        'f:metadata': { 'f:annotations': {}, 'f:labels': {} },
        'f:template': { 'f:spec': { 'f:securityContext': {} } },
      },
    },
    {
      name: 'atomic maps and lists are leaves',
      given: { template: { spec: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a' }] } } },
      expected: { 'f:template': { 'f:spec': { 'f:nodeSelector': {}, 'f:tolerations': {} } } },
    },
  ]
  for (const { name, given, expected } of cases) {
    it(name, () => expect(FieldSet.fromObject(given, schema).toFieldsV1()).to.deep.equal(expected))
  }

  it('are those that the schema allows', () => {
    const strict: Schema = {
      type: 'object',
      properties: { a: { type: 'string' }, l: { type: 'array', 'x-kubernetes-list-type': 'set' } },
    }
    const fields = FieldSet.fromObject({ a: 'x', l: null, unknown: 1 }, strict)
    expect(fields.toFieldsV1()).to.deep.equal({ 'f:a': {}, 'f:l': {} })
  })

  it('are deduced without a schema', () => {
    const fields = FieldSet.fromObject({ a: { b: [1] }, c: 'x', d: {}, e: null }, undefined)
    expect(fields.toFieldsV1()).to.deep.equal({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {}, 'f:d': {}, 'f:e': {} })
  })
})

describe('many steps', () => {
  it('are still in order when there are more than are kept read', () => {
    const names = Array.from({ length: 10_002 }, (_value, index) => `k:{"n":${index}}`)
    const sorted = set(Object.fromEntries([...names].reverse().map((name) => [name, {}])))
    expect(Object.keys(sorted.toFieldsV1())).to.deep.equal(names)
    expect(sorted.equals(sorted)).to.equal(true)
  })
})
