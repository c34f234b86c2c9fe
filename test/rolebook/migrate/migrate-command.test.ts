import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Command, UsageError } from '../../../src/rolebook/cli/command.ts'
import { checkCommand } from '../../../src/rolebook/cli/commands/check.ts'
import { migrateCommand } from '../../../src/rolebook/cli/commands/migrate.ts'
import { testCommand } from '../../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const OPERATORS = join(import.meta.dirname, 'operators')

async function run(command: Command, ...args: string[]): Promise<FakeTerminal & { code: number }> {
  const terminal = new FakeTerminal()
  const parsed = parseCommandLine([command.name, ...args], { commands: [command], terminal })
  if (!('command' in parsed)) throw new Error(terminal.stderr)
  return Object.assign(terminal, { code: await parsed.command.run(parsed.invocation) })
}

describe('rolebook migrate ansible', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  for (const name of ['memcached', 'guestbook']) {
    long.it(
      `moves the operator ${name} over: nothing is left to decide, check finds nothing, and it does what it did`,
      async () => {
        const output = join(folder.path, name)
        const migrated = await run(migrateCommand, 'ansible', join(OPERATORS, name), '--output', output)
        expect(migrated.code, migrated.stdout + migrated.stderr).to.equal(0)
        expect(migrated.stdout).to.match(/\d+ moved as they are, \d+ with a note, 0 to decide\n$/)
        const place = ['--watches-file', join(output, 'watches.yaml'), '--roles-path', join(output, 'roles')]
        const checked = await run(checkCommand, ...place, '--strict')
        expect(checked.stdout).to.equal('')
        expect(checked.code).to.equal(0)
        cpSync(join(OPERATORS, name, 'role-tests'), join(output, 'roles', name, 'tests'), { recursive: true })
        const tested = await run(testCommand, ...place)
        expect(tested.code, tested.stdout + tested.stderr).to.equal(0)
      },
    )
  }

  let count = 0
  function project(files: { readonly [path: string]: string }): string {
    count += 1
    const root = join(folder.path, `input-${count}`)
    writeFiles(root, files)
    return root
  }

  const ENTRY = '- {version: v1, group: example.com, kind: Web, role: web}\n'

  it('writes nothing over what is there, and nothing at all then', async () => {
    const root = project({
      'watches.yaml': ENTRY,
      'roles/web/tasks/main.yml': '- fail: {msg: no}\n',
      'out/watches.yaml': 'mine',
    })
    const failure = await run(migrateCommand, 'ansible', root, '--output', join(root, 'out')).catch(
      (error: unknown) => error,
    )
    expect(failure).to.be.instanceOf(UsageError)
    expect(readFileSync(join(root, 'out/watches.yaml'), 'utf8')).to.equal('mine')
    expect(existsSync(join(root, 'out/roles'))).to.equal(false)
  })

  it('only reports with --dry-run', async () => {
    const root = project({ 'watches.yaml': ENTRY, 'roles/web/tasks/main.yml': '- fail: {msg: no}\n' })
    const { code, stdout } = await run(migrateCommand, 'ansible', root, '--output', join(root, 'out'), '--dry-run')
    expect(code).to.equal(0)
    expect(stdout).to.include('roles/web/tasks/main.yml:1:3  a task without a name: fail')
    expect(existsSync(join(root, 'out'))).to.equal(false)
  })

  long.it('takes over what is there with --adopt', async () => {
    const output = join(folder.path, 'adopting')
    await run(migrateCommand, 'ansible', join(OPERATORS, 'memcached'), '--output', output, '--adopt')
    const role = readFileSync(join(output, 'roles/memcached/role.yaml'), 'utf8')
    expect(role.match(/^ {4}adopt:\n {6}from:\n {8}- OpenAPI-Generator$/gm)).to.have.length(1)
  })

  it('ends with code 3 when a person must decide', async () => {
    const root = project({ 'watches.yaml': ENTRY, 'roles/web/tasks/main.yml': '- name: x\n  shell: {cmd: rm -rf /}\n' })
    const { code, stdout } = await run(migrateCommand, 'ansible', root, '--output', join(root, 'out'))
    expect(code).to.equal(3)
    expect(stdout)
      .to.include('DECIDE  ')
      .and.to.include('main.yml:2:3  x: RB1704 `shell` has no counterpart\n         nothing runs')
  })

  it('reads nothing through a link that leads out of the folder', async () => {
    const outside = project({ 'main.yml': '- fail: {msg: secret}\n' })
    const root = project({ 'watches.yaml': ENTRY, 'roles/web/tasks/x.yml': '' })
    symlinkSync(join(outside, 'main.yml'), join(root, 'roles/web/tasks/main.yml'))
    const { code, stderr } = await run(migrateCommand, 'ansible', root, '--output', join(root, 'out'))
    expect(code).to.equal(2)
    expect(stderr).to.include('RB1702')
  })

  for (const { name, args, message } of [
    { name: 'a system that is not known', args: ['puppet', '.'], message: /only from ansible, kro, helm, kustomize/ },
    { name: 'a folder that is not there', args: ['ansible', 'no-such-folder'], message: /there is no such folder/ },
  ]) {
    it(`refuses ${name}`, async () => {
      const failure = await run(migrateCommand, ...args).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(UsageError)
      expect((failure as Error).message).to.match(message)
    })
  }

  for (const { name, files, at } of [
    { name: 'a folder without watches.yaml', files: { 'a.txt': '' }, at: /^watches.yaml:1:1 error RB1702/m },
    { name: 'a file that is not YAML', files: { 'watches.yaml': '- a: [\n' }, at: /watches.yaml:\d+:\d+ error RB1001/ },
    {
      name: 'watches that are not a list',
      files: { 'watches.yaml': 'kind: Web\n' },
      at: /watches.yaml:1:1 error RB1701/,
    },
    { name: 'an entry that is not a map', files: { 'watches.yaml': '- Web\n' }, at: /watches.yaml:1:3 error RB1701/ },
    {
      name: 'an entry without a kind',
      files: { 'watches.yaml': '- version: v1\n  role: web\n' },
      at: /watches.yaml:1:3 error RB1701/,
    },
    {
      name: 'an entry without tasks',
      files: { 'watches.yaml': '- {version: v1, kind: Web, group: a.b}\n' },
      at: /watches.yaml:1:3 error RB1702/,
    },
    { name: 'a role that is not there', files: { 'watches.yaml': ENTRY }, at: /watches.yaml:1:54 error RB1702/ },
    {
      name: 'a role of a collection',
      files: { 'watches.yaml': ENTRY.replace('role: web', 'role: my.collection.web') },
      at: /copy the role out of its collection/,
    },
    {
      name: 'a playbook that is not there',
      files: { 'watches.yaml': ENTRY.replace('role: web', 'playbook: ../web.yml') },
      at: /watches.yaml:1:58 error RB1702/,
    },
    {
      name: 'a playbook of two plays',
      files: {
        'watches.yaml': ENTRY.replace('role: web', 'playbook: web.yml'),
        'web.yml': '- roles: [a]\n- roles: [b]\n',
      },
      at: /watches.yaml:1:58 error RB1702 web.yml is more than one play/,
    },
    {
      name: 'tasks that are not YAML',
      files: { 'watches.yaml': ENTRY, 'roles/web/tasks/main.yml': '- name: x\n  k8s: {{ a }}\n' },
      at: /main.yml:2:\d+ error RB10/,
    },
  ]) {
    it(`says where ${name} cannot be read`, async () => {
      const root = project(files as unknown as { readonly [path: string]: string })
      const { code, stderr } = await run(migrateCommand, 'ansible', root, '--output', join(root, 'out'))
      expect(stderr).to.match(at)
      expect(code).to.equal(2)
      expect(existsSync(join(root, 'out'))).to.equal(false)
    })
  }
})
