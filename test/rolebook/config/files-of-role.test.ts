import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { printDiagnostics } from '../../../src/core/yaml/print-diagnostics.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import type { ProjectResult } from '../../../src/rolebook/config/load-project.ts'
import { loadProject, type ProjectOptions } from '../../../src/rolebook/config/load-project.ts'
import { watchProject } from '../../../src/rolebook/config/project-watcher.ts'
import { long } from '../../support/long-tests.ts'
import { ProjectFolder, WATCHES } from '../../support/project-folder.ts'

const ROLE = 'tasks:\n  - include: {tasks: tasks/say.yaml, vars: {who: "${$file(\'sub/motd.txt\')}"}}\n'
const TASKS = '- fail: {message: "${$who}"}\n'
const FOLDER = {
  'watches.yaml': WATCHES,
  'roles/web/role.yaml': ROLE,
  'roles/web/tasks/say.yaml': TASKS,
  'roles/web/files/sub/motd.txt': 'hello',
}
const FLAT = { 'web.yaml': ROLE, 'web.tasks.say.yaml': TASKS, 'web.files.sub.motd.txt': 'hello' }

describe('the files of a role', () => {
  let folder: ProjectFolder

  afterEach(() => folder.delete())

  const options = (): ProjectOptions => ({ ...folder.options, kinds: builtinTaskKinds })
  const problemsOf = ({ diagnostics }: ProjectResult): string[] =>
    diagnostics.map(({ code, file, line, column }) => `${code} ${folder.relative(file)}:${line}:${column}`)

  it('stand in its folder', async () => {
    folder = await ProjectFolder.create(FOLDER)
    const result = await loadProject(options())
    expect(result.diagnostics, printDiagnostics(result.diagnostics)).to.deep.equal([])
    expect(result.project?.watches).to.have.length(1)
  })

  it('stand beside it in a flat folder, and are no roles there', async () => {
    const flat = Object.entries(FLAT).map(([name, text]): [string, string] => [`roles/${name}`, text])
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, ...Object.fromEntries(flat) })
    const result = await loadProject(options())
    expect(result.diagnostics, printDiagnostics(result.diagnostics)).to.deep.equal([])
  })

  it('are keys of a mounted ConfigMap', async () => {
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES })
    await folder.mount('etc', FLAT, 1)
    const result = await loadProject({ ...options(), rolesPath: folder.path('etc') })
    expect(result.diagnostics, printDiagnostics(result.diagnostics)).to.deep.equal([])
  })

  it('are keys of a ConfigMap that were mapped to paths', async () => {
    const mounted = Object.entries(FOLDER).map(([path, text]): [string, string] => [
      path.replace('/web/', '/..1/web/'),
      text,
    ])
    folder = await ProjectFolder.create(Object.fromEntries(mounted))
    await folder.link('roles/..data', '..1')
    await folder.link('roles/web', '..data/web')
    const result = await loadProject(options())
    expect(result.diagnostics, printDiagnostics(result.diagnostics)).to.deep.equal([])
  })

  it('may be links within its folder, also round in circles', async () => {
    folder = await ProjectFolder.create(FOLDER)
    await folder.move('roles/web/tasks/say.yaml', 'roles/web/say.yaml')
    await folder.link('roles/web/tasks/say.yaml', '../say.yaml')
    await folder.link('roles/web/files/round', '..')
    expect(problemsOf(await loadProject(options()))).to.deep.equal([])
  })

  it('that the role does not use may hold anything', async () => {
    folder = await ProjectFolder.create({
      ...FOLDER,
      'roles/web/files/logo.png': Buffer.from([0xff, 0xd8]),
      'roles/web/notes.yaml': '[',
      'roles/web/README.md': 'x',
      'roles/old.files.motd.txt': 'x',
      'outside/a.txt': 'x',
    })
    await folder.link('roles/web/files/out', '../../../outside')
    await folder.link('roles/web/files/gone', 'nowhere')
    expect(problemsOf(await loadProject(options()))).to.deep.equal([])
  })

  const refused: {
    name: string
    role: string
    files?: { [path: string]: string | Uint8Array }
    link?: readonly [string, string]
    expected: string[]
    message: RegExp
  }[] = [
    {
      name: 'a file that is a link out of the project',
      role: '${$file("a.txt")}',
      link: ['roles/web/files/a.txt', '../../../watches.yaml'],
      expected: ['RB1152 roles/web/role.yaml:2:30'],
      message: /"files\/a\.txt" cannot be used: a link leads out of the folder/,
    },
    {
      name: 'a file that is a link to another role',
      role: '${$file("a.txt")}',
      files: { 'roles/page/role.yaml': ROLE },
      link: ['roles/web/files/a.txt', '../../page/role.yaml'],
      expected: ['RB1313 roles/page/role.yaml:1:1', 'RB1152 roles/web/role.yaml:2:30'],
      message: /a link leads out/,
    },
    {
      name: 'a file in a folder that is a link out',
      role: '${$file("out/a.txt")}',
      files: { 'outside/a.txt': 'x' },
      link: ['roles/web/files/out', '../../../outside'],
      expected: ['RB1152 roles/web/role.yaml:2:30'],
      message: /a link leads out/,
    },
    {
      name: 'a link to nothing',
      role: '${$file("a.txt")}',
      link: ['roles/web/files/a.txt', 'nowhere'],
      expected: ['RB1152 roles/web/role.yaml:2:30'],
      message: /there is no such file/,
    },
    {
      name: 'a file that is not UTF-8',
      role: '${$file("a.png")}',
      files: { 'roles/web/files/a.png': Buffer.from([0x89, 0x50, 0xff]) },
      expected: ['RB1152 roles/web/role.yaml:2:30'],
      message: /not UTF-8/,
    },
    {
      name: 'a file of 5 MB',
      role: '${$file("a.txt")}',
      files: { 'roles/web/files/a.txt': Buffer.alloc(5_000_000, 'x') },
      expected: ['RB1152 roles/web/role.yaml:2:30'],
      message: /5000000 bytes/,
    },
    {
      name: 'a folder',
      role: '${$file("sub")}',
      files: { 'roles/web/files/sub/a.txt': 'x' },
      expected: ['RB1151 roles/web/role.yaml:2:30'],
      message: /no file "files\/sub"/,
    },
    {
      name: 'a file that is nine folders deep',
      role: '${$file("1/2/3/4/5/6/7/8/a.txt")}',
      files: { 'roles/web/files/1/2/3/4/5/6/7/8/a.txt': 'x' },
      expected: ['RB1151 roles/web/role.yaml:2:30'],
      message: /no file/,
    },
    {
      name: 'a file that is hidden',
      role: '${$file(".a.txt")}',
      files: { 'roles/web/files/.a.txt': 'x' },
      expected: ['RB1151 roles/web/role.yaml:2:30'],
      message: /no file/,
    },
  ]
  for (const { name, role, files = {}, link, expected, message } of refused) {
    it(`are refused with ${name}`, async () => {
      folder = await ProjectFolder.create({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': `tasks:\n  - fail: {message: '${role}'}\n`,
        ...files,
      })
      if (link) await folder.link(...link)
      const result = await loadProject(options())
      expect(problemsOf(result), printDiagnostics(result.diagnostics)).to.deep.equal(expected)
      expect(result.diagnostics.at(-1)?.message).to.match(message)
    })
  }

  const unread: readonly { readonly name: string; readonly path: string; readonly hint: RegExp }[] = [
    { name: 'tasks that end in .yml', path: 'tasks/say.yml', hint: /end in `\.yaml`: rename it/ },
    { name: 'tasks among the tests', path: 'tests/say.yaml', hint: /`tests` of a role has another purpose/ },
    { name: 'tasks in a hidden folder', path: '.tasks/say.yaml', hint: /begin with `\.`/ },
    { name: 'tasks nine folders deep', path: '1/2/3/4/5/6/7/8/9/say.yaml', hint: /more than 8 names/ },
  ]
  for (const { name, path, hint } of unread) {
    it(`say why a file that is there is not read: ${name}`, async () => {
      const role = `tasks:\n  - include: {tasks: ${path}}\n`
      folder = await ProjectFolder.create({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': role,
        [`roles/web/${path}`]: TASKS,
      })
      const { diagnostics } = await loadProject(options())
      expect(diagnostics.map(({ code }) => code)).to.deep.equal(['RB1151'])
      expect(diagnostics[0]?.hint).to.match(hint)
    })
  }

  it('say where a missing one would be, in a folder and beside others', async () => {
    const role = 'tasks:\n  - fail: {message: \'${$file("a.txt")}\'}\n'
    folder = await ProjectFolder.create({
      'watches.yaml': `${WATCHES}${WATCHES.replace('Web', 'Page').replace('web', 'page')}`,
      'roles/web/role.yaml': role,
      'roles/page.yaml': role,
    })
    const { diagnostics } = await loadProject(options())
    expect(diagnostics.map(({ hint }) => hint)).to.deep.equal([
      `it would be ${folder.path('roles/page.files.a.txt')}`,
      `it would be ${folder.path('roles/web/files/a.txt')}`,
    ])
  })

  long
    .it('are refused when they are too much together', async () => {
      const large = Array.from({ length: 17 }, (_, index): [string, Buffer] => [
        `roles/web/files/${index}`,
        Buffer.alloc(4 * 1024 * 1024, 'x'),
      ])
      folder = await ProjectFolder.create({ ...FOLDER, ...Object.fromEntries(large) })
      const result = await loadProject(options())
      expect(problemsOf(result)[0]).to.equal('RB1305 roles:1:1')
      expect(result.diagnostics[0]?.message).to.match(/more than 67108864 characters/)
    })
    .timeout(60_000)

  const changes: { name: string; change: () => Promise<void> }[] = [
    {
      name: 'an included file',
      change: () => folder.write('roles/web/tasks/say.yaml', '- fail: {message: "not ${$who}"}\n'),
    },
    { name: 'a text', change: () => folder.write('roles/web/files/sub/motd.txt', 'good bye') },
  ]
  for (const { name, change } of changes) {
    it(`are watched: an edit of ${name} is another role`, async () => {
      folder = await ProjectFolder.create(FOLDER)
      const stop = new AbortController()
      const results = watchProject({ ...options(), clock: systemClock, signal: stop.signal, quietPeriod: 30 })
      const hashOf = async (): Promise<string | undefined> => {
        const { value } = await results.next()
        return (value as ProjectResult).project?.watches[0]?.role.hash
      }
      const before = await hashOf()
      await change()
      expect(await hashOf()).not.to.be.oneOf([before, undefined])
      stop.abort()
      await results.return()
    })
  }
})
