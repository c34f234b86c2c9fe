import { expect } from 'chai'
import { steadyOrder } from '../../../src/rolebook/playground/steady-order.ts'

describe('the places of siblings in a graph', () => {
  const cases = [
    { name: 'are as given at first', before: '', present: 'abc', expected: 'abc' },
    { name: 'stay although the server lists in another order', before: 'abc', present: 'cba', expected: 'abc' },
    { name: 'are at the end for a new one', before: 'abc', present: 'nabc', expected: 'abcn' },
    { name: 'of one that left are for the one that came', before: 'abc', present: 'acn', expected: 'anc' },
    { name: 'of one that left are for the last one', before: 'abcd', present: 'bcd', expected: 'dbc' },
    { name: 'move no more than they must', before: 'abcde', present: 'ace', expected: 'aec' },
    { name: 'are none when all have left', before: 'ab', present: '', expected: '' },
    { name: 'are new when all are others', before: 'ab', present: 'xyz', expected: 'xyz' },
  ]
  for (const { name, before, present, expected } of cases) {
    it(name, () => expect(steadyOrder([...before], [...present]).join('')).to.equal(expected))
  }
})
