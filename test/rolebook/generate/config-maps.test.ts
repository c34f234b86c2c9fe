import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { buildProject, loadProject } from '../../../src/rolebook/config/load-project.ts'
import { readProjectFiles } from '../../../src/rolebook/config/project-files.ts'
import { configMaps } from '../../../src/rolebook/generate/config-maps.ts'
import { CRD, ProjectFolder, SAMPLE, WATCHES } from '../../support/project-folder.ts'

const SETTINGS = { name: 'one', namespace: 'system', image: 'rolebook:1' }
const SCHEMA_LINE = '# yaml-language-server: $schema=../../schemas/role.json\n'
const ROLE = `${SCHEMA_LINE}tasks:
  - include: {tasks: tasks/part.yaml}
  - set:
      motd: \${$file("deep/motd.txt")}
`
const PART = `${SCHEMA_LINE}- set: {a: 1}\n`
const FOLDER = {
  'watches.yaml': `# yaml-language-server: $schema=schemas/watches.json\n${WATCHES}`,
  'roles/web/role.yaml': ROLE,
  'roles/web/crd.yaml': CRD,
  'roles/web/samples/web.yaml': SAMPLE,
  'roles/web/tests/life.yaml': 'steps: []\n',
  'roles/web/tasks/part.yaml': PART,
  'roles/web/files/deep/motd.txt': `${SCHEMA_LINE}Hello.`,
  'roles/other/role.yaml': 'tasks: [{set: {a: 1}}]\n',
}
const FLAT = {
  'watches.yaml': WATCHES,
  'roles/web.yaml': ROLE,
  'roles/web.crd.yaml': CRD,
  'roles/web.tasks.part.yaml': PART,
  'roles/web.files.deep.motd.txt': `${SCHEMA_LINE}Hello.`,
  'roles/webshop.files.other.txt': 'no file of web',
}

type Files = Readonly<Record<string, string | Uint8Array>>

describe('the ConfigMaps of a project', () => {
  const folders: ProjectFolder[] = []
  const made = async (files: Files): Promise<readonly KubeObject[]> => {
    const folder = await ProjectFolder.create(files)
    folders.push(folder)
    const options = { ...folder.options, kinds: builtinTaskKinds }
    const read = await readProjectFiles(options)
    const { project, diagnostics } = buildProject(read, options)
    if (!project) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
    return configMaps(project, read, SETTINGS) as readonly object[] as readonly KubeObject[]
  }
  const refused = async (files: Files): Promise<string> => {
    const error = await made({ ...FOLDER, ...files }).catch((reason: Error) => reason)
    expect(error).to.have.property('code', 'NoConfigMap')
    return (error as Error).message.replaceAll(`${folders.at(-1)?.root}/`, '')
  }
  after(async () => {
    for (const folder of folders) await folder.delete()
  })

  it('hold watches.yaml, and the files of the roles that it names, without what editors need', async () => {
    const [watches, roles] = await made(FOLDER)
    expect(watches).to.deep.equal({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'one-watches', namespace: 'system', labels: { 'app.kubernetes.io/name': 'one' } },
      data: { 'watches.yaml': WATCHES },
    })
    expect(roles?.metadata.name).to.equal('one-roles')
    expect(roles?.data).to.deep.equal({
      // Lines keep their numbers: messages of the operator name them.
      'web.yaml': ROLE.replace(SCHEMA_LINE, '#\n'),
      'web.crd.yaml': CRD,
      'web.tasks.part.yaml': PART.replace(SCHEMA_LINE, '#\n'),
      // A text is as it is, whatever it looks like.
      'web.files.deep.motd.txt': `${SCHEMA_LINE}Hello.`,
    })
  })

  it('hold the same for roles that lie side by side', async () => {
    const [[, inFolders], [, flat]] = [await made(FOLDER), await made(FLAT)]
    expect(flat?.data).to.deep.equal(inFolders?.data)
  })

  it('are what an operator reads as the same project when they are mounted', async () => {
    const [watches, roles] = await made(FOLDER)
    const mounted = await ProjectFolder.create()
    folders.push(mounted)
    await mounted.mount('etc/watches', watches?.data as Record<string, string>, 1)
    await mounted.mount('etc/roles', roles?.data as Record<string, string>, 1)
    const places = { watchesFile: mounted.path('etc/watches/watches.yaml'), rolesPath: mounted.path('etc/roles') }
    const { project, diagnostics } = await loadProject({ ...places, environment: {}, kinds: builtinTaskKinds })
    expect(diagnostics).to.deep.equal([])
    expect(project?.watches.map(({ role }) => role.tasks.map(({ kind }) => kind.name))).to.deep.equal([
      ['include', 'set'],
    ])
  })

  it('refuse what a server would: more than a mebibyte', async () => {
    const large = {
      'roles/web/files/large.txt': 'x'.repeat(1024 * 1024),
      'roles/web/files/small.txt': 'x'.repeat(2_000),
    }
    expect(await refused(large)).to.equal(
      'the ConfigMap one-roles would have 1027 KiB, and a server takes 1024 KiB at most; the largest file is ' +
        'roles/web/files/large.txt: build the roles into the image instead (rolebook generate dockerfile), and generate the rest ' +
        'with --built-in',
    )
  })

  it('refuse two files that would have one key', async () => {
    const files = { 'roles/web/files/a/b.txt': '1', 'roles/web/files/a.b.txt': '2' }
    expect(await refused(files)).to.equal(
      'roles/web/files/a/b.txt and roles/web/files/a.b.txt would both be the key "web.files.a.b.txt" of a ConfigMap: rename one',
    )
  })

  it('refuse a name that is not a key', async () => {
    expect(await refused({ 'roles/web/files/a b.txt': '1' })).to.equal(
      'roles/web/files/a b.txt cannot be a key of a ConfigMap: its name may hold letters, digits, "-", "_" and "."',
    )
  })

  it('refuse a file that is not a text', async () => {
    expect(await refused({ 'roles/web/files/a.bin': Uint8Array.of(0xff) })).to.match(
      /^roles\/web\/files\/a\.bin cannot be put into a ConfigMap: /,
    )
  })
})
