import { expect } from 'chai'
import { startCommand } from '../../../src/rolebook/cli/start-command.ts'

describe('what a person types', () => {
  const cases = [
    { name: 'in a project with the package', isOneFile: undefined, expected: 'npx rolebook' },
    { name: 'beside the executable', isOneFile: true, expected: 'rolebook' },
  ]
  for (const { name, isOneFile, expected } of cases) {
    it(`is ${expected} ${name}`, () => expect(startCommand(isOneFile)).to.equal(expected))
  }
})
