/** `npm run build:executable`: one file that does all that the package does, on a machine without Node. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { arch, execPath, platform } from 'node:process'
import { expect } from 'chai'
import { archiveName, NODE_VERSION, TARGETS } from '../../bin/executable/node-bases.ts'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import { LanguageClient } from '../rolebook/lsp/language-client.ts'
import { builtProgram } from '../support/built-program.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TARGET = `${platform}-${arch}`
const WEBSITE = ['--group', 'example.com', '--version', 'v1', '--kind', 'Website']
const TOMCAT = '- { group: apache.org, version: v1alpha1, kind: Tomcat, role: tomcat }\n'
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' }
const READY = 'tomcat-sample Ready=True'

describe('the executable', function () {
  this.timeout(600_000)
  const folder = temporaryFolder()
  const program = folder.at('rolebook')
  /** No Node is on the path, and nothing else. */
  const env = { PATH: folder.at('path'), HOME: folder.at('home'), TMPDIR: folder.at('tmp') }
  const run = (project: string, ...args: readonly string[]) =>
    spawnSync(program, args, { cwd: folder.at(project), env, encoding: 'utf8' })
  const runWell = (project: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = run(project, ...args)
    expect(status, stdout + stderr).to.equal(0)
    return stdout + stderr
  }
  const start = (project: string, ...args: readonly string[]): RolebookProcess =>
    new RolebookProcess(args, { cwd: folder.at(project), env, node: program, program: join(program, 'bin/rolebook') })
  const deploymentsOf = async (project: string): Promise<readonly unknown[]> => {
    const kubeconfig = join(folder.at(project), '.rolebook/kubeconfig')
    const { client, close } = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
    const { items } = await client.list(DEPLOYMENT)
    await close()
    return items.map(({ metadata }) => metadata.name)
  }

  before(() => {
    for (const name of ['path', 'home', 'tmp', 'website', 'chart', 'empty']) mkdirSync(folder.at(name))
    build(folder.path, '--archive', '--dist', builtProgram())
    execFileSync('tar', ['-xzf', archiveName(TARGET as (typeof TARGETS)[number])], { cwd: folder.path })
    folder.write('chart/watches.yaml', TOMCAT)
    cpSync('roles/tomcat', folder.at('chart/roles/tomcat'), { recursive: true })
  })
  after(() => folder.remove())

  it('comes with the licences of what it holds', () => {
    for (const name of ['LICENSE', 'LICENSE-NODE', 'THIRD-PARTY-LICENSES.txt']) {
      expect(readFileSync(folder.at(name), 'utf8')).to.match(/Licen[sc]e/i)
    }
  })

  it('is refused for a system for which npm has no Node', () => {
    const { status, stderr } = spawnSync(execPath, ['bin/build-executable.ts', '--target', 'aix-ppc64'], {
      encoding: 'utf8',
    })
    expect(status).to.equal(2)
    expect(stderr).to.include(TARGETS.join(', '))
  })

  const commands = [
    { args: ['--version'], says: new RegExp(`^rolebook \\d+\\.\\d+\\.\\d+ \\(Node v${NODE_VERSION}\\)$`, 'm') },
    { args: ['init', ...WEBSITE], says: /^ {2}rolebook check\n {2}rolebook test\n/m },
    { args: ['check'], says: /^1 watch and 1 role are in order$/m },
    { args: ['test'], says: /1 passed, 0 failed/ },
    { args: ['prove', '--cases', '2'], says: /^ok +website \(Website\.example\.com\) +2\D/m },
    { args: ['graph', 'website'], says: /./ },
  ]
  for (const { args, says } of commands) {
    it(`runs rolebook ${args.join(' ')}`, () => {
      expect(runWell('website', ...args)).to.match(says)
    })
  }

  it('renders a Helm chart, in a thread of its own', () => {
    expect(runWell('chart', 'render', 'roles/tomcat/samples/tomcat.yaml')).to.include('kind: Deployment')
  })

  it('runs a sandbox with a role that is a chart', async () => {
    const sandbox = start('chart', 'sandbox', '--samples')
    try {
      await sandbox.until(READY, ({ stdout }) => stdout.includes(READY))
      expect(await deploymentsOf('chart')).to.deep.equal(['tomcat-sample'])
    } finally {
      expect(await sandbox.stop(), sandbox.stderr).to.equal(0)
    }
  })

  it('leaves a sandbox in the background, which another process stops', async () => {
    expect(runWell('empty', 'sandbox', '--detach')).to.include('The sandbox runs at ')
    try {
      expect(runWell('empty', 'sandbox', 'status')).to.include('The sandbox runs at ')
      expect(await deploymentsOf('empty')).to.deep.equal([])
    } finally {
      runWell('empty', 'sandbox', 'stop')
    }
    expect(run('empty', 'sandbox', 'status').status).to.not.equal(0)
  })

  it('runs the operator on a cluster, with its dashboard', async () => {
    runWell('chart', 'sandbox', '--detach', '--no-operator')
    const kubeconfig = join(folder.at('chart'), '.rolebook/kubeconfig')
    const operator = start(
      'chart',
      'run',
      '--kubeconfig',
      kubeconfig,
      '--install-crds',
      '--ui-bind-address',
      'localhost:0',
    )
    try {
      const address = /"?(http:\/\/[^\s"]+)/
      await operator.until('its dashboard', ({ stdout, stderr }) => address.test(stdout + stderr))
      const page = await fetch(address.exec(operator.stdout + operator.stderr)?.[1] ?? '')
      expect(await page.text()).to.include('<script')
    } finally {
      expect(await operator.stop(), operator.stderr).to.equal(0)
      runWell('chart', 'sandbox', 'stop')
    }
  })

  it('answers an editor', async () => {
    const client = new LanguageClient([], [program])
    const { capabilities } = await client.start()
    expect(capabilities.completionProvider).to.not.equal(undefined)
    await client.stop()
  })

  it('is a command of kubectl by its name', () => {
    symlinkSync(program, folder.at('kubectl-rolebook'))
    const { stdout } = spawnSync(folder.at('kubectl-rolebook'), ['explain', '--help'], { env, encoding: 'utf8' })
    expect(stdout).to.include('Usage: kubectl rolebook explain ')
  })

  it('unpacks nothing', () => {
    expect([...readdirSync(folder.at('home')), ...readdirSync(folder.at('tmp'))]).to.deep.equal([])
  })
})

function build(output: string, ...args: readonly string[]): void {
  execFileSync(execPath, ['bin/build-executable.ts', '--output', output, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
