import { expect } from 'chai'
import { runCommand } from '../../../src/rolebook/cli/commands/run.ts'
import { newLogger } from '../../../src/rolebook/cli/new-logger.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'

describe('the log of rolebook run', () => {
  const cases = [
    {
      name: 'text for a person at a terminal',
      args: [],
      interactive: true,
      line: /^\d\d:\d\d:\d\d info {2}hello a=1\n$/,
    },
    {
      name: 'JSON for a collector',
      args: [],
      interactive: false,
      line: /^\{"level":"info",.*"a":1,"msg":"hello"\}\n$/,
    },
    { name: 'JSON where it is asked for', args: ['--log-format=json'], interactive: true, line: /^\{/ },
    { name: 'text where it is asked for', args: ['--log-format=text'], interactive: false, line: /info {2}hello/ },
    { name: 'nothing below its level', args: ['--log-level=warn'], interactive: true, line: /^$/ },
  ]
  for (const { name, args, interactive, line } of cases) {
    it(`is ${name}`, () => {
      const terminal = new FakeTerminal({ interactive })
      const parsed = parseCommandLine(['run', ...args], { commands: [runCommand], terminal })
      if ('exitCode' in parsed) throw new Error(terminal.stderr)
      newLogger(parsed.invocation, (text) => terminal.err(text)).info('hello', { a: 1 })
      expect(terminal.stderr).to.match(line)
    })
  }
})
