import { expect } from 'chai'
import fc from 'fast-check'
import { makeTextSearch } from '../../../../src/engine/expression/builtins/text-search.ts'
import { Budget } from '../../../../src/engine/expression/compile/budget.ts'
import { ours, smallBudget } from './builtin-cases.ts'

describe('makeTextSearch', () => {
  it('finds what indexOf finds', () => {
    const piece = fc.constantFrom('a', 'b', 'ab', 'aab', 'a'.repeat(33), `${'a'.repeat(40)}b`)
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, text, fc.nat(100), (haystack, needle, from) => {
        const start = Math.min(from, haystack.length)
        expect(makeTextSearch(needle, new Budget())(haystack, start)).to.equal(haystack.indexOf(needle, start))
      }),
      { numRuns: 2000 },
    )
  })

  it('finds a long part, from an offset, not before it', () => {
    const part = `${'ab'.repeat(50)}c`
    const search = makeTextSearch(part, new Budget())
    const text = `ab${part}xx${part}`
    expect([search(text), search(text, 3), search(text, text.length)]).to.deep.equal([2, 105, -1])
  })

  it('takes linear time where indexOf takes 40 seconds', () => {
    const text = 'a'.repeat(1_000_000)
    const part = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`
    expect(ours('contains', [text, part])).to.deep.equal({ value: false })
    expect(ours('split', [text, part])).to.deep.equal({ value: [text] })
    expect(ours('replace', [text, part, 'x'])).to.deep.equal({ value: text })
    expect(ours('substringAfter', [text, part])).to.deep.equal({ value: text })
  })

  it('pays for what it looks at', () => {
    expect(ours('contains', ['a'.repeat(64_000), 'b'], smallBudget({ steps: 1000 }))).to.deep.equal({ code: 'E1001' })
  })
})
