import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { migrateAnsible } from '../../../src/rolebook/migrate/migrate-ansible.ts'

function migrate(watches: string, more: { readonly [path: string]: string } = {}) {
  const content: { readonly [path: string]: string } = {
    'watches.yaml': watches,
    'roles/web/tasks/main.yml': '- fail: {msg: "{{ a }}{{ registry | default(omit) }}"}\n',
    ...more,
  }
  const read = (path: string) => (content[path] === undefined ? undefined : new SourceFile(path, content[path]))
  const names = Object.keys(content)
  const list = (folder: string) =>
    names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1))
  const migration = migrateAnsible({ read, list }, { adopt: false })
  const text = migration.files.get('watches.yaml') ?? ''
  return { ...migration, text: text.split('\n').slice(1).join('\n') }
}

const HEAD = '- group: example.com\n  version: v1\n  kind: Web\n'

describe('the watches.yaml of an Ansible operator', () => {
  for (const { name, key, ours } of [
    { name: 'a role by its name', key: 'role: web\n', ours: `${HEAD}  role: web\n` },
    { name: 'a role by its path', key: 'role: /opt/ansible/roles/web\n', ours: `${HEAD}  role: web\n` },
    {
      name: 'a period',
      key: 'role: web\n  reconcilePeriod: 10m\n',
      ours: `${HEAD}  reconcilePeriod: 10m\n  role: web\n`,
    },
    {
      name: 'a selector',
      key: 'role: web\n  selector: {matchLabels: {a: b}}\n',
      ours: `${HEAD}  selector:\n    matchLabels:\n      a: b\n  role: web\n`,
    },
    {
      name: 'keys that say the default, or have no meaning here',
      key: 'role: web\n  manageStatus: true\n  watchDependentResources: True\n  markUnsafe: no\n  watchAnnotationsChanges: on\n',
      ours: `${HEAD}  role: web\n`,
    },
    {
      name: 'dependents that are not watched',
      key: 'role: web\n  watchDependentResources: false\n',
      ours: `${HEAD}  watchDependentResources: false\n  role: web\n`,
    },
    {
      name: 'a status that is not managed',
      key: 'role: web\n  manageStatus: false\n',
      ours: `# \`manageStatus\`: kept: the status is that of \`status\` tasks alone, and nothing says whether the resource is ready.\n${HEAD}  manageStatus: false\n  role: web\n`,
    },
    {
      name: 'no period',
      key: 'role: web\n  reconcilePeriod: 0\n',
      ours: `# \`reconcilePeriod\`: left out: 0 meant the default there, and here it would mean never.\n${HEAD}  role: web\n`,
    },
    {
      name: 'variables, from the environment, too',
      key: 'role: web\n  vars: {registry: "${REGISTRY}/$ORG", list: [1, {b: $C}]}\n',
      ours: `${HEAD}  role: web\n  vars:\n    registry: $(REGISTRY)/$(ORG)\n    list:\n      - 1\n      - b: $(C)\n`,
    },
    {
      name: 'the core group',
      key: 'role: web\n',
      head: '- version: v1\n  kind: Web\n',
      ours: '- group: ""\n  version: v1\n  kind: Web\n  role: web\n',
    },
  ] as readonly { name: string; key: string; head?: string; ours: string }[]) {
    it(`is taken over: ${name}`, () => {
      const head = name === 'the core group' ? '- version: v1\n  kind: Web\n' : HEAD
      const { text, findings, diagnostics } = migrate(`${head}  ${key}`)
      expect(diagnostics).to.deep.equal([])
      expect(findings.filter(({ kind }) => kind === 'decide')).to.deep.equal([])
      expect(text).to.equal(ours)
    })
  }

  for (const { name, key, at, message } of [
    {
      name: 'an unknown key',
      key: 'reconcilPeriod: 1h',
      at: '5:3',
      message: /not a key of the Ansible operator.*/,
    },
    { name: 'a period that is none', key: 'reconcilePeriod: often', at: '5:3', message: /`often` is not a duration/ },
    { name: 'a short period', key: 'reconcilePeriod: 5s', at: '5:3', message: /at least 10s/ },
    { name: 'a finalizer that is text', key: 'finalizer: x', at: '5:3', message: /a finalizer is a map/ },
    {
      name: 'a finalizer with variables',
      key: 'finalizer: {name: x, vars: {state: absent}}',
      at: '5:3',
      message: /in another way/,
    },
    {
      name: 'a finalizer without tasks',
      key: 'finalizer: {name: x}',
      at: '5:3',
      message: /neither `role` nor `playbook`/,
    },
  ]) {
    it(`is left to a person, with its place and a comment: ${name}`, () => {
      const { text, findings } = migrate(`${HEAD}  role: web\n  ${key}\n`)
      const [found] = findings.filter(({ kind }) => kind === 'decide')
      expect(found?.message).to.match(message)
      expect(`${found?.line}:${found?.column}`).to.equal(at)
      expect(text).to.match(/^# Decide: `/)
    })
  }

  it('asks for the key that was meant', () => {
    const { text } = migrate(`${HEAD}  role: web\n  reconcilPeriod: 1h\n`)
    expect(text).to.include('(did you mean `reconcilePeriod`?)')
  })

  it('may name playbooks with a role, or with tasks', () => {
    const play = 'plays/it.yml'
    const bare = migrate(`${HEAD}  playbook: ${play}\n`, { [play]: '- hosts: all\n  roles: [web]\n' })
    expect([...bare.files.keys()]).to.deep.equal(['watches.yaml', 'roles/web/role.yaml'])
    const tasks = migrate(`${HEAD}  playbook: /opt/ansible/${play}\n`, {
      [play]: '- hosts: all\n  tasks:\n    - fail: {msg: x}\n',
    })
    expect(tasks.files.get('roles/it/role.yaml')).to.include('message: x')
    const finalizing = migrate(`${HEAD}  role: web\n  finalizer: {name: x, playbook: ${play}}\n`, {
      [play]: '- hosts: all\n  tasks:\n    - fail: {msg: bye}\n',
    })
    expect(finalizing.files.get('roles/web/role.yaml')).to.match(/^finalize:\n {2}- fail:\n {6}message: bye\n$/m)
  })

  for (const [name, play] of [
    ['roles and tasks', '- roles: [web]\n  tasks: [{fail: {msg: x}}]\n'],
    ['nothing', '- hosts: all\n'],
    ['tasks before', '- roles: [web]\n  pre_tasks: []\n'],
    ['no plays', 'a: 1\n'],
    ['nothing in it', '# nothing\n'],
  ] as const) {
    it(`is an error with a playbook that has ${name}`, () => {
      const { diagnostics, files } = migrate(`${HEAD}  playbook: p.yml\n`, { 'p.yml': play })
      expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).to.deep.equal(['RB1702 4:13'])
      expect(files.size).to.equal(0)
    })
  }

  it('goes without a CRD where none is of the kind', () => {
    const other = 'kind: CustomResourceDefinition\nspec: {group: other.com, names: {kind: Web}}\n'
    const { files } = migrate(`${HEAD}  role: web\n`, {
      'config/crd/bases/a.yaml': other,
      'config/crd/b.yaml': 'kind: List\n',
    })
    expect([...files.keys()]).to.deep.equal(['watches.yaml', 'roles/web/role.yaml'])
  })

  it('takes a CRD without versions, or without a schema, for one that says nothing', () => {
    for (const versions of [
      '',
      ', versions: [{name: v1}]',
      ', versions: [{name: v1, schema: {openAPIV3Schema: {properties: {}}}}]',
    ]) {
      const crd = `kind: CustomResourceDefinition\nspec: {group: example.com, names: {kind: Web}${versions}}\n`
      const { files, findings } = migrate(`${HEAD}  role: web\n`, { 'config/crd/bases/a.yaml': crd })
      expect(files.get('roles/web/crd.yaml')).to.equal(crd)
      expect(findings.at(-1)?.message).to.match(/`a` is taken for `spec.a`/)
    }
  })

  it('names roles in every way that playbooks do', () => {
    for (const role of ['web', '{role: web}', '{name: web}']) {
      const { files } = migrate(`${HEAD}  playbook: play.yml\n`, { 'play.yml': `- roles: [${role}]\n` })
      expect([...files.keys()]).to.include('roles/web/role.yaml')
    }
    const { diagnostics } = migrate(`${HEAD}  playbook: play.yml\n`, { 'play.yml': '- roles: [{tags: a}]\n' })
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['RB1702'])
  })

  it('may run the tasks of a playbook that stands beside it', () => {
    const { files } = migrate(`${HEAD}  playbook: play.yml\n`, {
      'play.yml': '- tasks: [{include_tasks: more.yml}]\n',
      'tasks/more.yml': '- fail: {msg: more}\n',
    })
    expect(files.get('roles/play/role.yaml')).to.include('message: more')
  })

  it('is an error with a period of another type', () => {
    const { findings } = migrate(`${HEAD}  role: web\n  reconcilePeriod: [1]\n`)
    expect(findings.map(({ code }) => code)).to.include('RB1703')
  })

  it('takes the type of a default where no schema says one', () => {
    const { files } = migrate(`${HEAD}  role: web\n`, {
      'roles/web/defaults/main.yml': 'some_map: {inner_key: 1}\nsome_list: [{inner_key: 1}]\n',
      'roles/web/tasks/main.yml':
        '- fail: {msg: "{{ some_map | length }}{{ some_list | length }}{{ some_map.inner_key }}"}\n',
    })
    const role = files.get('roles/web/role.yaml')
    expect(role).to.include(`some_map: '\${spec.someMap ?? {"innerKey": 1}}'`)
    expect(role).to.include(`some_list: '\${spec.someList ?? [{"innerKey": 1}]}'`)
    expect(role).to.include('message: ${$count($keys($some_map))}${$count($some_list)}${$some_map.innerKey}')
  })

  it('makes two roles of one that serves two kinds', () => {
    const { files, text } = migrate(`${HEAD}  role: web\n${HEAD.replace('Web', 'Site')}  role: web\n`)
    expect([...files.keys()]).to.deep.equal(['watches.yaml', 'roles/web/role.yaml', 'roles/web-site/role.yaml'])
    expect(text).to.include('role: web-site')
  })

  it('brings the CRD and the samples of its kind, and no other', () => {
    const crd = (kind: string) =>
      `kind: CustomResourceDefinition\nspec: {group: example.com, names: {kind: ${kind}}, versions: [{name: v1}]}\n`
    const { files } = migrate(`${HEAD}  role: web\n`, {
      'config/crd/bases/all.yaml': `${crd('Site')}---\n${crd('Web')}`,
      'config/crd/kustomization.yaml': 'a\n',
      'config/samples/web.yaml': '# mine\napiVersion: example.com/v1\nkind: Web\n',
      'config/samples/site.yaml': 'apiVersion: example.com/v1\nkind: Site\n',
      'config/samples/readme.txt': '',
    })
    expect(files.get('roles/web/crd.yaml')).to.match(/^kind: CustomResourceDefinition\nspec:\n {2}group: example.com\n/)
    expect(files.get('roles/web/samples/web.yaml')).to.match(/^# mine/)
    expect(files.size).to.equal(4)
  })
})
