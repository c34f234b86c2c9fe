import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pluralOf } from '../../../src/core/kube/plural-name.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { RolebookProcess } from '../../support/rolebook-process.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const WEBSITE = ['--group', 'example.com', '--version', 'v1', '--kind', 'Website']

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: pages, namespace: shop }\ndata: { mode: fast }\n'

describe('rolebook init', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  const newFolder = (files: { readonly [path: string]: string } = {}): string => {
    const root = mkdtempSync(join(folder.path, 'init-'))
    writeFiles(root, files)
    return root
  }

  async function run(root: string, args: readonly string[], terminal = new FakeTerminal()) {
    const places = ['--watches-file', join(root, 'watches.yaml'), '--roles-path', join(root, 'roles')]
    const code = await runProgram([...args, ...places], terminal)
    return { code, out: terminal.stdout.replaceAll(`${root}/`, ''), err: terminal.stderr.replaceAll(`${root}/`, '') }
  }

  /** Answers the questions that have one; keeps them all. */
  function person(answers: { readonly [question: string]: string }) {
    const questions: string[] = []
    const ask = async (question: string): Promise<string> => {
      questions.push(question)
      return Object.entries(answers).find(([start]) => question.startsWith(start))?.[1] ?? ''
    }
    return { terminal: new FakeTerminal({ ask }), questions }
  }

  async function expectSound(root: string): Promise<void> {
    const checked = await run(root, ['check', '--strict'])
    expect(checked).to.deep.include({ code: 0, out: '' })
    const tested = await run(root, ['test'])
    expect(tested.code, tested.out).to.equal(0)
    expect(tested.out).to.match(/passed, 0 failed/)
  }

  const ignored = [
    { name: 'gets the line', before: 'node_modules', after: 'node_modules\n.rolebook/\n' },
    { name: 'that has the line stays as it is', before: '/.rolebook\ndist', after: '/.rolebook\ndist' },
  ]
  for (const { name, before, after } of ignored) {
    it(`a .gitignore ${name}`, async () => {
      const root = newFolder({ '.gitignore': before })
      await run(root, ['init', ...WEBSITE])
      expect(readFileSync(join(root, '.gitignore'), 'utf8')).to.equal(after)
    })
  }

  long.it('writes a project into an empty folder that passes check --strict and test at once', async () => {
    const root = newFolder()
    const { code, out, err } = await run(root, ['init', ...WEBSITE])
    expect(code).to.equal(0)
    const written = [
      ...['role.yaml', 'crd.yaml', 'samples/website.yaml', 'tests/life.yaml'].map((path) => `roles/website/${path}`),
      ...['watches', 'role', 'tasks', 'test'].map((name) => `schemas/${name}.json`),
      'watches.yaml',
      '.gitignore',
    ]
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).to.equal('.rolebook/\n')
    expect(out).to.equal(written.map((path) => `wrote ${path}\n`).join(''))
    expect(err).to.match(
      /\n {2}npx rolebook check --watches-file .*\n {2}npx rolebook test .*\n {2}npx rolebook sandbox --samples /,
    )
    expect(err).to.match(/Then make the role your own: roles\/website\/role\.yaml\n$/)
    expect(readFileSync(join(root, 'watches.yaml'), 'utf8')).to.equal(
      '# yaml-language-server: $schema=schemas/watches.json\n' +
        '# Which resources rolebook looks after, and which role says what becomes of them.\n' +
        '- group: example.com\n  version: v1\n  kind: Website\n  role: website\n',
    )
    const role = readFileSync(join(root, 'roles/website/role.yaml'), 'utf8')
    expect(role).to.match(/^# yaml-language-server: \$schema=\.\.\/\.\.\/schemas\/role\.json\n/)
    const test = readFileSync(join(root, 'roles/website/tests/life.yaml'), 'utf8')
    expect(test).to.match(/^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/schemas\/test\.json\n/)
    await expectSound(root)
  })

  long.it('works in the folder where it is started', async () => {
    const root = newFolder()
    const program = new RolebookProcess(['init', ...WEBSITE], { cwd: root })
    expect(await program.ended(), program.stderr).to.equal(0)
    expect(program.stdout).to.match(/^wrote roles\/website\/role\.yaml\n/)
    expect(program.stderr).to.include('\n  npx rolebook check\n  npx rolebook test\n  npx rolebook sandbox --samples\n')
    await expectSound(root)
  })

  long.it('adds an entry to watches.yaml and leaves the rest of it alone', async () => {
    const root = newFolder()
    await run(root, ['init', ...WEBSITE])
    const watches =
      '# Ours.\n\n- { group: example.com, version: v1, kind: Website, role: website } # the first\n\n# The end.\n'
    writeFileSync(join(root, 'watches.yaml'), watches)
    writeFileSync(join(root, 'schemas/role.json'), 'mine')
    const { code, out } = await run(root, ['init', '--group', 'a.b-c.org', '--kind', 'Deployment', '--role', 'no.1'])
    expect(code).to.equal(0)
    expect(out).to.not.include('schemas/')
    expect(readFileSync(join(root, 'schemas/role.json'), 'utf8')).to.equal('mine')
    expect(readFileSync(join(root, 'watches.yaml'), 'utf8')).to.equal(
      `${watches}\n- group: a.b-c.org\n  version: v1alpha1\n  kind: Deployment\n  role: no.1\n`,
    )
    await expectSound(root)
  })

  it('asks on a terminal for what no flag says, and offers what is usual', async () => {
    const root = newFolder({ 'watches.yaml': '# Nothing yet.\n' })
    const { terminal, questions } = person({ 'API group': ' example.com ', Kind: 'Proxy' })
    expect((await run(root, ['init'], terminal)).code).to.equal(0)
    expect(questions).to.deep.equal([
      'API group, such as example.com: ',
      'Version [v1alpha1]: ',
      'Kind, such as Website: ',
      'Name of the role [proxy]: ',
      'Begins with deployment, statefulset, cronjob, aggregation, chart [deployment]: ',
    ])
    expect(readFileSync(join(root, 'watches.yaml'), 'utf8')).to.match(/^# Nothing yet\.\n- group: example\.com\n/)
    expect(readFileSync(join(root, 'roles/proxy/crd.yaml'), 'utf8')).to.include('name: proxies.example.com')
  })

  it('asks again where an answer cannot be, and keeps the others', async () => {
    const answers = ['web', 'example.com', '', 'redis', 'Redis', '', 'daemonset', 'statefulset']
    const ask = async (): Promise<string> => answers.shift() ?? ''
    const root = newFolder()
    const { code, err } = await run(root, ['init'], new FakeTerminal({ ask }))
    expect([code, answers]).to.deep.equal([0, []])
    expect(err).to.include('a CRD needs a group with a dot, such as example.com\n')
    expect(err).to.include('must be a kind such as')
    expect(err).to.include('there is no "daemonset": choose deployment, statefulset, cronjob, aggregation, chart\n')
    expect(readFileSync(join(root, 'roles/redis/role.yaml'), 'utf8')).to.include('kind: StatefulSet')
  })

  for (const template of ['statefulset', 'cronjob', 'aggregation']) {
    long.it(`writes a role from the template ${template} that passes check --strict and test at once`, async () => {
      const root = newFolder()
      expect((await run(root, ['init', ...WEBSITE, '--template', template])).code).to.equal(0)
      await expectSound(root)
    })
  }

  long.it('asks for the chart where the role is to begin with one, and again where there is none', async () => {
    const root = newFolder({
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/values.yaml': 'text: hello\n',
      'web/templates/config.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\ndata: { text: {{ .Values.text }} }\n',
    })
    const answers = ['chart', '', join(root, 'no'), join(root, 'web')]
    const ask = async (): Promise<string> => answers.shift() ?? ''
    const { code, err } = await run(root, ['init', ...WEBSITE, '--role', 'website'], new FakeTerminal({ ask }))
    expect([code, answers], err).to.deep.equal([0, []])
    expect(err).to.include('the path of a chart is needed\nthere is no no\n')
    expect(readFileSync(join(root, 'roles/website/role.yaml'), 'utf8')).to.include('path: charts/web')
    await expectSound(root)
  })

  long.it('writes a role of what is given, with a test, and says what it left out', async () => {
    const objects = [
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
      CONFIG_MAP,
      'apiVersion: other.com/v1\nkind: Thing\nmetadata: { name: extra, namespace: shop }\nspec: { size: 1 }\n',
    ]
    const root = newFolder({ 'given/all.yaml': objects.join('---\n') })
    const { code, out, err } = await run(root, ['init', ...WEBSITE, '--from', join(root, 'given')])
    expect(code, err).to.equal(0)
    expect(out)
      .to.include('wrote roles/website/role.yaml\n')
      .and.to.match(/wrote roles\/website\/tests\/life\.yaml\n$/)
    expect(err).to.match(/^note: left out: Namespace shop: the resource is in it before the role runs\n/)
    const test = readFileSync(join(root, 'roles/website/tests/life.yaml'), 'utf8')
    expect(test).to.include('- { apiVersion: v1, kind: ConfigMap, name: pages, namespace: shop }\n')
    expect(test).to.include('- { apiVersion: other.com/v1, kind: Thing, name: extra, namespace: shop }\n')
  })

  it('asks for nothing that flags say', async () => {
    const { terminal, questions } = person({})
    expect(
      (await run(newFolder(), ['init', ...WEBSITE, '--role', 'pages', '--template', 'cronjob'], terminal)).code,
    ).to.equal(0)
    expect(questions).to.deep.equal([])
  })

  const refused = [
    { name: 'a pipe where something is missing', args: ['--kind', 'Web'], says: '--group and --kind are needed' },
    {
      name: 'a kind in small letters',
      args: ['--group', 'a.b', '--kind', 'web'],
      says: '--kind: must be a kind such as',
    },
    {
      name: 'a template beside a chart',
      args: [...WEBSITE, '--template', 'cronjob', '--helm-chart', 'web'],
      says: '--template cronjob and --helm-chart exclude each other: leave one of them out',
    },
    {
      name: 'to begin with a chart that is not given',
      args: [...WEBSITE, '--template', 'chart'],
      says: '--template chart needs --helm-chart, the folder or the .tgz of the chart',
    },
    { name: 'an empty kind', args: ['--group', 'a.b', '--kind', ''], says: '--kind: must be a kind such as' },
    { name: 'a version with a capital', args: [...WEBSITE, '--version', 'V1'], says: '--version: must be a version' },
    { name: 'a role outside of the folder', args: [...WEBSITE, '--role', '../x'], says: '--role: must be the name' },
    { name: 'the core group', args: ['--group', '', '--kind', 'Web'], says: '--group: a CRD needs a group with a dot' },
    {
      name: 'a group with a capital',
      args: ['--group', 'Example.com', '--kind', 'Web'],
      says: '--group: must be a DNS name in lower case such as example.com\n',
    },
    {
      name: 'a group of Kubernetes',
      args: ['--group', 'x.k8s.io', '--kind', 'Web'],
      says: '--group: x.k8s.io is kept',
    },
    {
      name: 'to overwrite a file',
      files: { 'roles/website/crd.yaml': 'mine' },
      args: WEBSITE,
      says: 'nothing was written: roles/website/crd.yaml already there',
    },
    {
      name: 'a role that is there as a file',
      files: { 'roles/website.yaml': 'mine' },
      args: WEBSITE,
      says: 'nothing was written: roles/website.yaml already there',
    },
    {
      name: 'a namespace of which nothing is to be read',
      args: [...WEBSITE, '--namespace', 'shop'],
      says: '--namespace: only --from reads a namespace\n',
    },
    {
      name: 'to begin with manifests that it does not name',
      args: [...WEBSITE, '--from'],
      says: '--from: name a file, a folder or - for the standard input, or give --namespace\n',
    },
    {
      name: 'to begin with a file without objects',
      files: { 'empty.yaml': '# nothing yet\n' },
      args: [...WEBSITE, '--from', 'ROOT/empty.yaml'],
      says: '--from: there is no object in empty.yaml\n',
    },
    {
      name: 'to begin with a folder without YAML',
      files: { 'given/README.md': 'nothing yet\n' },
      args: [...WEBSITE, '--from', 'ROOT/given'],
      says: 'cannot read given: there is no YAML file in it\n',
    },
    {
      name: 'to begin with two manifests of one object',
      files: { 'twice.yaml': `${CONFIG_MAP}---\n${CONFIG_MAP}` },
      args: [...WEBSITE, '--from', 'ROOT/twice.yaml'],
      says: '--from: ConfigMap pages is given twice\n',
    },
    {
      name: 'to begin with manifests that are not there',
      args: [...WEBSITE, '--from', 'no-such-file.yaml'],
      says: 'there is no such file or folder',
    },
    {
      name: 'a watches.yaml with mistakes',
      files: { 'watches.yaml': '- { group: example.com }\n' },
      args: WEBSITE,
      says: 'cannot add an entry to watches.yaml:\nwatches.yaml:1:3 error RB1021',
    },
    {
      name: 'a kind that has an entry',
      files: { 'watches.yaml': '- { group: example.com, version: v2, kind: Website, role: other }\n' },
      args: WEBSITE,
      says: 'error RB1310 the entries in lines 1 and 2',
    },
  ] satisfies { name: string; files?: Record<string, string>; args: string[]; says: string }[]
  for (const { name, args, says, ...rest } of refused) {
    it(`refuses ${name}`, async () => {
      const files: Record<string, string> = 'files' in rest ? rest.files : {}
      const root = newFolder(files)
      const before = readdirSync(root, { recursive: true })
      const { code, err } = await run(root, ['init', ...args.map((one) => one.replace('ROOT', root))])
      expect(code).to.equal(2)
      expect(err).to.include(says)
      expect(readdirSync(root, { recursive: true })).to.deep.equal(before)
      for (const [path, text] of Object.entries(files)) expect(readFileSync(join(root, path), 'utf8')).to.equal(text)
    })
  }

  const plurals = {
    website: 'websites',
    proxy: 'proxies',
    gateway: 'gateways',
    class: 'classes',
    box: 'boxes',
    mesh: 'meshes',
  }
  for (const [word, plural] of Object.entries(plurals)) {
    it(`calls several of a ${word} ${plural}`, () => expect(pluralOf(word)).to.equal(plural))
  }
})
