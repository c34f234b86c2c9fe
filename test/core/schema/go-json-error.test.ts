import { expect } from 'chai'
import fc from 'fast-check'
import { goJsonError } from '../../../src/core/schema/go-json-error.ts'

/** Pieces of JSON, and letters that break it. */
const pieces = fc.constantFrom(
  ...'{}[],:" \n\t\\0123456789-+.eE',
  ...[
    '"a":',
    '"b"',
    'true',
    'false',
    'null',
    '\\n',
    '\\u00e9',
    '\\u0',
    '\\x',
    '1.5',
    '0e',
    'ä',
    '\u0001',
    '\u007f',
    "'",
    'x',
  ],
)

describe('What Go says about broken JSON', () => {
  it('is said of what V8 does not read either, and of nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }).map((texts) => texts.join('')),
        (text) => {
          expect(goJsonError(text) !== undefined, text).to.equal(isBroken(text))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('is nothing of any JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => goJsonError(text) === undefined))
  })
})

function isBroken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
