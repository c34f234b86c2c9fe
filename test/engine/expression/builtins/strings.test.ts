import { expect } from 'chai'
import { describeBuiltin, ours, smallBudget } from './builtin-cases.ts'

const nothing = 'gives nothing for nothing'
const missing = { name: nothing, args: [undefined] }

describe('functions on text', () => {
  describeBuiltin('string', [
    missing,
    { name: 'leaves text alone', args: ['a"b'], gives: 'a"b' },
    { name: 'writes numbers with at most 15 digits', args: [0.1 + 0.2], gives: '0.3' },
    { name: 'writes whole numbers in full', args: [9007199254740991], gives: '9007199254740991' },
    { name: 'writes negative zero as zero', args: [-0], gives: '0' },
    { name: 'writes a huge number as JavaScript does', args: [1e21], gives: '1e+21' },
    { name: 'writes null', args: [null], gives: 'null' },
    { name: 'writes true', args: [true], gives: 'true' },
    { name: 'writes objects as JSON', args: [{ a: [1, 'x', null], b: {} }], gives: '{"a":[1,"x",null],"b":{}}' },
    { name: 'rounds numbers inside', args: [[1 / 3]], gives: '[0.333333333333333]' },
    { name: 'writes a function as nothing', args: [() => 1], gives: '' },
    { name: 'writes an empty list', args: [[]], gives: '[]' },
    {
      name: 'indents',
      args: [{ a: [1, {}], b: 'c' }, true],
      gives: '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "c"\n}',
    },
    { name: 'does not indent when the argument is false', args: [[1, 2], false], gives: '[1,2]' },
    { name: 'cannot write infinity', args: [Number.POSITIVE_INFINITY], fails: 'D3001' },
    { name: 'cannot write infinity inside', args: [[Number.POSITIVE_INFINITY]], fails: 'D1001' },
    { name: 'writes NaN inside as null', args: [[Number.NaN]], gives: '[null]' },
    { name: 'keeps half a surrogate pair escaped', args: [['\ud83d']], gives: '["\\ud83d"]' },
    { name: 'skips keys without value', args: [{ a: undefined, b: 1 }], gives: '{"b":1}' },
  ])

  describeBuiltin('length', [
    missing,
    { name: 'counts characters', args: ['hello'], gives: 5 },
    { name: 'counts a surrogate pair once', args: ['12💩4'], gives: 4 },
    { name: 'counts half a pair', args: ['\ud83dx'], gives: 2 },
    { name: 'is 0 for empty text', args: [''], gives: 0 },
  ])

  describeBuiltin('substring', [
    { name: nothing, args: [undefined, 1] },
    { name: 'starts at an offset', args: ['hello', 3], gives: 'lo' },
    { name: 'takes a length', args: ['hello', 1, 2], gives: 'el' },
    { name: 'counts from the end', args: ['hello', -2], gives: 'lo' },
    { name: 'counts from the end with a length', args: ['hello', -4, 2], gives: 'el' },
    { name: 'starts at the front when the offset is before it', args: ['hello', -9, 2], gives: 'he' },
    { name: 'is empty beyond the end', args: ['hello', 9], gives: '' },
    { name: 'is empty for length 0', args: ['hello', 1, 0], gives: '' },
    { name: 'is empty for a negative length', args: ['hello', 1, -3], gives: '' },
    { name: 'takes fractions', args: ['hello', 1.5, 1.7], gives: 'el' },
    { name: 'never cuts a surrogate pair', args: ['a💩b💩', 1, 2], gives: '💩b' },
    { name: 'counts pairs from the end', args: ['a💩b💩', -2], gives: 'b💩' },
    { name: 'takes it all without offset', args: ['hello', undefined], gives: 'hello' },
    { name: 'is empty with a length and no offset', args: ['hello', undefined, 2], gives: '' },
    { name: 'is empty when a pair text ends before it starts', args: ['💩', 1, 1], gives: '' },
  ])

  describeBuiltin('substringBefore', [
    { name: nothing, args: [undefined, '-'] },
    { name: 'stops at the first', args: ['a.b.c', '.'], gives: 'a' },
    { name: 'is the whole text without it', args: ['abc', '.'], gives: 'abc' },
    { name: 'is empty before empty text', args: ['abc', ''], gives: '' },
    { name: 'is the whole text before nothing', args: ['abc', undefined], gives: 'abc' },
  ])

  describeBuiltin('substringAfter', [
    { name: nothing, args: [undefined, '-'] },
    { name: 'starts after the first', args: ['a.b.c', '.'], gives: 'b.c' },
    { name: 'is the whole text without it', args: ['abc', '.'], gives: 'abc' },
    { name: 'is the whole text after nothing', args: ['abc', undefined], gives: 'abc' },
  ])

  describeBuiltin('lowercase', [missing, { name: 'lowers', args: ['HÉllo'], gives: 'héllo' }])
  describeBuiltin('uppercase', [missing, { name: 'raises, also to more letters', args: ['straße'], gives: 'STRASSE' }])

  describeBuiltin('trim', [
    missing,
    { name: 'cuts both ends and joins runs inside', args: [' \t a \n\n b\r '], gives: 'a b' },
    { name: 'leaves other white space', args: ['\u00a0a'], gives: '\u00a0a' },
    { name: 'makes nothing but space empty', args: ['   '], gives: '' },
  ])

  describeBuiltin('pad', [
    { name: nothing, args: [undefined, 1] },
    { name: 'pads on the right', args: ['foo', 5], gives: 'foo  ' },
    { name: 'pads on the left', args: ['foo', -5], gives: '  foo' },
    { name: 'pads with a character', args: ['foo', 5, '#'], gives: 'foo##' },
    { name: 'cuts a long padding', args: ['foo', 8, '-+'], gives: 'foo-+-+-' },
    { name: 'counts pairs in text and padding', args: ['💩', -4, '💩a'], gives: '💩a💩💩' },
    { name: 'leaves longer text', args: ['foo', 2], gives: 'foo' },
    { name: 'takes empty padding as a space', args: ['foo', 4, ''], gives: 'foo ' },
    { name: 'takes a fraction', args: ['foo', 4.9], gives: 'foo ' },
    { name: 'leaves text without width', args: ['foo', undefined], gives: 'foo' },
  ])

  describeBuiltin('join', [
    missing,
    { name: 'joins', args: [['a', 'b', 'c'], '-'], gives: 'a-b-c' },
    { name: 'joins without separator', args: [['a', 'b']], gives: 'ab' },
    { name: 'makes an empty list empty text', args: [[], ','], gives: '' },
  ])

  const million = 'x'.repeat(1_000_000)
  const tooMuch: readonly [string, unknown[]][] = [
    ['pad', ['x', 200_000_000]],
    ['pad', ['x', Number.POSITIVE_INFINITY]],
    ['pad', ['x', -200_000_000, 'abc']],
    ['join', [Array(100).fill(million), '']],
    ['join', [Array(100).fill('a'), million]],
    ['string', [Array(100).fill(million)]],
    ['string', [expanding(30)]],
    ['string', [nested(600)]],
  ]
  for (const [name, args] of tooMuch) {
    it(`ends at a limit: $${name}`, () => {
      expect(ours(name, args))
        .to.have.property('code')
        .that.matches(/^E100[123]$/)
    })
  }

  it('pays for text before it is made', () => {
    for (const name of ['uppercase', 'lowercase', 'trim', 'substringBefore', 'substringAfter', 'substring']) {
      expect(ours(name, [million, 'a'], smallBudget({ bytes: 1000 })), name).to.deep.equal({ code: 'E1002' })
    }
    expect(ours('length', [million], smallBudget({ steps: 1000 }))).to.deep.equal({ code: 'E1001' })
  })
})

/** A small value whose JSON text is of size 2^depth. */
function expanding(depth: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = [value, value]
  return value
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = { a: value }
  return value
}
