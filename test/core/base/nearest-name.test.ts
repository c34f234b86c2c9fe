import { expect } from 'chai'
import { didYouMean, nearestName } from '../../../src/core/base/nearest-name.ts'

describe('nearestName', () => {
  const names = ['reconcilePeriod', 'namespaces', 'role', 'vars', 'kind']
  const cases = [
    { name: 'a letter too many', given: 'rolle', expected: 'role' },
    { name: 'a letter too few', given: 'namspaces', expected: 'namespaces' },
    { name: 'another letter', given: 'reconcilePeriot', expected: 'reconcilePeriod' },
    { name: 'two letters swapped', given: 'vras', expected: 'vars' },
    { name: 'another case', given: 'reconcileperiod', expected: 'reconcilePeriod' },
    { name: 'several mistakes in a long name', given: 'reconsilePerod', expected: 'reconcilePeriod' },
    { name: 'something else', given: 'playbook', expected: undefined },
    { name: 'another short word', given: 'is', expected: undefined },
    { name: 'nothing', given: '', expected: undefined },
  ]
  for (const { name, given, expected } of cases) {
    it(`${expected ? 'finds' : 'refuses'} ${name}`, () => expect(nearestName(given, names)).to.equal(expected))
  }

  it('asks only when there is something to ask', () => {
    expect(didYouMean('rol', names)).to.equal('did you mean `role`?')
    expect(didYouMean('xyz', names)).to.equal(undefined)
  })
})
