import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parseCommandLine } from '../../src/rolebook/cli/parse-command-line.ts'
import { loadCommands } from '../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'

const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], {
  exclude: ['docs/site/node_modules/**'],
})

/** The arguments of every `npx rolebook …` of a page, up to the end of the code, a comment or a redirection. */
function commandsIn(page: string): readonly (readonly string[])[] {
  const lines = [...page.matchAll(/npx rolebook\b([^\n`#>]*)/g)].map(([, words = '']) => words)
  return lines.map((words) => [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain))
}

/** What the program says against a command, without running it. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const terminal = new FakeTerminal()
  const parsed = parseCommandLine(args, { commands: await loadCommands(), terminal })
  return 'exitCode' in parsed ? terminal.stderr : ''
}

describe('the commands of the pages', () => {
  for (const path of PAGES) {
    const commands = commandsIn(readFileSync(path, 'utf8'))
    if (commands.length === 0) continue
    it(`are taken by the program: ${path}`, async () => {
      const refusals = await Promise.all(commands.map(refusalOf))
      expect(refusals.filter((text) => text !== '')).to.deep.equal([])
    })
  }

  it('are refused with a flag that does not exist', async () => {
    const [args = []] = commandsIn('```sh\nnpx rolebook check --stirct   # a slip\n```\n')
    expect(args).to.deep.equal(['check', '--stirct'])
    expect(await refusalOf(args)).to.include('--stirct')
  })
})
