import { env } from 'node:process'
import { expect } from 'chai'
import fc from 'fast-check'
import { compareWithLibrary } from './compare-with-library.ts'
import { randomExpression, randomInput } from './random-expression.ts'

const RUNS = 3000
/** Always the same pairs; another number finds others. */
const SEED = Number(env.SEED ?? 1)
/** On a slow machine less are run. */
const MILLISECONDS = 3000

/** What random pairs have brought to light. */
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
]

describe('a block that ends in a list, as the beginning of a path', () => {
  for (const source of FOUND) {
    it(source, async () => {
      const { actual, wanted } = await compareWithLibrary(source, {})
      expect(actual).to.deep.equal(wanted)
    })
  }
})

describe('2: random expressions over random Kubernetes-like data', function () {
  this.timeout(60_000)

  it('have the value, or the error with code and position, that the library gives', async () => {
    await fc.assert(
      fc.asyncProperty(randomExpression, randomInput, async (source, input) => {
        const { actual, wanted } = await compareWithLibrary(source, input)
        if (wanted !== undefined) expect(actual).to.deep.equal(wanted)
      }),
      { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: MILLISECONDS },
    )
  })
})
