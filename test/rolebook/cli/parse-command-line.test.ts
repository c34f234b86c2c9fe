import { env } from 'node:process'
import { expect } from 'chai'
import type { Command, Invocation } from '../../../src/rolebook/cli/command.ts'
import { runCommand } from '../../../src/rolebook/cli/commands/run.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'

const greet: Command = {
  name: 'greet',
  summary: 'greet a person',
  description: 'Greets a person, loudly when asked to.',
  arguments: '[names...]',
  options: [
    { flags: '--how-often <count>', description: 'times', default: '1', environment: 'HOW_OFTEN' },
    { flags: '--mood <mood>', description: 'mood', choices: ['glad', 'sad'] },
    { flags: '--loud', description: 'loudly' },
    { flags: '--version <version>', description: 'of the greeting' },
  ],
  examples: ['rolebook greet --loud Ada'],
  run: async () => 0,
}

function parse(args: readonly string[], terminal = new FakeTerminal()) {
  return parseCommandLine(args, { commands: [greet], terminal })
}

function invocationOf(args: readonly string[]): Invocation {
  const parsed = parse(args)
  if ('exitCode' in parsed) throw new Error(`refused with ${parsed.exitCode}`)
  return parsed.invocation
}

describe('the command line', () => {
  it('gives options, flags and files', () => {
    const invocation = invocationOf(['greet', '--loud', '--how-often', '3', 'Ada', 'Bob'])
    expect(invocation.text('how-often')).to.equal('3')
    expect(invocation.flag('loud')).to.equal(true)
    expect(invocation.files).to.deep.equal(['Ada', 'Bob'])
  })

  it('fills in defaults', () => {
    const invocation = invocationOf(['greet'])
    expect(invocation.text('how-often')).to.equal('1')
    expect(invocation.text('mood')).to.equal(undefined)
    expect(invocation.flag('loud')).to.equal(false)
  })

  for (const flag of ['--version', '-V']) {
    it(`prints the version for ${flag}, with exit code 0`, () => {
      const terminal = new FakeTerminal()
      expect(parse([flag], terminal)).to.deep.equal({ exitCode: 0 })
      expect(terminal.stdout).to.match(/^rolebook \d+\.\d+\.\d+ \(Node v\d+\S+\)\n$/)
    })
  }

  it('calls itself as a person calls it', () => {
    const terminal = new FakeTerminal()
    parseCommandLine(['greet', '--help'], { commands: [greet], terminal, calledAs: 'kubectl rolebook' })
    expect(terminal.stdout).to.match(/^Usage: kubectl rolebook greet [\s\S]*\n {2}kubectl rolebook greet --loud Ada\n/)
  })

  it('gives a command its own --version', () => {
    expect(invocationOf(['greet', '--version', 'v1']).text('version')).to.equal('v1')
  })

  const namespaces: readonly { readonly name: string; readonly args: readonly string[]; readonly found: string }[] = [
    { name: 'those of WATCH_NAMESPACE', args: [], found: 'a,b' },
    { name: 'those of --namespace before them', args: ['--namespace', 'c'], found: 'c' },
  ]
  for (const { name, args, found } of namespaces) {
    it(`takes namespaces to watch from ${name}`, () => {
      env.WATCH_NAMESPACE = 'a,b'
      try {
        const parsed = parseCommandLine(['run', ...args], { commands: [runCommand], terminal: new FakeTerminal() })
        expect('invocation' in parsed && parsed.invocation.text('namespace')).to.equal(found)
      } finally {
        delete env.WATCH_NAMESPACE
      }
    })
  }

  const refused = [
    { name: 'nothing at all', args: [], says: 'Usage: rolebook', exitCode: 2 },
    { name: 'an unknown command', args: ['gret'], says: "unknown command 'gret'", exitCode: 2 },
    { name: 'an unknown flag', args: ['greet', '--lound'], says: 'Did you mean --loud?', exitCode: 2 },
    { name: 'a value that is no choice', args: ['greet', '--mood', 'odd'], says: 'glad, sad', exitCode: 2 },
    { name: 'a flag without its value', args: ['greet', '--mood'], says: 'argument missing', exitCode: 2 },
  ] as const
  for (const { name, args, says, exitCode } of refused) {
    it(`refuses ${name} on standard error, with exit code ${exitCode}`, () => {
      const terminal = new FakeTerminal()
      expect(parse(args, terminal)).to.deep.equal({ exitCode })
      expect(terminal.stderr).to.include(says)
      expect(terminal.stdout).to.equal('')
    })
  }

  const helps = [
    { name: 'the program', args: ['--help'], says: ['greet a person', 'Exit codes'] },
    {
      name: 'a command',
      args: ['greet', '--help'],
      says: ['loudly when asked', '--how-often', 'rolebook greet --loud Ada', 'HOW_OFTEN'],
    },
  ]
  for (const { name, args, says } of helps) {
    it(`prints the help of ${name} on standard output, with exit code 0`, () => {
      const terminal = new FakeTerminal()
      expect(parse(args, terminal)).to.deep.equal({ exitCode: 0 })
      for (const text of says) expect(terminal.stdout).to.include(text)
    })
  }
})
