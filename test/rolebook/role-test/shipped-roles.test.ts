import { expect } from 'chai'
import { testCommand } from '../../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'

describe('rolebook test', function () {
  this.timeout(120_000)

  long.it('passes for every role of this repository', async () => {
    const terminal = new FakeTerminal()
    const parsed = parseCommandLine(['test'], { commands: [testCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    const code = await parsed.command.run(parsed.invocation)
    expect(code, terminal.stdout + terminal.stderr).to.equal(0)
    expect(terminal.stdout).to.match(/\d+ tests: \d+ passed, 0 failed/)
  })
})
