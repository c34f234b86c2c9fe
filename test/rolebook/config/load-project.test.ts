import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { ProjectResult } from '../../../src/rolebook/config/load-project.ts'
import { loadProject } from '../../../src/rolebook/config/load-project.ts'
import { readProjectFiles } from '../../../src/rolebook/config/project-files.ts'
import { fileProblem } from '../../../src/rolebook/config/read-text-file.ts'
import { long } from '../../support/long-tests.ts'
import {
  CRD,
  ProjectFolder,
  ROLE,
  SAMPLE,
  TWO_VERSIONS,
  TWO_VERSIONS_CRD,
  WATCHES,
} from '../../support/project-folder.ts'

const MANY_FILES = 'more files than a project has'

describe('loadProject', () => {
  let folder: ProjectFolder

  afterEach(() => folder.delete())

  async function load(files: { readonly [path: string]: string | Uint8Array }): Promise<ProjectResult> {
    folder = await ProjectFolder.create(files)
    return loadProject(folder.options)
  }

  const problemsOf = ({ diagnostics }: ProjectResult): string[] =>
    diagnostics.map(({ code, file, line, column }) => `${code} ${folder.relative(file)}:${line}:${column}`)

  describe('makes a project', () => {
    it('of folders', async () => {
      const { project, diagnostics } = await load({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': ROLE,
        'roles/web/crd.yaml': CRD,
        'roles/web/samples/a.yaml': SAMPLE,
        'roles/web/samples/b.yaml': `${SAMPLE}---\n${SAMPLE}`,
        'roles/web/samples/README.md': 'not read',
        'roles/web/tests/later.yaml': 'not: [read',
        'roles/web/files/x.txt': 'not read',
      })
      expect(diagnostics).to.deep.equal([])
      expect(project?.watches.map(({ watch, role }) => [watch.gvk.kind, role.name, role.tasks.length])).to.deep.equal([
        ['Web', 'web', 1],
      ])
      expect(project?.crds.map(({ metadata }) => metadata.name)).to.deep.equal(['webs.example.com'])
      expect(project?.samples.map(({ path, objects }) => [folder.relative(path), objects.length])).to.deep.equal([
        ['roles/web/samples/a.yaml', 1],
        ['roles/web/samples/b.yaml', 2],
      ])
      expect(Object.isFrozen(project)).to.equal(true)
    })

    it('of files side by side', async () => {
      const { project, diagnostics } = await load({
        'watches.yaml': WATCHES,
        'roles/web.yaml': ROLE,
        'roles/web.crd.yaml': CRD,
      })
      expect(diagnostics).to.deep.equal([])
      expect([project?.watches.length, project?.crds.length]).to.deep.equal([1, 1])
    })

    it('of roles for two versions of a kind that each have its CRD', async () => {
      const { project, diagnostics } = await load({
        'watches.yaml': TWO_VERSIONS,
        'roles/old/role.yaml': ROLE,
        'roles/old/crd.yaml': TWO_VERSIONS_CRD,
        'roles/new/role.yaml': ROLE,
        'roles/new/crd.yaml': `# The same, as another author wrote it.\n${TWO_VERSIONS_CRD}`,
      })
      expect(diagnostics).to.deep.equal([])
      expect(project?.crds.map(({ metadata }) => metadata.name)).to.deep.equal(['webs.example.com'])
    })

    it('of mounted ConfigMaps', async () => {
      folder = await ProjectFolder.create()
      await folder.mount('etc/rolebook', { 'watches.yaml': WATCHES }, 1)
      await folder.mount('etc/rolebook/roles', { 'web.yaml': ROLE, 'web.crd.yaml': CRD }, 1)
      const options = {
        ...folder.options,
        watchesFile: folder.path('etc/rolebook/watches.yaml'),
        rolesPath: folder.path('etc/rolebook/roles'),
      }
      const { project, diagnostics } = await loadProject(options)
      expect(diagnostics).to.deep.equal([])
      expect(project?.watches).to.have.length(1)
    })

    it('of a ConfigMap whose keys were mapped to paths', async () => {
      folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'roles/..2026/web/role.yaml': ROLE })
      await folder.link('roles/..data', '..2026')
      await folder.link('roles/web', '..data/web')
      expect((await loadProject(folder.options)).diagnostics).to.deep.equal([])
    })

    it('in which entries share a role and give it other variables', async () => {
      const watches = `${WATCHES.replace('}', ', vars: {a: 1}}')}${WATCHES.replace('Web', 'Page').replace('}', ', vars: {a: 2}}')}`
      const { project, diagnostics } = await load({
        'watches.yaml': watches,
        'roles/web.yaml': 'vars: {a: 0}\ntasks:\n  - say: ${$a}\n',
      })
      expect(diagnostics).to.deep.equal([])
      const [first, second] = project?.watches ?? []
      expect(first?.role.hash).not.to.equal(second?.role.hash)
    })

    it('with a warning of files that are not read because they end in `.yml`', async () => {
      const result = await load({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': ROLE,
        'roles/web/crd.yml': CRD,
        'roles/web/samples/a.yml': SAMPLE,
        'roles/web/samples/b.txt': SAMPLE,
        'roles/web/tests/a.yml': 'steps: []',
        'roles/web/tests/.hidden.yml': 'steps: []',
        'roles/web/files/a.yml': 'a text',
        'roles/web.crd.yml': CRD,
      })
      expect(result.project).not.to.equal(undefined)
      expect(result.project?.crds).to.deep.equal([])
      expect(result.diagnostics.map(({ severity }) => severity)).to.deep.equal(Array(4).fill('warning'))
      expect(problemsOf(result)).to.have.members([
        'RB1320 roles/web.crd.yml:1:1',
        'RB1320 roles/web/crd.yml:1:1',
        'RB1320 roles/web/samples/a.yml:1:1',
        'RB1320 roles/web/tests/a.yml:1:1',
      ])
      expect(result.diagnostics.map(({ hint }) => hint)).to.include('rename it to web.crd.yaml')
    })

    it('also when what should be the folder of its tests is none', async () => {
      const files = { 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE, 'roles/web/tests': 'no folder' }
      expect(problemsOf(await load(files))).to.deep.equal([])
    })

    it('with a warning about a role that no watch entry uses', async () => {
      const result = await load({ 'watches.yaml': WATCHES, 'roles/web.yaml': ROLE, 'roles/old.yaml': 'tasks: broken' })
      expect(problemsOf(result)).to.deep.equal(['RB1313 roles/old.yaml:1:1'])
      expect(result.project?.watches).to.have.length(1)
    })
  })

  const refused: { name: string; files: { [path: string]: string | Uint8Array }; expected: string[]; hint?: string }[] =
    [
      { name: 'no watches.yaml', files: { 'roles/web.yaml': ROLE }, expected: ['RB1301 watches.yaml:1:1'] },
      { name: 'watches.yaml as a folder', files: { 'watches.yaml/x': '' }, expected: ['RB1302 watches.yaml:1:1'] },
      { name: 'an empty watches.yaml', files: { 'watches.yaml': '' }, expected: ['RB1014 watches.yaml:1:1'] },
      {
        name: 'watches.yaml with a byte order mark',
        files: { 'watches.yaml': `\uFEFF${WATCHES}` },
        expected: ['RB1003 watches.yaml:1:1'],
      },
      {
        name: 'watches.yaml with carriage returns',
        files: { 'watches.yaml': WATCHES.replaceAll('\n', '\r\n') },
        expected: ['RB1003 watches.yaml:1:58'],
      },
      {
        name: 'watches.yaml that is not UTF-8',
        files: { 'watches.yaml': Buffer.concat([Buffer.from('- a\n# '), Buffer.from([0xe9, 0x0a])]) },
        expected: ['RB1303 watches.yaml:2:3'],
      },
      {
        name: 'watches.yaml in UTF-16',
        files: { 'watches.yaml': Buffer.from(`\uFEFF${WATCHES}`, 'utf16le') },
        expected: ['RB1303 watches.yaml:1:1'],
      },
      {
        name: 'watches.yaml of 50 MB',
        files: { 'watches.yaml': Buffer.alloc(50_000_000, 'x') },
        expected: ['RB1002 watches.yaml:1:1'],
      },
      {
        name: 'watches.yaml of 2 MB',
        files: { 'watches.yaml': Buffer.alloc(2_000_000, 'x') },
        expected: ['RB1002 watches.yaml:1:1'],
      },
      {
        name: 'a role that is not there',
        files: { 'watches.yaml': WATCHES },
        expected: ['RB1311 watches.yaml:1:54'],
        hint: join('web', 'role.yaml'),
      },
      {
        name: 'a role in another case',
        files: { 'watches.yaml': WATCHES, 'roles/Web.yaml': ROLE },
        expected: ['RB1313 roles/Web.yaml:1:1', 'RB1311 watches.yaml:1:54'],
        hint: 'did you mean `Web`?',
      },
      {
        name: 'a role whose folder has no role.yaml',
        files: { 'watches.yaml': WATCHES, 'roles/web/role.yml': ROLE },
        expected: ['RB1311 watches.yaml:1:54'],
      },
      {
        name: 'a role in two places',
        files: { 'watches.yaml': WATCHES, 'roles/web.yaml': ROLE, 'roles/web/role.yaml': ROLE },
        expected: ['RB1312 roles/web.yaml:1:1'],
      },
      {
        name: 'two roles that differ in case',
        files: { 'watches.yaml': WATCHES, 'roles/web.yaml': ROLE, 'roles/WEB.yaml': ROLE },
        expected: ['RB1313 roles/WEB.yaml:1:1', 'RB1312 watches.yaml:1:54'],
      },
      {
        name: 'role.yaml as a folder',
        files: { 'watches.yaml': WATCHES, 'roles/web/role.yaml/x': '' },
        expected: ['RB1302 roles/web/role.yaml:1:1'],
      },
      {
        name: 'a broken role',
        files: { 'watches.yaml': WATCHES, 'roles/web.yaml': 'tasks: [' },
        expected: ['RB1001 roles/web.yaml:1:9'],
      },
      {
        name: 'a role with an unknown variable',
        files: { 'watches.yaml': WATCHES, 'roles/web.yaml': 'tasks:\n  - say: ${$x}' },
        expected: ['RB1204 roles/web.yaml:2:12'],
      },
      {
        name: 'a field that the CRD does not have',
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': 'tasks:\n  - say: ${rules}${sepc.a}',
          'roles/web/crd.yaml': CRD,
        },
        expected: ['RB1207 roles/web/role.yaml:2:20'],
      },
      {
        name: 'the status that the CRD has',
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': 'tasks:\n  - say: ${status}',
          'roles/web/crd.yaml': CRD,
        },
        expected: ['RB1208 roles/web/role.yaml:2:12'],
      },
      {
        name: 'a version that the CRD does not have',
        files: { 'watches.yaml': WATCHES.replace('v1', 'v2'), 'roles/web.yaml': ROLE, 'roles/web.crd.yaml': CRD },
        expected: ['RB1316 watches.yaml:1:33'],
      },
      {
        name: 'another object as CRD',
        files: { 'watches.yaml': WATCHES, 'roles/web.yaml': ROLE, 'roles/web.crd.yaml': SAMPLE },
        expected: ['RB1315 roles/web.crd.yaml:2:7'],
      },
      {
        name: 'a CRD without versions',
        files: {
          'watches.yaml': WATCHES,
          'roles/web.yaml': ROLE,
          'roles/web.crd.yaml': CRD.slice(0, CRD.indexOf('  versions')),
        },
        expected: ['RB1315 roles/web.crd.yaml:5:3'],
      },
      {
        name: 'a CRD without spec',
        files: {
          'watches.yaml': WATCHES,
          'roles/web.yaml': ROLE,
          'roles/web.crd.yaml': CRD.slice(0, CRD.indexOf('spec:')),
        },
        expected: ['RB1315 roles/web.crd.yaml:1:1'],
      },
      {
        name: 'a field of a CRD that has none of its own',
        files: {
          'watches.yaml': WATCHES,
          'roles/web.yaml': 'tasks:\n  - say: ${metadata.name}${spec.a}',
          'roles/web.crd.yaml': CRD.slice(0, CRD.indexOf('          properties')),
        },
        expected: ['RB1207 roles/web.yaml:2:28'],
      },
      {
        name: 'a CRD that is not an object',
        files: { 'watches.yaml': WATCHES, 'roles/web.yaml': ROLE, 'roles/web.crd.yaml': '- a' },
        expected: ['RB1314 roles/web.crd.yaml:1:1'],
      },
      {
        name: 'two CRD files',
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': ROLE,
          'roles/web/crd.yaml': CRD,
          'roles/web.crd.yaml': CRD,
        },
        expected: ['RB1312 roles/web.crd.yaml:1:1'],
      },
      {
        name: 'two CRDs of one name that differ',
        files: {
          'watches.yaml': TWO_VERSIONS,
          'roles/old.yaml': ROLE,
          'roles/old.crd.yaml': TWO_VERSIONS_CRD,
          'roles/new.yaml': ROLE,
          'roles/new.crd.yaml': TWO_VERSIONS_CRD.replace('Namespaced', 'Cluster'),
        },
        expected: ['RB1312 roles/new.crd.yaml:3:18'],
      },
      {
        name: 'a sample without name',
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': ROLE,
          'roles/web/samples/a.yaml': 'apiVersion: v1\nkind: 3\nmetadata: {}',
        },
        expected: ['RB1314 roles/web/samples/a.yaml:2:7', 'RB1314 roles/web/samples/a.yaml:3:11'],
      },
      {
        name: 'a sample whose metadata is text',
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': ROLE,
          'roles/web/samples/a.yaml': 'apiVersion: v1\nkind: A\nmetadata: web',
        },
        expected: ['RB1314 roles/web/samples/a.yaml:3:11'],
      },
      {
        name: 'a sample that is not UTF-8',
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': ROLE,
          'roles/web/samples/a.yaml': Buffer.from([0x23, 0xe9]),
        },
        expected: ['RB1303 roles/web/samples/a.yaml:1:2'],
      },
      {
        name: 'samples as a file',
        files: { 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE, 'roles/web/samples': SAMPLE },
        expected: ['RB1302 roles/web/samples:1:1'],
      },
      {
        name: 'a sample that is not YAML',
        files: { 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE, 'roles/web/samples/a.yaml': 'a: b: c' },
        expected: ['RB1001 roles/web/samples/a.yaml:1:4'],
      },
      {
        name: MANY_FILES,
        files: {
          'watches.yaml': WATCHES,
          'roles/web/role.yaml': ROLE,
          ...Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`roles/web/samples/s${index}.yaml`, ''])),
        },
        expected: ['RB1305 roles:1:1'],
      },
      {
        name: 'entries that cannot be read together with the roles of all others',
        files: {
          'watches.yaml':
            '- web\n- {group: a, version: v1, kind: web, role: web}\n- {group: b, version: v1, kind: Page, role: page}\n- {kind: Site}\n',
          'roles/web.yaml': 'tasks:\n  - say: ${$x}',
        },
        expected: [
          'RB1204 roles/web.yaml:2:12',
          'RB1022 watches.yaml:1:3',
          'RB1023 watches.yaml:2:33',
          'RB1311 watches.yaml:3:45',
          'RB1021 watches.yaml:4:3',
          'RB1021 watches.yaml:4:3',
          'RB1021 watches.yaml:4:3',
        ],
      },
      {
        name: 'everything at once, by file and line',
        files: {
          'watches.yaml': `- {group: a, version: v1, kind: Web, role: web}\n- {group: b, version: v1, kind: Page, role: page, vars: {x: "$(NONE)"}}\n- {group: c, version: v1, kind: Site, role: site}\n`,
          'roles/web.yaml': 'tasks:\n  - say: ${$x}\n  - say: ${$y}',
          'roles/page/role.yaml': 'tasks: 1',
        },
        expected: [
          'RB1022 roles/page/role.yaml:1:8',
          'RB1204 roles/web.yaml:2:12',
          'RB1204 roles/web.yaml:3:12',
          'RB1308 watches.yaml:2:62',
          'RB1311 watches.yaml:3:45',
        ],
      },
    ]
  for (const { name, files, expected, hint } of refused) {
    long.when(name === MANY_FILES).it(`refuses ${name}`, async () => {
      const result = await load(files)
      expect(problemsOf(result)).to.deep.equal(expected)
      expect(result.project).to.equal(undefined)
      if (hint !== undefined) expect(result.diagnostics.map((one) => one.hint).join()).to.contain(hint)
    })
  }

  it('refuses a roles folder that is not there', async () => {
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES })
    await folder.remove('roles')
    expect(problemsOf(await loadProject(folder.options))).to.deep.equal([
      'RB1301 roles:1:1',
      'RB1311 watches.yaml:1:54',
    ])
  })

  it('refuses a roles folder that is a file', async () => {
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES })
    const result = await loadProject({ ...folder.options, rolesPath: folder.path('watches.yaml') })
    expect(problemsOf(result)).to.deep.equal(['RB1302 watches.yaml:1:1', 'RB1311 watches.yaml:1:54'])
    expect(result.diagnostics[0]?.message).to.contain('not a folder')
  })

  it('reads files that never stand still, and each of them whole', async () => {
    const text = (round: number): string => `# ${round}\n${WATCHES}# ${'x'.repeat(10_000)}\n# ${round}\n`
    folder = await ProjectFolder.create({ 'watches.yaml': text(0), 'roles/web.yaml': ROLE })
    let isDone = false
    const reading = readProjectFiles(folder.options).finally(() => {
      isDone = true
    })
    for (let round = 1; !isDone; round++) {
      await folder.write('next.yaml', text(round))
      await folder.move('next.yaml', 'watches.yaml')
    }
    const read = (await reading).watches.source?.text
    expect(read).to.equal(text(Number(/\d+/.exec(read ?? '')?.[0])))
  })

  describe('opens nothing', () => {
    const links: { name: string; path: string; target: string; expected: string[] }[] = [
      {
        name: 'a role that is a link out',
        path: 'roles/web.yaml',
        target: '../outside.yaml',
        expected: ['RB1304 roles/web.yaml:1:1'],
      },
      {
        name: 'a role folder that is a link out',
        path: 'roles/web',
        target: '../outside',
        expected: ['RB1304 roles/web:1:1', 'RB1311 watches.yaml:1:54'],
      },
      {
        name: 'an absolute link',
        path: 'roles/web.yaml',
        target: '/etc/passwd',
        expected: ['RB1304 roles/web.yaml:1:1'],
      },
      {
        name: 'a link to a device',
        path: 'roles/web.yaml',
        target: '/dev/zero',
        expected: ['RB1304 roles/web.yaml:1:1'],
      },
      {
        name: 'a link to nothing',
        path: 'roles/web.yaml',
        target: 'gone.yaml',
        expected: ['RB1301 roles/web.yaml:1:1'],
      },
      {
        name: 'a sample folder that is a link to nothing',
        path: 'roles/web/samples',
        target: 'gone',
        expected: ['RB1301 roles/web/samples:1:1', 'RB1311 watches.yaml:1:54'],
      },
      {
        name: 'a role folder that is a link to nothing',
        path: 'roles/web',
        target: 'gone',
        expected: ['RB1311 watches.yaml:1:54'],
      },
      { name: 'a link to itself', path: 'roles/web.yaml', target: 'web.yaml', expected: ['RB1302 roles/web.yaml:1:1'] },
      {
        name: 'a folder named like the root',
        path: 'roles/web.yaml',
        target: '../roles-evil/web.yaml',
        expected: ['RB1304 roles/web.yaml:1:1'],
      },
    ]
    for (const { name, path, target, expected } of links) {
      it(`behind ${name}`, async () => {
        folder = await ProjectFolder.create({
          'watches.yaml': WATCHES,
          'outside.yaml': ROLE,
          'outside/role.yaml': ROLE,
          'roles-evil/web.yaml': ROLE,
        })
        await folder.link(path, target)
        expect(problemsOf(await loadProject(folder.options))).to.deep.equal(expected)
      })
    }

    it('behind a sample folder that is a link out', async () => {
      folder = await ProjectFolder.create({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': ROLE,
        'outside/a.yaml': SAMPLE,
      })
      await folder.link('roles/web/samples', '../../outside')
      expect(problemsOf(await loadProject(folder.options))).to.deep.equal(['RB1304 roles/web/samples:1:1'])
    })

    it('of a pipe, and does not wait for it', async () => {
      folder = await ProjectFolder.create({ 'watches.yaml': WATCHES })
      await promisify(execFile)('mkfifo', [folder.path('roles/web.yaml')])
      expect(problemsOf(await loadProject(folder.options))).to.deep.equal(['RB1302 roles/web.yaml:1:1'])
    })

    it('that the system refuses, and says why', () => {
      const reasonOf = (code: string): string => {
        const { code: ours, message } = fileProblem(Object.assign(new Error(code), { code }))
        return `${ours} ${message}`
      }
      expect(reasonOf('EACCES')).to.equal('RB1302 cannot be read: no permission')
      expect(reasonOf('EIO')).to.equal('RB1302 cannot be read: EIO')
      expect(reasonOf('ENOENT')).to.match(/^RB1301 /)
    })

    it('follows links that stay inside', async () => {
      folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'roles/shared/role.yaml': ROLE })
      await folder.link('roles/web', 'shared')
      expect((await loadProject(folder.options)).project?.watches).to.have.length(1)
    })
  })

  describe('the hash', () => {
    it('is the same for the same files, and another after any change', async () => {
      const { hash } = await load({
        'watches.yaml': WATCHES,
        'roles/web/role.yaml': ROLE,
        'roles/web/samples/a.yaml': SAMPLE,
      })
      const hashes = [hash]
      expect((await loadProject(folder.options)).hash).to.equal(hash)
      const changes = {
        'roles/web/samples/a.yaml': `${SAMPLE}\n`,
        'roles/web/crd.yaml': CRD,
        'watches.yaml': `${WATCHES}#`,
        'roles/web/role.yaml': 'broken: [',
      }
      for (const [path, content] of Object.entries(changes)) {
        await folder.write(path, content)
        const { hash: next } = await loadProject(folder.options)
        expect(hashes).not.to.include(next)
        hashes.push(next)
      }
    })
  })
})
