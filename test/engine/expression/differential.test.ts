import { env } from 'node:process'
import { expect } from 'chai'
import fc from 'fast-check'
import { long } from '../../support/long-tests.ts'
import { compareWithLibrary } from './compare-with-library.ts'
import { randomExpression, randomInput } from './random-expression.ts'

const RUNS = 3000
/** Always the same pairs; another number finds others. */
const SEED = Number(env.SEED ?? 1)
/** On a slow machine less are run. */
const MILLISECONDS = 3000

const FOUND = [
  '([0].metadata).a',
  '([0].metadata).*',
  '([0].metadata).a{"k": 1}',
  '([0].metadata)^($)',
  '([1].x; 5).a',
  '([1].x; []).a',
  '([1].x; "abc").$uppercase()',
  '([1].x; "ab").$[]',
  '([1].x; {"length": 1}).$',
  '[$, $map(0, function($v){ $map(0, function($v, $i){ [$i, $v] }) ?? 1 })]',
  '[$, $map(0, function($v){ (($map(0, function($v, $i){ [$i, $v] }) ?? ($x := a; [$x]))) })]',
  '[$, $map(0, function($v){ $filter(0, function($v){ false }) ?? [$v] })]',
  '[$, $map([0, 1], function($v){ $map($v, function($w){ [$w, 1] }) ?? $map(2, function($w){ [$w] }) ?? 3 })]',
  '($map(0, $keys) ?? 0)',
  '[$, $map(0, function($v){ (a ?? $map(2, function($w){ [$w] }) ?? 3) })]',
  '($f := $string ~> $length; $f($map({"a": ([])}, $spread)))',
  '($f := $spread ~> $string; $f({"a": 1}))',
]

describe('what random pairs have brought to light', () => {
  for (const source of FOUND) {
    it(source, async () => {
      const { actual, wanted } = await compareWithLibrary(source, {})
      expect(actual).to.deep.equal(wanted)
    })
  }
})

describe('random expressions over random Kubernetes-like data', function () {
  this.timeout(60_000)

  long.it('have the value, or the error with code and position, that the library gives', async () => {
    await fc.assert(
      fc.asyncProperty(randomExpression, randomInput, async (source, input) => {
        const { actual, wanted } = await compareWithLibrary(source, input)
        if (wanted !== undefined) expect(actual).to.deep.equal(wanted)
      }),
      { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: MILLISECONDS },
    )
  })
})
