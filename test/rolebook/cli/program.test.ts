import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { connect } from '../../../src/core/kube-client/connect.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { KIND } from '../../scenarios/cluster-driver.ts'
import { httpDriver } from '../../scenarios/http-driver.ts'
import { gone, has } from '../../scenarios/objects.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { RolebookProcess } from '../../support/rolebook-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeNoteProject } from './note-project.ts'

const SAMPLE = 'roles/memcached/samples/memcached.yaml'

describe('the program', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  const broken = join(folder.path, 'broken.yaml')
  writeFileSync(broken, '- group: cache.example.com\n  version: v1\n  kind: Memcached\n  rolle: memcached\n')
  const noCluster = join(folder.path, 'no-cluster')
  writeFileSync(noCluster, 'apiVersion: v1\nkind: Config\ncurrent-context: none\n')

  const notes = join(folder.path, 'notes')
  writeNoteProject(notes)
  const noteRole = join(notes, 'roles/note/role.yaml')
  writeFileSync(noteRole, readFileSync(noteRole, 'utf8').replace('metadata: {', 'metadata: { labels: { app: notes },'))
  const labelled = join(notes, 'roles/note/samples/hello.yaml')
  const inNotes = ['--watches-file', join(notes, 'watches.yaml'), '--roles-path', join(notes, 'roles')]
  const SETTINGS = join(folder.path, 'settings.yaml')
  writeFileSync(SETTINGS, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\n')

  const SHORT = [
    { name: 'version', args: ['version'], code: 0, out: /^rolebook \d+\.\d+\.\d+ \(Node v\d+/ },
    { name: 'check as JSON', args: ['check', '--watches-file', broken, '--format', 'json'], code: 3, out: /"line": 4/ },
    { name: 'a port that is none', args: ['sandbox', '--port', '99999'], code: 2, err: /0 to 65535/ },
    { name: 'sandbox of a bad project', args: ['sandbox', '--watches-file', broken], code: 2, err: /RB1\d+/ },
    { name: 'an unknown command', args: ['simulate'], code: 2, err: /unknown command/ },
  ]
  for (const { name, args, code, out, err } of SHORT) {
    it(`${name}: exit code ${code}`, async () => {
      const program = new RolebookProcess(args)
      expect(await program.ended(), program.stdout + program.stderr).to.equal(code)
      if (out) expect(program.stdout).to.match(out)
      if (err) expect(program.stderr).to.match(err)
    })
  }

  long.it('starts from its sources, too', () => {
    expect(execFileSync(execPath, ['bin/rolebook.cjs', 'version'], { encoding: 'utf8' })).to.match(
      /^rolebook \d+\.\d+\.\d+ /,
    )
  })

  const cases = [
    { name: 'check of a good project', args: ['check'], code: 0, err: /6 watches and 6 roles are in order/ },
    {
      name: 'check of a bad one',
      args: ['check', '--watches-file', broken],
      code: 3,
      out: /broken\.yaml:4:3 error RB1\d+ .*rolle/,
    },
    {
      name: 'check of nothing',
      args: ['check', '--watches-file', 'no-such.yaml'],
      code: 3,
      out: /no-such\.yaml:1:1 error RB1\d+/,
    },
    { name: 'run of a bad project', args: ['run', '--watches-file', broken], code: 2, err: /RB1\d+/ },
    { name: 'run without a cluster', args: ['run', '--kubeconfig', noCluster], code: 2, err: /context/ },
    {
      name: 'render of a file that is not there',
      args: ['render', 'no-such.yaml'],
      code: 2,
      err: /cannot read no-such\.yaml/,
    },
    {
      name: 'render of what is not an object',
      args: ['render', 'package.json'],
      code: 2,
      err: /not a Kubernetes object/,
    },
    {
      name: 'render',
      args: ['render', SAMPLE],
      code: 0,
      out: /kind: Deployment[\s\S]*replicas: 3[\s\S]*kind: Memcached[\s\S]*type: Ready/,
    },
    { name: 'render of a bad project', args: ['render', SAMPLE, '--watches-file', broken], code: 2, err: /RB1\d+/ },
    {
      name: 'render of an object with labels, beside one that has no status',
      args: ['render', labelled, SETTINGS, ...inNotes],
      code: 0,
      out: /^apiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: hello\n {2}namespace: default\n {2}labels:\n {4}app: notes\ndata/,
    },
    {
      name: 'render with the marks of the engine',
      args: ['render', labelled, '--marks', ...inNotes],
      code: 0,
      out: /rolebook\.dev\/owner-uid/,
    },
    {
      name: 'sandbox with a file of watches that is not there',
      args: ['sandbox', '--watches-file', 'no-such.yaml'],
      code: 2,
      err: /RB1301/,
    },
    { name: 'help', args: ['sandbox', '--help'], code: 0, out: /--samples/ },
  ]
  for (const { name, args, code, out, err } of cases) {
    it(`${name}: exit code ${code}, without a process of its own`, async () => {
      const terminal = new FakeTerminal()
      expect(await runProgram(args, terminal), terminal.stdout + terminal.stderr).to.equal(code)
      if (out) expect(terminal.stdout).to.match(out)
      if (err) expect(terminal.stderr).to.match(err)
    })
  }

  long.it(
    'fails on a port that is taken, and says before the view is there which samples it could not apply',
    async () => {
      const project = join(folder.path, 'refused')
      writeNoteProject(project)
      const sample = join(project, 'roles/note/samples/hello.yaml')
      writeFileSync(sample, readFileSync(sample, 'utf8').replace('name: hello', 'name: Not_A_Name'))
      const flags = ['sandbox', '--samples', '--no-operator', '--authorization-mode', 'AlwaysAllow']
      const first = new RolebookProcess(flags, { cwd: project })
      await first.until('it listens', ({ stdout }) => /https:\/\/127\.0\.0\.1:\d+/.test(stdout))
      expect(await isAllowed(join(project, '.rolebook/kubeconfig'), 'nobody')).to.equal(true)
      expect(first.stderr).to.match(/cannot apply \S*hello\.yaml: .*Not_A_Name/)
      const [, port = ''] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(first.stdout) ?? []
      const second = new RolebookProcess(['sandbox', '--port', port], { cwd: project })
      expect([await second.ended(), await first.stop()]).to.deep.equal([1, 0])
      expect(second.stderr).to.match(/^rolebook sandbox: .*EADDRINUSE/m)
    },
  )

  long.it('is a cluster without an operator in an empty folder', async () => {
    const program = new RolebookProcess(['sandbox'], { cwd: mkdtempSync(folder.at('empty-')) })
    await program.until('it listens', ({ stdout }) => stdout.includes('Kubernetes API at'))
    expect(program.stdout).to.include("No operator runs: this folder has no watches.yaml ('rolebook init' writes one).")
    expect(await program.stop()).to.equal(0)
  })

  for (const [flag, says] of [
    ['--envtest', 'It is the API server alone: no controller runs.'],
    ['--no-operator', "No operator runs. 'rolebook sandbox stop'"],
  ] as const) {
    it(`says what it is with ${flag}`, async () => {
      const terminal = new FakeTerminal()
      const kubeconfig = join(mkdtempSync(folder.at('empty-')), 'kubeconfig')
      const ended = runProgram(['sandbox', flag, '--kubeconfig', kubeconfig, ...inNotes], terminal)
      await terminal.until(({ stdout }) => stdout.includes('Kubernetes API at'))
      expect(terminal.stdout).to.include(says)
      terminal.stop()
      expect(await ended).to.equal(0)
    })
  }

  long.it('refuses a sandbox in an empty folder when it is to use samples', async () => {
    const program = new RolebookProcess(['sandbox', '--samples'], { cwd: mkdtempSync(folder.at('empty-')) })
    expect(await program.ended(), program.stdout).to.equal(2)
    expect(program.stderr).to.include('RB1301')
  })

  long.it('waits for a server that does not answer, says so once, and stops when asked to', async () => {
    const kubeconfig = join(folder.path, 'unreachable')
    writeFileSync(kubeconfig, JSON.stringify(unreachable))
    const program = new RolebookProcess(['run', '--kubeconfig', kubeconfig])
    await program.until(
      'it says that nothing answers',
      ({ stderr }) => /127\.0\.0\.1:1\b/.test(stderr) && /cannot/.test(stderr),
    )
    expect(await program.stop()).to.equal(0)
  })

  it('follows samples as they are saved and deleted, for a person without kubectl', async () => {
    const project = join(folder.path, 'project')
    writeNoteProject(project)
    const program = new RolebookProcess(['sandbox', '--samples'], { cwd: project })
    await program.until('the sample is ready', ({ stdout }) => stdout.includes('Note default/hello Ready=True'))
    const kubeconfig = join(project, '.rolebook/kubeconfig')
    expect(statSync(kubeconfig).mode & 0o777, 'it holds a token').to.equal(0o600)
    const asked = new FakeTerminal({ environment: { KUBECONFIG: kubeconfig } })
    expect(await runProgram(['explain', 'note', 'hello', '--kubeconfig', kubeconfig], asked), asked.stderr).to.equal(0)
    expect([asked.stderr, asked.stdout]).to.satisfy(
      ([err, out]: readonly string[]) => err === '' && /created ConfigMap default\/hello/.test(out ?? ''),
    )
    const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
    const driver = httpDriver(connection.client, 'default')
    const sample = join(project, 'roles/note/samples/hello.yaml')
    writeFileSync(sample, readFileSync(sample, 'utf8').replace('good morning', 'good night'))
    await driver.until(KIND.configMap, 'hello', has(['data', 'text'], 'good night'))
    rmSync(sample)
    await driver.until(KIND.configMap, 'hello', gone)
    await connection.close()
    expect(await program.stop('SIGINT')).to.equal(0)
    expect(existsSync(join(project, '.rolebook/operator.json')), 'no operator is left to ask').to.equal(false)
  })
})

const unreachable = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'nowhere',
  contexts: [{ name: 'nowhere', context: { cluster: 'nowhere', user: 'nobody' } }],
  clusters: [{ name: 'nowhere', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'nobody', user: { token: 'none' } }],
}

/** Whether the server of a kubeconfig lets a user delete nodes. */
async function isAllowed(kubeconfig: string, user: string): Promise<unknown> {
  const { client, close } = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
  const review = await client.create(
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user, resourceAttributes: { verb: 'delete', resource: 'nodes' } },
    },
    { fieldManager: 'test' },
  )
  await close()
  return (review.status as { readonly allowed?: boolean }).allowed
}
