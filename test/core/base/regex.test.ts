import { expect } from 'chai'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { compileRegex } from '../../../src/core/base/regex.ts'

const likeJavaScript: readonly {
  name: string
  source: string
  flags?: string
  text: string
}[] = [
  { name: 'groups, one of them idle', source: '(ab)|(a)', text: 'abcd' },
  { name: 'an optional group', source: 'a(b)?c', text: 'xacx' },
  {
    name: 'a group in a group',
    source: '(-?\\d+(?:\\.\\d*)?)F\\b',
    text: 'temperature = 68F today',
  },
  {
    name: 'a named group counts as a group',
    source: '(?<y>\\d{4})-(?:\\d)',
    text: 'in 2020-1',
  },
  {
    name: 'white space of all scripts',
    source: '\\s+',
    text: 'a\u00a0\u2003b',
  },
  { name: 'not white space', source: '\\S', text: '\u00a0\u2003b' },
  { name: 'white space in a class', source: '[x\\s]', text: 'a\u3000' },
  {
    name: 'no white space in a negated class',
    source: '[^\\s]',
    text: '\u00a0x',
  },
  {
    name: 'a negated set in a negated class',
    source: '[^\\S]',
    text: 'x\u00a0',
  },
  { name: 'the dot stops at line separators', source: '.', text: '\u2028a' },
  { name: 'a dot in a class is a dot', source: '[.]', text: 'a.' },
  { name: 'the empty class matches nothing', source: '[]', text: 'a' },
  {
    name: 'the negated empty class matches anything',
    source: '[^]',
    text: '\n',
  },
  { name: 'no POSIX classes', source: '[[:alpha:]]', text: ':]' },
  { name: 'a hyphen after a set', source: '[\\w-]+', text: 'a-b' },
  {
    name: 'a hyphen between a set and a character',
    source: '[\\w-a]+',
    text: '.-b',
  },
  { name: 'a hyphen first', source: '[-a]', text: '-' },
  { name: 'a hyphen last', source: '[a-]', text: '-' },
  { name: 'an escaped hyphen', source: '[a\\-z]', text: 'm-' },
  { name: 'a range', source: '[b-d]+', text: 'abcde' },
  { name: 'backspace in a class', source: '[\\b]', text: 'a\b' },
  { name: 'brackets in a class', source: '[\\]\\\\]', text: ']' },
  { name: 'braces that repeat nothing', source: 'a{,5}', text: 'a{,5}' },
  { name: 'braces as text', source: '{x}', text: '{x}' },
  { name: 'a lone closing bracket', source: ']}', text: ']}' },
  { name: 'a repetition', source: 'x{2}', text: 'xxx' },
  { name: 'a lazy repetition', source: 'x{1,}?', text: 'xxx' },
  {
    name: 'letters RE2 would read something into',
    source: '\\/\\-\\_\\q\\a\\z\\A\\Q',
    text: '/-_qazAQ',
  },
  { name: 'codes', source: '\\u0041\\x42\\cJ\\0\\t', text: 'AB\n\0\t' },
  {
    name: 'a surrogate pair as two escapes',
    source: '\\ud83d\\udca9',
    text: 'x💩',
  },
  { name: 'half a surrogate pair as an escape', source: '\\ud83d', text: 'x\ud83d' },
  { name: 'half a surrogate pair and another escape', source: '\\ud83d\\u0041', text: 'x\ud83dA' },
  { name: 'a character beyond the first plane', source: '💩', text: 'x💩' },
  { name: 'flag i', source: 'HAT', flags: 'i', text: 'that' },
  { name: 'flag i beyond ASCII', source: 'é', flags: 'i', text: 'É' },
  { name: 'flag m', source: '^a$', flags: 'm', text: 'b\na\nc' },
  { name: 'flag g', source: 'a', flags: 'g', text: 'ba' },
  { name: 'the end, not the last newline', source: 'a$', text: 'a\n' },
  { name: 'a word boundary', source: '\\bfoo\\b', text: 'a foo b' },
  { name: 'an empty match', source: 'x*', text: 'abc' },
  { name: 'nothing', source: 'x', text: 'abc' },
]

const refused: readonly {
  name: string
  source: string
  flags?: string
  says: string
}[] = [
  { name: 'lookahead', source: '(?=a)', says: 'lookaround' },
  { name: 'negative lookbehind', source: '(?<!a)b', says: 'lookaround' },
  { name: 'a backreference', source: '(a)\\1', says: 'backreference' },
  {
    name: 'a named backreference',
    source: '(?<x>a)\\k<x>',
    says: 'backreference',
  },
  { name: 'a Unicode property', source: '\\p{L}', says: '\\p{L}' },
  { name: 'inline flags', source: '(?i:a)', says: '(?i:' },
  { name: 'a repetition over 1000', source: 'a{2000}', says: 'repeat count' },
  { name: 'flag s', source: 'a', flags: 's', says: '"s"' },
  { name: 'a class that is not closed', source: '[a', says: 'the regular expression /[a/ uses its end' },
]

describe('compileRegex', () => {
  for (const { name, source, flags = '', text } of likeJavaScript) {
    it(`matches as JavaScript does: ${name}`, () => {
      const found = new RegExp(source, flags).exec(text)
      const expected = found && {
        match: found[0],
        start: found.index,
        end: found.index + found[0].length,
        groups: found.slice(1),
      }
      expect(compileRegex(source, flags).exec(text, 0) ?? null).to.deep.equal(expected)
    })
  }

  for (const { name, source, flags = '', says } of refused) {
    it(`refuses ${name} and says so`, () => {
      const error = thrownBy(() => compileRegex(source, flags))
      expect(error).to.be.instanceOf(CodedError)
      expect((error as CodedError).code).to.equal('RegexNotSupported')
      expect((error as CodedError).message).to.include(says)
    })
  }

  it('searches from an offset, and knows what stands before it', () => {
    const regex = compileRegex('\\bb|^b', '')
    expect(regex.exec('ab b', 1)?.start).to.equal(3)
    expect(regex.exec('ab b', 4)).to.equal(undefined)
    expect(regex.exec('ab b', 5)).to.equal(undefined)
  })

  it('takes whole characters beyond the first plane', () => {
    expect(compileRegex('[💩]', '').exec('x💩', 0)).to.deep.equal({
      match: '💩',
      start: 1,
      end: 3,
      groups: [],
    })
  })

  it('takes time linear in the text where backtracking would not end', () => {
    for (const source of ['(a+)+$', '^([a-zA-Z0-9]+\\s?)*$', '(x+x+)+y|(a|a)*$']) {
      const work = workOf(source, `${'a'.repeat(20_000)}!`)
      expect(work, source).to.be.lessThan(40 * 20_000)
    }
  })

  it('reports its work while it searches, so that the caller can stop it', () => {
    const stop = new Error('enough')
    let units = 0
    const search = () =>
      compileRegex('(a+)+[^a]', '').exec('a'.repeat(1_000_000), 0, (count) => {
        units += count
        if (units > 100_000) throw stop
      })
    expect(thrownBy(search)).to.equal(stop)
    expect(units).to.be.lessThan(110_000)
  })

  it('counts a literal that is far away', () => {
    expect(workOf('needle', 'a'.repeat(64_000))).to.be.greaterThan(1000)
  })

  it('counts more for a pattern with many instructions over a long text', () => {
    const text = 'x'.repeat(9000)
    expect(workOf('(x?){100}z?[a-y]{100}z', `${text}z`)).to.be.greaterThan(10 * workOf('x+z', `${text}z`))
  })
})

function workOf(source: string, text: string): number {
  let units = 0
  compileRegex(source, '').exec(text, 0, (count) => {
    units += count
  })
  return units
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}
