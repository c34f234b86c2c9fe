import { expect } from 'chai'
import fc, { type Arbitrary } from 'fast-check'
import { long } from '../../../support/long-tests.ts'
import { ours, theirs } from './builtin-cases.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', '0', '7', ' ', '\t', '.', ',', '-', '"', 'é', '💩', '\ud83d'),
  maxLength: 12,
})
const part = fc.oneof(fc.constantFrom('a', 'b', ' ', '💩', 'ab', '.'), text)
const count = fc.oneof(fc.integer({ min: -15, max: 15 }), fc.constantFrom(0.5, 1.5, -2.5, 2.999))
const limit = fc.option(fc.constantFrom(0, 0.5, 1, 2, 2.5, 7), { nil: undefined })
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -99, max: 9999 }),
)
const moderate = fc.double({ noNaN: true, min: -1e15, max: 1e15 })
const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })
const small = fc.oneof(
  fc.constantFrom<unknown>(0, 1, '0', '', 'a', true, false, null),
  fc.array(fc.constantFrom(0, 1, '1', null), { maxLength: 2 }),
)
const key = fc.constantFrom('a', 'b', '1', '__proto__', 'constructor')
const object = fc.dictionary(key, small, { maxKeys: 4 })
const pattern = fc.constantFrom(
  /a/,
  /(a)(b)?/,
  /[a-c]+/i,
  /\s+/,
  /(\d)|(\s)/,
  /b*/,
  /.*?b/,
  /^a|b$/,
  /(a|b)(a|b)(a|b)?/,
)
const template = fc.string({ unit: fc.constantFrom('$', '0', '1', '2', '3', 'x', '-', ' '), maxLength: 8 })
const marker = fc.constantFrom(
  ...'[Y] [Y,2] [Y0001] [M] [M01] [MNn] [MN,3-3] [D1o] [Dwo] [d] [F] [F1] [W] [w] [X] [xNn] [H] [h] [P] [m] [s] [f001] [YI] [Ma]'.split(
    ' ',
  ),
)
const picture = fc
  .array(fc.oneof(marker, fc.constantFrom('-', ' ', '[[', ']]', ':')), { maxLength: 6 })
  .map((parts) => parts.join(''))
const millis = fc.integer({ min: -50_000_000_000_000, max: 50_000_000_000_000 })
const integerPicture = fc.constantFrom(
  '0',
  '000',
  '#,##0',
  '0;o',
  'w',
  'W',
  'Ww;o',
  'i',
  'I',
  'a',
  'A',
  '٠',
  '#٬###٬##٠',
)
const whole = fc.integer({ min: -3999, max: 1_000_000 })
const numberPicture = fc.constantFrom(
  '0',
  '#',
  '0.0',
  '#.##',
  '#,##0.00',
  '0.00%',
  '0‰',
  '00.0e0',
  '#.#e00',
  '.00',
  '0;(0)',
  '$0.0#',
)

/** Properties that hold for any arguments: ours is the library. */
const properties: readonly (readonly [builtin: string, args: Arbitrary<unknown[]>])[] = [
  ['string', fc.tuple(json)],
  ['string', fc.tuple(json, fc.boolean())],
  ['length', fc.tuple(text)],
  ['substring', fc.tuple(text, count)],
  ['substring', fc.tuple(text, count, count)],
  ['substringBefore', fc.tuple(text, part)],
  ['substringAfter', fc.tuple(text, part)],
  ['trim', fc.tuple(text)],
  ['pad', fc.tuple(text, count, part)],
  ['contains', fc.tuple(text, fc.oneof(part, pattern))],
  ['split', fc.tuple(text, fc.oneof(part, pattern), limit)],
  ['replace', fc.tuple(text, fc.oneof(part, pattern), template, limit)],
  ['match', fc.tuple(text, pattern, limit)],
  ['number', fc.tuple(fc.string({ unit: fc.constantFrom('1', '0', '.', '-', 'e', '+', 'x', 'b'), maxLength: 5 }))],
  ['round', fc.tuple(number, fc.integer({ min: -5, max: 10 }))],
  ['power', fc.tuple(number, fc.constantFrom(0, 1, 2, -1, 0.5, 100))],
  ['formatBase', fc.tuple(number, fc.integer({ min: 0, max: 40 }))],
  ['sum', fc.tuple(fc.array(number))],
  ['boolean', fc.tuple(json)],
  ['type', fc.tuple(json)],
  ['distinct', fc.tuple(fc.array(fc.oneof(small, object)))],
  ['append', fc.tuple(json, json)],
  ['zip', fc.array(fc.array(small, { maxLength: 3 }), { minLength: 1, maxLength: 3 })],
  ['keys', fc.tuple(fc.oneof(object, fc.array(object, { maxLength: 3 })))],
  ['lookup', fc.tuple(fc.oneof(object, fc.array(object, { maxLength: 3 })), key)],
  ['spread', fc.tuple(fc.oneof(object, fc.array(fc.oneof(object, small), { maxLength: 3 })))],
  ['merge', fc.tuple(fc.array(object, { maxLength: 3 }))],
  ['encodeUrlComponent', fc.tuple(text)],
  ['base64decode', fc.tuple(text)],
  ['formatInteger', fc.tuple(whole, integerPicture)],
  ['formatNumber', fc.tuple(moderate, numberPicture)],
  ['fromMillis', fc.tuple(millis, picture)],
]

long.describe('any function with any arguments', () => {
  properties.forEach(([builtin, args], index) => {
    it(`does what the library does: $${builtin} (${index})`, async () => {
      await fc.assert(
        fc.asyncProperty(args, async (values) => {
          const library = await theirs(builtin, values)
          if (isSilent(library)) return
          expect(ours(builtin, values)).to.deep.equal(library)
        }),
        { numRuns: 150 },
      )
    })
  })
})

/** Where the library gives NaN, or fails without a code, we say what is wrong. */
function isSilent(outcome: Awaited<ReturnType<typeof theirs>>): boolean {
  return 'code' in outcome ? outcome.code === undefined : outcome.value === null
}
