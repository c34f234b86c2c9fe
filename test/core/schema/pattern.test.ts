import { expect } from 'chai'
import { compileGoPattern, matchesPattern } from '../../../src/core/schema/pattern.ts'

/** What `regexp.Compile` of Go 1.26 says of patterns that it refuses. */
const REFUSED: readonly (readonly [pattern: string, cause: string])[] = [
  ['a{1,1001}', 'invalid repeat count: `{1,1001}`'],
  ['(a{500}){3}', 'invalid repeat count: `{3}`'],
  ['a{2,1}', 'invalid repeat count: `{2,1}`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['\\1', 'invalid escape sequence: `\\1`'],
  ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
  ['[a', 'missing closing ]: `[a`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a)', 'unexpected ): `a)`'],
  ['\\', 'trailing backslash at end of expression: ``'],
]

const MATCHED: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
  ['^((?i)january|feb)(?:\\d)$', 'JANUARY1', true],
  ['^((?i)january|feb)(?:x)$', 'JANUARYX', false],
  ['^(?i:a)b$', 'AB', false],
  ['(?s)^a.b$', 'a\nb', true],
  ['^a.b$', 'a\rb', true],
  ['(?m)^b$', 'a\nb', true],
  ['(?U)^a+$', 'aa', true],
  ['^\\Qa.b\\E$', 'a.b', true],
  ['^\\x{1F600}$', '😀', true],
  ['^[[:^alpha:]]+$', '12', true],
  ['^\\PL$', '1', true],
  ['^\\pL$', 'é', true],
  ['^a{,5}$', 'a{,5}', true],
]

describe('patterns in the syntax of Go', () => {
  for (const [pattern, cause] of REFUSED) {
    it(`refuse ${pattern}`, () =>
      expect(compileGoPattern(pattern)).to.have.property('message', `error parsing regexp: ${cause}`))
  }

  for (const [pattern, text, matches] of MATCHED) {
    it(`${pattern} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () =>
      expect(matchesPattern(text, pattern)).to.equal(matches))
  }
})
