import { expect } from 'chai'
import { sortProblems } from '../../../src/engine/chart/sort-problems.ts'

describe('problems that Helm lists', () => {
  const cases = [
    { name: 'one line', given: ['b: a'], expected: ['b: a'] },
    { name: 'other lines stay', given: ['z', 'a'], expected: ['z', 'a'] },
    { name: 'problems below a chart', given: ['demo:', '- b', '- a'], expected: ['demo:', '- a', '- b'] },
    {
      name: 'two charts',
      given: ['z:', '- b', '- a', 'a:', '- d', '- c'],
      expected: ['z:', '- a', '- b', 'a:', '- c', '- d'],
    },
    { name: 'nested ones', given: ['- b', '  - d', '  - c', '- a'], expected: ['- a', '- b', '  - c', '  - d'] },
    {
      name: 'lines of a template',
      given: ['a.yaml:1', '  executing', '    nil'],
      expected: ['a.yaml:1', '  executing', '    nil'],
    },
  ]
  for (const { name, given, expected } of cases) {
    it(`have one order: ${name}`, () => expect(sortProblems(given.join('\n'))).to.equal(expected.join('\n')))
  }
})
