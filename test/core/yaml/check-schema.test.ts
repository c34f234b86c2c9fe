import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { locateProblems, SchemaChecker } from '../../../src/core/yaml/check-schema.ts'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['role'],
  properties: {
    role: { type: 'string', pattern: '^[a-z]+$', explain: 'must be lower case' },
    code: { type: 'string', pattern: '^\\d+$' },
    size: { type: 'integer', minimum: 1, maximum: 9 },
    mode: { enum: ['once', 'enforce'] },
    fixed: { const: 'v1' },
    list: { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'string', minLength: 2 } },
    none: { type: 'array', minItems: 1, explain: 'the list is empty: nothing would be watched' },
    labels: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    names: { type: 'object', propertyNames: { pattern: '^[a-z]+$', explain: 'must be a word' } },
    either: { anyOf: [{ type: 'string' }, { const: true }] },
    shape: {
      anyOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'object', additionalProperties: false, properties: { read: { type: 'string' } } },
      ],
    },
    near: {
      anyOf: [
        { type: 'object', required: ['b', 'c'] },
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      ],
    },
    far: {
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', required: ['b', 'c'] },
      ],
    },
    some: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    nothing: { type: 'object', additionalProperties: false },
    text: { anyOf: [{ type: 'string' }, { type: 'array' }] },
    task: {
      type: 'object',
      additionalProperties: false,
      properties: { 'a/b': { type: 'string' }, 'c~d': { type: 'string' }, wait: {} },
      oneOf: [{ required: ['a/b'] }, { required: ['c~d'] }, { required: ['wait'] }],
    },
    banned: { not: {} },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON schema, and a schema is not awaited
    when: { if: { const: 1 }, then: { minimum: 2 } },
  },
}
const checker = new SchemaChecker(SCHEMA)

function check(text: string): readonly Diagnostic[] {
  const [document] = parseYaml(new SourceFile('f.yaml', text)).documents
  return locateProblems(document!, checker.check(document!.value))
}

describe('SchemaChecker', () => {
  const cases: { name: string; text: string; expected: string[]; message?: string; hint?: string }[] = [
    {
      name: 'a misspelt key',
      text: 'role: a\nsiez: 1',
      expected: ['RB1020:2:1'],
      message: 'unknown key `siez`',
      hint: 'did you mean `size`?',
    },
    {
      name: 'an unknown key in a small map',
      text: 'role: a\nshape: {write: x}',
      expected: ['RB1020:2:9'],
      hint: 'known keys: read',
    },
    { name: 'a missing key', text: 'size: 1', expected: ['RB1021:1:1'], message: 'the key `role` is missing' },
    {
      name: 'another type',
      text: 'role: a\nsize: big',
      expected: ['RB1022:2:7'],
      message: 'must be a whole number, not text',
    },
    { name: 'a fraction', text: 'role: a\nsize: 1.5', expected: ['RB1022:2:7'] },
    { name: 'an empty value', text: 'role:', expected: ['RB1022:1:6'], message: 'must be text, not empty' },
    { name: 'another type in a list', text: 'role: a\nlist: [ab, 1]', expected: ['RB1022:2:12'] },
    { name: 'another type in an open map', text: 'role: a\nlabels: {x: 1}', expected: ['RB1022:2:13'] },
    {
      name: 'a key where none may be',
      text: 'role: a\nnothing: {a: 1}',
      expected: ['RB1020:2:11'],
      message: 'unknown key `a`',
    },
    {
      name: 'none of several keys',
      text: 'role: a\nsome: {c: 1}',
      expected: ['RB1021:2:7'],
      message: 'one of a, b is needed: none is there',
    },
    {
      name: 'the branch that is nearest when it is the first',
      text: 'role: a\nfar: {a: 1}',
      expected: ['RB1022:2:10'],
    },
    {
      name: 'alternatives beside another mistake',
      text: 'role: A\neither: 3',
      expected: ['RB1023:1:7', 'RB1023:2:9'],
    },
    {
      name: 'a value that is not listed',
      text: 'role: a\nmode: onse',
      expected: ['RB1023:2:7'],
      message: 'must be one of once, enforce',
      hint: 'did you mean `once`?',
    },
    {
      name: 'another value than the only one',
      text: 'role: a\nfixed: v2',
      expected: ['RB1023:2:8'],
      message: 'must be v1',
    },
    { name: 'a pattern that is explained', text: 'role: A', expected: ['RB1023:1:7'], message: 'must be lower case' },
    { name: 'a pattern that is not', text: 'role: a\ncode: x', expected: ['RB1023:2:7'], message: 'must match ^\\d+$' },
    { name: 'too small a number', text: 'role: a\nsize: 0', expected: ['RB1023:2:7'], message: 'must be at least 1' },
    { name: 'too large a number', text: 'role: a\nsize: 10', expected: ['RB1023:2:7'], message: 'must be at most 9' },
    {
      name: 'too short a list',
      text: 'role: a\nlist: []',
      expected: ['RB1023:2:7'],
      message: 'must have at least 1 item',
    },
    {
      name: 'too long a list',
      text: 'role: a\nlist: [ab, cd, ef]',
      expected: ['RB1023:2:7'],
      message: 'must have at most 2 items',
    },
    {
      name: 'an item twice',
      text: 'role: a\nlist: [ab, ab]',
      expected: ['RB1023:2:7'],
      message: 'must hold every item only once',
    },
    {
      name: 'too short a text',
      text: 'role: a\nlist: [a]',
      expected: ['RB1023:2:8'],
      message: 'must have at least 2 characters',
    },
    {
      name: 'a bound that is explained',
      text: 'role: a\nnone: []',
      expected: ['RB1023:2:7'],
      message: 'the list is empty: nothing would be watched',
    },
    {
      name: 'an empty map',
      text: 'role: a\nlabels: {}',
      expected: ['RB1023:2:9'],
      message: 'must have at least 1 key',
    },
    {
      name: 'a key of another form',
      text: 'role: a\nnames: {ok: 1, Bad: 2}',
      expected: ['RB1023:2:16'],
      message: 'must be a word',
    },
    {
      name: 'no alternative of a type',
      text: 'role: a\ntext: 1',
      expected: ['RB1022:2:7'],
      message: 'must be text or a list, not a number',
    },
    { name: 'the alternative that was meant', text: 'role: a\nshape: [a, 1]', expected: ['RB1022:2:12'] },
    { name: 'the other alternative', text: 'role: a\nshape: {read: 1}', expected: ['RB1022:2:15'] },
    { name: 'the alternative that is nearest', text: 'role: a\nnear: {a: 1}', expected: ['RB1022:2:11'] },
    { name: 'a constant beside a type', text: 'role: a\neither: 1', expected: ['RB1023:2:9'] },
    {
      name: 'none of several keys',
      text: 'role: a\ntask: {}',
      expected: ['RB1021:2:7'],
      message: 'exactly one of a/b, c~d, wait is needed: none is there',
    },
    {
      name: 'two of several keys',
      text: 'role: a\ntask: {a/b: x, wait: 1}',
      expected: ['RB1021:2:7'],
      message: 'exactly one of a/b, c~d, wait is needed: a/b and wait are there',
    },
    { name: 'a value below a key with a slash', text: 'role: a\ntask: {a/b: 1}', expected: ['RB1022:2:13'] },
    { name: 'a value below a key with a tilde', text: 'role: a\ntask: {c~d: 1}', expected: ['RB1022:2:13'] },
    { name: 'something that nothing allows', text: 'role: a\nbanned: 1', expected: ['RB1023:2:9'] },
    { name: 'a condition, once', text: 'role: a\nwhen: 1', expected: ['RB1023:2:7'], message: 'must be at least 2' },
    {
      name: 'a value behind an alias, where it was written',
      text: 'role: &r A\ncode: *r',
      expected: ['RB1023:1:10', 'RB1023:1:10'],
    },
    {
      name: 'everything at once',
      text: 'size: 0\nfoo: 1\nmode: x',
      expected: ['RB1021:1:1', 'RB1020:2:1', 'RB1023:1:7', 'RB1023:3:7'],
    },
  ]
  for (const { name, text, expected, message, hint } of cases) {
    it(`reports ${name}`, () => {
      const found = check(text)
      expect(found.map(({ code, line, column }) => `${code}:${line}:${column}`)).to.have.members(expected)
      if (message !== undefined) expect(found[0]?.message).to.equal(message)
      if (hint !== undefined) expect(found[0]?.hint).to.equal(hint)
    })
  }

  it('says nothing of what is right', () => {
    const text =
      'role: a\nsize: 3\nmode: once\nlist: [ab]\nlabels: {a: b}\nshape: {read: x}\ntask: {wait: 1}\neither: true'
    expect(check(text)).to.deep.equal([])
  })

  it('never says what a value is', () => {
    const found = check('role: hunter2\nsize: hunter2\nmode: hunter2\ncode: hunter2')
    expect(found).to.have.length(4)
    expect(found.map(({ message, hint }) => `${message} ${hint}`).join()).not.to.contain('hunter')
  })
})
