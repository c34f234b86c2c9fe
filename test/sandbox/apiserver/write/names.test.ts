import { expect } from 'chai'
import {
  checkLabel,
  checkLabel1035,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  checkSubdomain,
  type NameCheck,
} from '../../../../src/sandbox/apiserver/write/names.ts'

describe('Names', () => {
  const good: readonly (readonly [string, NameCheck, readonly string[]])[] = [
    ['subdomain', checkSubdomain, ['a', 'a-b.c0', '1.2', 'a'.repeat(253)]],
    ['label', checkLabel, ['a', 'a-b', '0', 'a'.repeat(63)]],
    ['RFC 1035 label', checkLabel1035, ['a', 'a-0']],
    ['path segment', checkPathSegment, ['system:controller:x', 'A b', '...']],
    ['label key', checkLabelKey, ['a', 'A_b.C-1', 'example.com/a', 'a'.repeat(63)]],
    ['label value', checkLabelValue, ['', 'a', 'A_b.C-1', 'a'.repeat(63)]],
  ]
  for (const [kind, check, names] of good) {
    for (const name of names) it(`"${name.slice(0, 20)}" is a ${kind}`, () => expect(check(name)).to.deep.equal([]))
  }

  const bad: readonly (readonly [string, NameCheck, string, RegExp])[] = [
    ['subdomain', checkSubdomain, 'A', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, 'a..b', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, '-a', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, 'a-', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, 'a.-b', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, 'a-.b', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, '.a', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, 'a.', /lowercase RFC 1123 subdomain/],
    ['subdomain', checkSubdomain, 'a'.repeat(254), /no more than 253 characters/],
    ['label', checkLabel, 'a.b', /must not contain dots/],
    ['label', checkLabel, 'a_b', /lowercase RFC 1123 label/],
    ['label', checkLabel, 'a'.repeat(64), /no more than 63 characters/],
    ['RFC 1035 label', checkLabel1035, '0a', /DNS-1035 label/],
    ['path segment', checkPathSegment, 'a/b', /may not contain '\/'/],
    ['path segment', checkPathSegment, 'a%b', /may not contain '%'/],
    ['path segment', checkPathSegment, '..', /may not be '\.\.'/],
    ['label key', checkLabelKey, '', /must be non-empty/],
    ['label key', checkLabelKey, '/a', /prefix part must be non-empty/],
    ['label key', checkLabelKey, 'a/', /name part must be non-empty/],
    ['label key', checkLabelKey, 'a/b/c', /a valid label key/],
    ['label key', checkLabelKey, `${'a'.repeat(254)}/b`, /prefix part must be no more than 253 bytes/],
    ['label key', checkLabelKey, 'a'.repeat(64), /name part must be no more than 63 bytes/],
    ['label value', checkLabelValue, 'a b', /a valid label must be an empty string or/],
    ['label value', checkLabelValue, 'a'.repeat(64), /no more than 63 bytes/],
  ]
  for (const [kind, check, name, text] of bad) {
    it(`"${name.slice(0, 20)}" is no ${kind}`, () => expect(check(name).join('; ')).to.match(text))
  }

  it('are checked in linear time', () => {
    const hostile = `${'a-'.repeat(100_000)}!`
    for (const check of [checkSubdomain, checkLabel, checkLabelKey, checkLabelValue]) {
      // Backtracking over this would not end before the test times out.
      expect(check(hostile)).not.to.deep.equal([])
    }
  })
})
