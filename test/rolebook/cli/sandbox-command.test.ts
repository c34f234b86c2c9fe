import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { connect } from '../../../src/core/kube-client/connect.ts'
import { sandboxCommand } from '../../../src/rolebook/cli/commands/sandbox.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { Screen } from '../../../src/rolebook/cli/session/screen.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { RolebookProcess } from '../../support/rolebook-process.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'
import { NOTE_PROJECT } from './note-project.ts'

const RANGE = ['--service-cluster-ip-range', '10.5.0.0/16'] as const

describe('rolebook sandbox', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  async function sandbox(...args: readonly string[]) {
    const terminal = new FakeTerminal()
    const code = await runProgram(['sandbox', ...args], terminal)
    return { code, out: terminal.stdout, err: terminal.stderr }
  }

  it('takes the record of a process that is not a sandbox for none', async () => {
    const own = folder.at('kubeconfig')
    const record = { pid: process.pid, url: 'https://127.0.0.1:1', kubeconfig: own }
    const gone = JSON.stringify({ ...record, pid: spawnSync(process.execPath, ['--version']).pid })
    expect((await sandbox('status', '--kubeconfig', own)).code).to.equal(3)
    for (const text of [gone, JSON.stringify(record), JSON.stringify({ pid: 'x' }), '[]', 'no JSON']) {
      folder.write('sandbox.json', text)
      expect((await sandbox('status', '--kubeconfig', own)).code, text).to.equal(3)
      expect(await sandbox('stop', '--kubeconfig', own)).to.deep.include({
        code: 0,
        err: `No sandbox runs with ${own}.\n`,
      })
    }
  })

  it('says where one runs, and its dashboard', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [kubeconfig, ui] = [folder.at('other/kubeconfig'), 'http://127.0.0.1:1/?token=t']
    folder.write('other/sandbox.json', JSON.stringify({ pid: process.pid, url, ui }))
    const where = `The sandbox runs at ${url}, process ${process.pid}, kubeconfig ${kubeconfig}.`
    try {
      const status = ['status', '--kubeconfig', kubeconfig] as const
      expect(await sandbox(...status)).to.deep.include({ code: 0, out: `${where} Its dashboard is at ${ui}.\n` })
      const asked = JSON.parse((await sandbox(...status, '--output', 'json')).out)
      expect(asked).to.deep.equal({ running: true, pid: process.pid, url, kubeconfig, ui })
    } finally {
      server.close()
    }
  })

  const refused: readonly (readonly [name: string, args: readonly string[], says: RegExp])[] = [
    ['an action that is none', ['begin'], /no action begin/],
    ['two actions', ['stop', 'status'], /too many arguments/],
    ['a range of no addresses', ['--service-cluster-ip-range', '10.0.0.0'], /range of IPv4/],
    ['samples with --envtest', ['--envtest', '--samples'], /leave --samples out/],
    ['a file to load that is not there', ['--load', 'missing.yaml'], /cannot read missing\.yaml/],
    ['a dashboard of no project', ['--ui', '--envtest'], /--ui shows an operator, and none runs here/],
    [
      'a dashboard without an operator',
      ['--ui', '--no-operator', '--watches-file', folder.at('watches.yaml'), '--roles-path', folder.at('roles')],
      /--ui shows an operator, and none runs here/,
    ],
  ]
  for (const [name, args, says] of refused) {
    it(`refuses ${name}`, async () => {
      writeFiles(folder.path, NOTE_PROJECT)
      const { code, err } = await sandbox(...args)
      expect(code).to.equal(2)
      expect(err).to.match(says)
    })
  }

  long.it(
    'names the kinds that are served, gives Services the range that it was given, and keeps its kubeconfig with its state',
    async () => {
      const cwd = mkdtempSync(folder.at('session-'))
      const roles = '- {group: other.com, version: v1, kind: Thing, role: thing}\n'
      writeFiles(cwd, { ...NOTE_PROJECT, 'watches.yaml': NOTE_PROJECT['watches.yaml'] + roles })
      writeFileSync(join(cwd, 'roles/thing.yaml'), 'tasks: [{status: {seen: true}}]\n')
      const program = new RolebookProcess(['sandbox', '--data', 'kept', '--no-operator', ...RANGE], { cwd })
      await program.until('it is ready', ({ stdout }) => stdout.includes('kubectl get'))
      expect(program.stdout)
        .to.match(/kubectl get notes\b/)
        .and.to.not.include('things')
      const kubeconfig = join(cwd, '.rolebook/kubeconfig')
      const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
      const { items } = await connection.client.list({ group: '', version: 'v1', kind: 'Service' })
      await connection.close()
      expect(items[0]).to.have.nested.property('spec.clusterIP', '10.5.0.1')
      const where = await sandbox('status', '--kubeconfig', kubeconfig)
      expect(where.out).to.match(/^The sandbox runs at https:\/\/127\.0\.0\.1:\d+, process \d+, kubeconfig [^ ]+\.\n$/)
      expect(await sandbox('stop', '--kubeconfig', kubeconfig)).to.deep.equal({ code: 0, out: '', err: '' })
      expect(await program.ended()).to.equal(0)
      expect([existsSync(kubeconfig), /removed/.test(program.stderr)]).to.deep.equal([true, false])
      expect(readFileSync(kubeconfig, 'utf8')).to.include('https://127.0.0.1:')
    },
  )
})

describe('what a sandbox says', () => {
  const SESSION = { pid: 1, url: 'https://127.0.0.1:6443', kubeconfig: 'kubeconfig' }
  const OPTIONS = { heading: { url: SESSION.url, commands: [], note: '' }, details: async () => [] }

  function screen(...args: readonly string[]) {
    const terminal = new FakeTerminal({ color: true })
    const parsed = parseCommandLine(['sandbox', ...args], { commands: [sandboxCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    return { terminal, screen: new Screen(parsed.invocation) }
  }
  const textsOf = (lines: string): readonly unknown[] =>
    lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg)

  it('is a line of the log each with --log-format json, before and after it is ready', () => {
    const { screen: shown, terminal } = screen('--log-format', 'json')
    shown.logger.info('a line of the log')
    shown.terminal.err('a mistake in a role\n')
    shown.say('')
    expect([shown.terminal.color, textsOf(terminal.stderr)]).to.deep.equal([
      false,
      ['a line of the log', 'a mistake in a role'],
    ])
    shown.start(SESSION, OPTIONS)
    shown.showProblem('another one\n')
    expect(textsOf(terminal.stdout)).to.deep.equal(['sandbox ready'])
    expect(textsOf(terminal.stderr).at(-1)).to.equal('another one')
    shown.stop()
  })

  it('is where it runs for a program, and for people what is wrong', () => {
    const { screen: shown, terminal } = screen('--output', 'json')
    shown.start(SESSION, OPTIONS)
    shown.showProblem('a mistake\n')
    shown.showProblem(undefined)
    const { pid, url, kubeconfig } = SESSION
    expect(JSON.parse(terminal.stdout)).to.deep.equal({ url, kubeconfig, pid })
    expect([terminal.stderr, shown.terminal.color]).to.deep.equal(['a mistake\n', true])
    shown.stop()
  })
})
