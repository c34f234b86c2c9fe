import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { explain } from '../../../src/core/base/coded-error.ts'
import { testCommand } from '../../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { type Confirmation, confirmCluster, testedCluster } from '../../../src/rolebook/cli/tested-cluster.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const TARGET = { context: 'kind-dev', server: 'https://10.0.0.1:6443' }

interface Case {
  readonly name: string
  readonly isNamed?: boolean
  /** Absent: there is no terminal. */
  readonly answer?: string
  readonly agreed: boolean | RegExp
  readonly shown?: RegExp
}

const cases: readonly Case[] = [
  {
    name: 'is agreed to by its name',
    isNamed: true,
    agreed: true,
    shown: /run on context kind-dev \(https:\/\/10\.0\.0\.1/,
  },
  { name: 'is agreed to by y', answer: 'y', agreed: true },
  { name: 'is agreed to by yes', answer: ' Yes ', agreed: true },
  { name: 'is not agreed to by no answer', answer: '', agreed: false, shown: /nothing was done/ },
  { name: 'is not agreed to by another answer', answer: 'yesterday', agreed: false },
  {
    name: 'is refused where no terminal is',
    agreed: /context kind-dev \(https.*name it by --context kind-dev, or give --yes/,
  },
]

describe('a cluster that tests may write to', () => {
  for (const { name, isNamed = false, answer, agreed, shown = /^/ } of cases) {
    it(name, async () => {
      const asked: string[] = []
      const reply = async (question: string): Promise<string> => {
        asked.push(question)
        return answer ?? ''
      }
      const ask = answer === undefined ? undefined : reply
      const terminal = new FakeTerminal(ask && { ask })
      expect(await outcomeOf({ terminal, isNamed })).to.satisfy((got: unknown) =>
        agreed instanceof RegExp ? agreed.test(String(got)) : got === agreed,
      )
      expect(terminal.stderr).to.match(shown)
      for (const question of asked)
        expect(question).to.match(/context kind-dev \(https:\/\/10\.0\.0\.1:6443\).*\[y\/N\]/)
    })
  }

  async function outcomeOf(confirmation: Confirmation): Promise<unknown> {
    return confirmCluster(TARGET, confirmation).catch(explain)
  }
})

describe('the cluster of the pod in which tests run', () => {
  const target = { context: undefined, server: 'https://10.0.0.1:443' }

  it('is called that, as it has no context', async () => {
    const terminal = new FakeTerminal()
    expect(await confirmCluster(target, { terminal, isNamed: true })).to.equal(true)
    expect(terminal.stderr).to.equal('the tests run on the cluster of this pod (https://10.0.0.1:443)\n')
  })

  it('cannot be named, only be agreed to', async () => {
    const refused = await confirmCluster(target, { terminal: new FakeTerminal(), isNamed: false }).catch(explain)
    expect(refused).to.equal(
      'the tests would write to the cluster of this pod (https://10.0.0.1:443), and there is no terminal to ask on: give --yes',
    )
  })
})

describe('the flags of tests on a cluster', () => {
  const folder = temporaryFolder()
  const kubeconfig = join(folder.path, 'config')
  before(() => {
    const cluster = { server: 'https://127.0.0.1:1' }
    const context = { cluster: 'c', user: 'u' }
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'first', users: [{ name: 'u', user: { token: 't' } }] },
      ...{
        clusters: [{ name: 'c', cluster }],
        contexts: [
          { name: 'first', context },
          { name: 'second', context },
        ],
      },
    }
    writeFileSync(kubeconfig, JSON.stringify(config))
  })
  after(() => folder.remove())

  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['--context alone', ['--context', 'a'], /--context is about a cluster: give --cluster, too/],
    ['--yes alone', ['--yes'], /--yes is about a cluster/],
    ['--timeout alone', ['--timeout', '5s'], /--timeout is about a cluster/],
    ['--update on a cluster', ['--cluster', '--update'], /leave --cluster out/],
    ['a context that is not there', ['--cluster', '--kubeconfig', kubeconfig, '--context', 'third'], /third/],
    [
      'no name and no terminal',
      ['--cluster', '--kubeconfig', kubeconfig],
      /context first \(https:\/\/127\.0\.0\.1:1\)/,
    ],
  ]
  for (const [name, args, message] of wrong) {
    it(`refuse ${name}`, async () => {
      expect(await outcomeOf(...args)).to.match(message)
    })
  }

  it('name the cluster, and how long a step waits', async () => {
    const given = ['--cluster', '--kubeconfig', kubeconfig]
    expect(await outcomeOf(...given, '--yes')).to.have.property('timeout', 60_000)
    expect(await outcomeOf(...given, '--context', 'second', '--timeout', '5s')).to.have.property('timeout', 5000)
    expect(await outcomeOf()).to.equal(undefined)
  })

  it('do nothing where the person at the terminal says no', async () => {
    const terminal = new FakeTerminal({ ask: async () => 'n' })
    expect(await runProgram(['test', '--cluster', '--kubeconfig', kubeconfig], terminal)).to.equal(1)
    expect([terminal.stdout, terminal.stderr]).to.deep.equal(['', 'nothing was done\n'])
  })

  async function outcomeOf(...args: readonly string[]): Promise<unknown> {
    const terminal = new FakeTerminal()
    const parsed = parseCommandLine(['test', ...args], { commands: [testCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    return testedCluster(parsed.invocation).catch(explain)
  }
})
