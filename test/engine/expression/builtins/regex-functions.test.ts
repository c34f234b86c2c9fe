import { expect } from 'chai'
import { regexFunction } from '../../../../src/engine/expression/builtins/regex.ts'
import { Budget } from '../../../../src/engine/expression/compile/budget.ts'
import { ExpressionError } from '../../../../src/engine/expression/expression-error.ts'
import { type FunctionValue, isSequence, type Value } from '../../../../src/engine/expression/value.ts'
import { long } from '../../../support/long-tests.ts'
import { describeBuiltin, ours, runBuiltin, smallBudget } from './builtin-cases.ts'

/** A matcher written by hand: finds "b" twice. */
const twoMatches = () => ({
  match: 'b',
  start: 1,
  end: 2,
  groups: [],
  next: () => ({ match: 'b', start: 3, end: 4, groups: [], next: () => undefined }),
})

describe('functions that find text', () => {
  describeBuiltin('contains', [
    { name: 'gives nothing for nothing', args: [undefined, 'a'] },
    { name: 'gives nothing without pattern', args: ['a', undefined] },
    { name: 'finds text', args: ['Hello World', 'lo'], gives: true },
    { name: 'finds no other', args: ['Hello World', 'Lo'], gives: false },
    { name: 'finds a pattern', args: ['ababbxabbcc', /ab+/], gives: true },
    { name: 'finds no other pattern', args: ['ababbxabbcc', /ax+/], gives: false },
    { name: 'takes a matcher', args: ['abab', twoMatches], gives: true },
    { name: 'refuses another function', args: ['abab', () => ({ found: true })], fails: 'T1010' },
    { name: 'refuses a predicate', args: ['abab', () => true], fails: 'T1010' },
    { name: 'takes nothing as no match', args: ['abab', () => undefined], gives: false },
  ])

  describeBuiltin('match', [
    { name: 'gives nothing for nothing', args: [undefined, /a/] },
    { name: 'gives nothing where nothing matches', args: ['b', /a/] },
    { name: 'gives a single match bare', args: ['xaby', /a(b)/], gives: { match: 'ab', index: 1, groups: ['b'] } },
    {
      name: 'gives all matches',
      args: ['ab1 ab2', /ab(\d)/],
      gives: [
        { match: 'ab1', index: 0, groups: ['1'] },
        { match: 'ab2', index: 4, groups: ['2'] },
      ],
    },
    { name: 'stops at the limit', args: ['aaa', /a/, 1], gives: { match: 'a', index: 0, groups: [] } },
    { name: 'gives nothing for limit 0', args: ['aaa', /a/, 0] },
    { name: 'refuses a negative limit', args: ['aaa', /a/, -1], fails: 'D3040' },
    { name: 'refuses empty matches', args: ['abc', /x*/], fails: 'D1004' },
    { name: 'takes an empty match at the end', args: ['ab', /x*$/], gives: { match: '', index: 2, groups: [] } },
    { name: 'knows idle groups', args: ['abcd', /(ab)|(a)/], gives: { match: 'ab', index: 0, groups: ['ab', null] } },
    {
      name: 'takes a matcher',
      args: ['abab', twoMatches, 5],
      gives: [
        { match: 'b', index: 1, groups: [] },
        { match: 'b', index: 3, groups: [] },
      ],
    },
    { name: 'counts in UTF-16 units', args: ['💩a', /a/], gives: { match: 'a', index: 2, groups: [] } },
  ])

  describeBuiltin('replace', [
    { name: 'gives nothing for nothing', args: [undefined, 'a', 'b'] },
    { name: 'replaces text', args: ['the cat sat on the mat', 'at', 'it'], gives: 'the cit sit on the mit' },
    { name: 'takes dollars in a text pattern as they are', args: ['a', 'a', '$0$1'], gives: '$0$1' },
    { name: 'stops at the limit', args: ['the cat sat on the mat', 'at', 'it', 2], gives: 'the cit sit on the mat' },
    { name: 'changes nothing for limit 0', args: ['cat', 'at', 'it', 0], gives: 'cat' },
    { name: 'refuses a negative limit', args: ['cat', 'at', 'it', -1], fails: 'D3011' },
    { name: 'refuses an empty pattern', args: ['cat', '', 'it'], fails: 'D3010' },
    { name: 'replaces matches', args: ['ababbxabbcc', /b+/, 'yy'], gives: 'ayyayyxayycc' },
    { name: 'replaces matches up to the limit', args: ['ababbxabbcc', /b+/, 'yy', 2], gives: 'ayyayyxabbcc' },
    { name: 'leaves text without match', args: ['abc', /x+/, 'yy'], gives: 'abc' },
    { name: 'puts groups in', args: ['John Smith', /(\w+)\s(\w+)/, '$2, $1'], gives: 'Smith, John' },
    { name: 'puts the match in', args: ['265USD', /([0-9]+)USD/, '$0 -> $$$1'], gives: '265USD -> $265' },
    { name: 'leaves a dollar before a letter', args: ['265USD', /([0-9]+)USD/, '$w'], gives: '$w' },
    { name: 'leaves a dollar at the end', args: ['a', /a/, '5$'], gives: '5$' },
    { name: 'drops groups that are not there', args: ['abcd', /(ab)|(a)/, '[1=$1][2=$2]'], gives: '[1=ab][2=]cd' },
    {
      name: 'drops references without groups',
      args: ['abcdefghijklmno', /ijk/, '$8$5$12$12$18$123'],
      gives: 'abcdefgh22823lmno',
    },
    {
      name: 'reads as many digits as there are groups',
      args: ['abcdefghijklmno', /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)(m)/, '$8$5$12$12$18$123'],
      gives: 'hella8l3no',
    },
    {
      name: 'reads signs as the library does',
      args: ['abcdefghijk', /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)/, '[$-1][$ 2]'],
      gives: '[][b2]',
    },
    { name: 'asks a function', args: ['abc', /(b)/, (m: { match: string }) => m.match.toUpperCase()], gives: 'aBc' },
    {
      name: 'shows the function the groups',
      args: ['abc', /a(b)/, (m: { groups: string[] }) => m.groups.join()],
      gives: 'bc',
    },
    { name: 'refuses a function that gives no text', args: ['abc', /b/, () => 42], fails: 'D3012' },
    {
      name: 'refuses a function for a text pattern',
      args: ['abc', 'b', () => 'x'],
      fails: 'D3012',
      differs: 'puts the source of the function in',
    },
    {
      name: 'refuses nothing as replacement',
      args: ['abc', 'b', undefined],
      fails: 'D3012',
      differs: 'puts "undefined" in',
    },
    { name: 'refuses empty matches', args: ['abracadabra', /.*?/, '$1'], fails: 'D1004' },
    { name: 'finds an empty match after the limit', args: ['abracadabra', /.*?/, '$1', 1], fails: 'D1004' },
    { name: 'takes a matcher', args: ['abab', twoMatches, '-'], gives: 'a-a-' },
    {
      name: 'refuses an incomplete match',
      args: ['abab', () => ({ start: 1, match: 5 }), '-'],
      fails: 'T1010',
      differs: 'has no code for it',
    },
    { name: 'never leaves a lazy match short', args: ['abracadabra', /a.*?a/, '*'], gives: '*c*bra' },
  ])

  describeBuiltin('split', [
    { name: 'gives nothing for nothing', args: [undefined, ','] },
    { name: 'splits at text', args: ['a, b, c', ', '], gives: ['a', 'b', 'c'] },
    { name: 'keeps empty parts', args: [',a,,', ','], gives: ['', 'a', '', ''] },
    { name: 'gives a list of one without separator in it', args: ['abc', ','], gives: ['abc'] },
    { name: 'gives a list of empty text', args: ['', ','], gives: [''] },
    { name: 'splits into characters', args: ['abc', ''], gives: ['a', 'b', 'c'] },
    { name: 'splits empty text into no characters', args: ['', ''], gives: [] },
    { name: 'splits at a surrogate pair', args: ['12💩345💩6', '💩'], gives: ['12', '345', '6'] },
    { name: 'stops at the limit', args: ['a, b, c, d', ', ', 2], gives: ['a', 'b'] },
    { name: 'takes a fraction as limit', args: ['a, b, c, d', ', ', 2.5], gives: ['a', 'b'] },
    { name: 'takes a fraction below 1 as 0', args: ['a, b', ', ', 0.5], gives: [] },
    { name: 'gives an empty list for limit 0', args: ['a, b', ', ', 0], gives: [] },
    { name: 'takes a limit beyond the end', args: ['a,b', ',', 10], gives: ['a', 'b'] },
    { name: 'stops characters at the limit', args: ['abc', '', 2], gives: ['a', 'b'] },
    { name: 'refuses a negative limit', args: ['a, b', ', ', -3], fails: 'D3020' },
    { name: 'splits at a pattern', args: ['ababbxabbcc', /b+/], gives: ['a', 'a', 'xa', 'cc'] },
    { name: 'splits at a pattern up to the limit', args: ['ababbxabbcc', /b+/, 2], gives: ['a', 'a'] },
    { name: 'gives a list of one without match', args: ['ababbxabbcc', /d+/], gives: ['ababbxabbcc'] },
    { name: 'splits by a matcher', args: ['abab', twoMatches], gives: ['a', 'a', ''] },
    { name: 'refuses a missing separator', args: ['abab', undefined], fails: 'T0410', differs: 'has no code for it' },
  ])

  it('marks matches as a sequence', () => {
    expect(isSequence(runBuiltin('match', ['a', /a/]))).to.equal(true)
    expect(isSequence(runBuiltin('split', ['a', /b/]))).to.equal(false)
  })

  const hostile: readonly [string, unknown[]][] = [
    ['match', ['a'.repeat(100_000), /a/]],
    ['match', [`${'a'.repeat(20_000)}!`, /a*b|a/]],
    ['split', ['a'.repeat(1_000_000), '']],
    ['split', ['a'.repeat(100_000), /a/]],
    ['replace', ['a'.repeat(100_000), 'a', 'b'.repeat(10_000)]],
    ['replace', ['a'.repeat(100_000), /a+/, '$0'.repeat(1000)]],
    ['contains', ['a'.repeat(4_000_000), /(a+)+[^a]/]],
  ]
  hostile.forEach(([name, args], index) => {
    long.it(`ends at a limit: $${name} (${index})`, () => {
      expect(ours(name, args))
        .to.have.property('code')
        .that.matches(/^E100[12]$/)
    })
  })

  it('splits a file of 1,000 lines well within the budget', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `key${index} = value ${index}`)
    expect(ours('split', [lines.join('\n'), /\s*\n/])).to.deep.equal({ value: lines })
  })

  /** Where the library meets a defect of its own. */
  const unfit: readonly { name: string; builtin: string; args: readonly unknown[]; code: string }[] = [
    {
      name: 'a matcher that does not go on',
      builtin: 'match',
      args: ['abab', () => ({ match: 'a', start: 0, end: 1 })],
      code: 'T1010',
    },
    {
      name: 'a matcher without groups that does not go on',
      builtin: 'replace',
      args: ['abab', () => ({ match: 'a', start: 0, end: 1 }), 'x'],
      code: 'T1010',
    },
    { name: 'a matcher that says no place', builtin: 'split', args: ['abab', () => ({ groups: [] })], code: 'T1010' },
    { name: 'no pattern', builtin: 'replace', args: ['abab', undefined, 'x'], code: 'T0410' },
  ]
  for (const { name, builtin, args, code } of unfit) {
    it(`$${builtin} refuses ${name}`, () => expect(ours(builtin, args)).to.deep.equal({ code }))
  }
})

describe('regexFunction', () => {
  const find = (source: string, flags: string, subject: Value) =>
    regexFunction(source, flags, new Budget()).call([subject], undefined)

  it('gives the first match, and those after it', () => {
    const first = find('a(b)?', '', 'ab a') as { next: FunctionValue }
    expect(first).to.deep.include({ match: 'ab', start: 0, end: 2, groups: ['b'] })
    const second = first.next.call([], undefined) as { next: FunctionValue }
    expect(second).to.deep.include({ match: 'a', start: 3, end: 4, groups: [undefined] })
    expect(second.next.call([], undefined)).to.equal(undefined)
  })

  it('reads numbers and booleans as text, and matches nothing else', () => {
    expect(find('2', '', 123)).to.deep.include({ start: 1 })
    expect(find('rue', '', true)).to.deep.include({ start: 1 })
    for (const subject of [undefined, null, ['a'], { a: 'a' }]) expect(find('.', '', subject)).to.equal(undefined)
  })

  it('takes one argument, so that $filter and $map search every item from its start', () => {
    expect(regexFunction('a', '', new Budget()).arity).to.equal(1)
  })

  it('carries the engine, for functions that only look for matches', () => {
    expect(regexFunction('b', 'i', new Budget()).regex?.exec('aB', 0)).to.deep.include({ match: 'B', start: 1 })
  })

  it('says where an empty match arose', () => {
    const first = regexFunction('x*', '', new Budget(), 17).call(['ab'], undefined) as { next: FunctionValue }
    expect(() => first.next.call([], undefined))
      .to.throw(ExpressionError)
      .with.property('position', 17)
  })

  it('refuses what the engine cannot do, at load', () => {
    expect(() => regexFunction('(?=a)', '', new Budget(), 5))
      .to.throw(ExpressionError, 'lookaround')
      .that.includes({ code: 'E0301', phase: 'syntax', position: 5 })
  })

  it('takes its time from the budget', () => {
    const call = () =>
      regexFunction('(a+)+$', '', smallBudget({ steps: 100 })).call([`${'a'.repeat(5000)}!`], undefined)
    expect(call).to.throw(ExpressionError).with.property('code', 'E1001')
  })
})
