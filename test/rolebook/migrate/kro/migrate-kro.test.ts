import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { SourceFile } from '../../../../src/core/yaml/source-file.ts'
import { knownKinds } from '../../../../src/rolebook/cli/migrate/known-kinds.ts'
import { migrateKro } from '../../../../src/rolebook/migrate/kro/migrate-kro.ts'
import { loadBuiltinSchemas } from '../../../../src/sandbox/cluster/load-builtin-schemas.ts'

const known = knownKinds(loadBuiltinSchemas())

function migrate(schema: string, resources: string) {
  const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema: {apiVersion: v1, kind: Shop, ${schema}}
  resources: ${resources}
`
  const { files, findings, diagnostics } = migrateKro([new SourceFile('rgd.yaml', text)], known)
  const file = (path: string) => parse(files.get(path) ?? 'null')
  return {
    diagnostics,
    decided: findings.filter(({ kind }) => kind === 'decide').map(({ what, message }) => `${what}: ${message}`),
    notes: findings.filter(({ kind }) => kind === 'note').map(({ what }) => what),
    watch: file('watches.yaml')?.[0],
    tasks: file('roles/shop/role.yaml')?.tasks,
    spec: file('roles/shop/crd.yaml')?.spec.versions[0].schema.openAPIV3Schema.properties.spec,
    status: file('roles/shop/crd.yaml')?.spec.versions[0].schema.openAPIV3Schema.properties.status.properties,
    sample: file('roles/shop/samples/shop.yaml'),
  }
}

const map = (id: string, more: string, data = '{}') =>
  `{id: ${id}, ${more} template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}-${id}"}, data: ${data}}}`

describe('a ResourceGraphDefinition', () => {
  it('becomes what stands in the folder of the test', () => {
    const folder = join(import.meta.dirname, 'shop')
    const source = new SourceFile('rgd.yaml', readFileSync(join(folder, 'rgd.yaml'), 'utf8'))
    const { files, findings } = migrateKro([source], known)
    expect(findings.filter(({ kind }) => kind === 'decide')).to.deep.equal([])
    expect(files.get('roles/shop/role.yaml')).to.equal(readFileSync(join(folder, 'role.yaml'), 'utf8'))
  })

  it('has its spec as a schema, with what expressions need required', () => {
    const { spec, notes, sample } = migrate(
      'spec: {name: string, size: "integer | default=3 minimum=1", mode: \'string | enum="a,b" default="a"\', tags: "[]string", tls: {enabled: "boolean | default=false", host: string}, env: "map[string]integer"}',
      `[${map('a', '', '{a: "${schema.spec.name}", b: "${schema.spec.?tls.?host}"}')}]`,
    )
    expect(spec).to.deep.equal({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        size: { type: 'integer', default: 3, minimum: 1 },
        mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
        tags: { type: 'array', items: { type: 'string' } },
        tls: {
          type: 'object',
          properties: { enabled: { type: 'boolean', default: false }, host: { type: 'string' } },
          default: {},
        },
        env: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    })
    expect(notes).to.deep.equal(['spec.name'])
    expect(sample.spec.name).to.be.a('string')
  })

  it('requires a map whose fields have defaults when an expression needs one of its other fields', () => {
    const { spec, notes } = migrate(
      'spec: {tls: {enabled: "boolean | default=false", host: string}, log: {level: \'string | default="info"\'}, free: object}',
      `[${map('a', '', '{a: "${schema.spec.tls.host}", b: "${schema.spec.log.level}", c: "${schema.spec.free.x}"}')}]`,
    )
    expect(spec).to.deep.equal({
      type: 'object',
      required: ['tls', 'free'],
      properties: {
        tls: {
          type: 'object',
          required: ['host'],
          properties: { enabled: { type: 'boolean', default: false }, host: { type: 'string' } },
        },
        log: { type: 'object', properties: { level: { type: 'string', default: 'info' } }, default: {} },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    })
    expect(notes).to.deep.equal(['spec.tls.host', 'spec.free.x'])
  })

  it('waits for what an expression reads of another resource, and no longer than for that', () => {
    const { tasks } = migrate(
      'spec: {}',
      `[${map('b', '', '{a: "${db.status.endpoint}", b: "${db.metadata.name}"}')}, {id: db, template: {apiVersion: db.example.com/v1, kind: Db, metadata: {name: db}}}, ${map('c', '')}]`,
    )
    expect(tasks.map(({ name }: { name: string }) => name)).to.deep.equal(['db', 'c', 'What b needs', 'b'])
    expect(tasks[2].wait).to.deep.equal({
      for: '${$exists($db.status.endpoint)}',
      message: 'b needs status.endpoint of db',
    })
  })

  it('leaves out with a resource what needs it', () => {
    const { tasks } = migrate(
      'spec: {enabled: "boolean | default=true"}',
      `[${map('a', 'includeWhen: ["${schema.spec.enabled}"],')}, ${map('b', '', '{a: "${a.metadata.name}"}')}]`,
    )
    expect(tasks.map(({ when }: { when: string }) => when)).to.deep.equal(['${spec.enabled}', '${spec.enabled}'])
  })

  it('waits for readiness where something needs the resource, and loops over collections', () => {
    const { tasks } = migrate(
      'spec: {names: "[]string", tiers: "[]string"}',
      `[{id: pods, forEach: [{name: "\${schema.spec.names}"}, {tier: "\${schema.spec.tiers}"}], readyWhen: ["\${each.status.phase == 'Running'}"], template: {apiVersion: v1, kind: Pod, metadata: {name: "\${name}-\${tier}"}}}, ${map('a', '', '{a: "${pods.map(p, p.metadata.name).join(\',\')}"}')}]`,
    )
    expect(tasks[0]).to.deep.include({
      loop: '${[$$.spec.names.($name := $; $$.spec.tiers.{"name": $name, "tier": $})]}',
      loopVar: 'combination',
      readyWhen: '${$self.status.phase = "Running"}',
      waitReady: true,
      register: 'pods',
    })
    expect(tasks[0].ensure.metadata.name).to.equal('${$combination.name}-${$combination.tier}')
  })

  it('reads external references, all namespaces where a selector names none', () => {
    const { tasks, watch } = migrate(
      'spec: {}',
      '[{id: one, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}, {id: all, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchLabels: {a: b}}}}}]',
    )
    expect(tasks[0].get).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' })
    expect(tasks[1].list).to.deep.equal({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: '*',
      selector: { matchLabels: { a: 'b' } },
    })
    expect(watch).to.deep.equal({
      group: 'kro.run',
      version: 'v1',
      kind: 'Shop',
      role: 'shop',
      allowedNamespaces: ['*'],
    })
  })

  it('may write and read objects that are in no namespace', () => {
    const role = (id: string) =>
      `{id: ${id}, template: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "\${schema.metadata.name}-${id}"}, rules: []}}`
    const { watch } = migrate('spec: {}', `[${role('a')}, ${role('b')}]`)
    expect(watch).to.deep.include({
      allowedNamespaces: ['*'],
      acknowledge: ['ClusterRole.rbac.authorization.k8s.io'],
    })
    const read =
      '[{id: fast, externalRef: {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}}}]'
    expect(migrate('spec: {}', read).watch).to.deep.include({ allowedNamespaces: ['*'] })
    expect(migrate('spec: {}', `[${map('a', '')}]`).watch).to.have.all.keys('group', 'version', 'kind', 'role')
  })

  it('has a status in which nothing that is missing holds up the rest', () => {
    const { tasks, status } = migrate(
      'spec: {}, status: {names: "${a.metadata.name}", url: "http://${d.status.replicas > 0 ? d.metadata.name : \'\'}/", conditions: []}',
      `[${map('a', '')}, {id: d, template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}}]`,
    )
    expect(tasks.slice(2).map((task: { status: unknown }) => task.status)).to.deep.equal([
      { names: '${$a.metadata.name}' },
      { url: '${$exists($d.status.replicas) ? "http://" & ($d.status.replicas > 0 ? $d.metadata.name : "") & "/"}' },
    ])
    expect(status.url).to.deep.equal({ type: 'string' })
  })

  it('keeps shell variables as they are', () => {
    const { tasks } = migrate('spec: {}', `[${map('a', '', '{a: \'echo ${"${HOME}"} $HOME\'}')}]`)
    expect(tasks[0].ensure.data.a).to.equal('echo $${HOME} $HOME')
  })

  it('names a field without a translation, and fails before the task without it', () => {
    const { tasks, decided } = migrate(
      'spec: {}',
      `[${map('a', '', '{a: "${random.seededString(3, schema.metadata.uid)}", b: x}')}]`,
    )
    expect(decided).to.deep.equal(['a: the function has no counterpart: it would give another value'])
    expect(tasks[0]).to.deep.equal({
      name: 'Decide: a: data.a',
      fail: { message: 'a is not whole: the function has no counterpart: it would give another value' },
    })
    expect(tasks[1].ensure.data).to.deep.equal({ b: 'x' })
  })

  it('leaves to a person what reads a resource without a translation', () => {
    const { tasks, decided } = migrate(
      'spec: {}',
      `[{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${json.marshal(schema.spec)}"}}}, ${map('b', '', '{a: "${a.metadata.name}"}')}]`,
    )
    expect(decided).to.have.length(2)
    expect(decided[1]).to.equal('b: `a` was not moved over')
    expect(tasks[0].fail.message).to.match(/^a was not moved over: /)
  })

  for (const { name, resource, message } of [
    { name: 'is text', resource: 'web', message: 'a resource is a map with an `id`' },
    {
      name: 'has no id',
      resource: '{template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}',
      message: 'a resource is a map with an `id`',
    },
    {
      name: 'has nothing to make',
      resource: '{id: a}',
      message: 'a resource has a `template` or an `externalRef` with apiVersion and kind',
    },
    {
      name: 'has no kind',
      resource: '{id: a, externalRef: {apiVersion: v1, metadata: {name: a}}}',
      message: 'a resource has a `template` or an `externalRef` with apiVersion and kind',
    },
    {
      name: 'has no metadata',
      resource: '{id: a, template: {apiVersion: v1, kind: ConfigMap}}',
      message: 'a has no metadata',
    },
    {
      name: 'computes its kind',
      resource: '{id: a, template: {apiVersion: v1, kind: "${schema.spec.kind}", metadata: {name: a}}}',
      message: '`kind` must be known before the role runs',
    },
  ]) {
    it(`leaves to a person a resource that ${name}`, () => {
      const { decided, tasks } = migrate('spec: {kind: string}', `[${resource}, ${map('b', '')}]`)
      expect(decided).to.deep.equal([`resources[0]: ${message}`])
      expect(tasks.map((task: { name: string }) => task.name)).to.deep.equal(['b'])
    })
  }
})

describe('files of kro', () => {
  const DEFINITION =
    'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: shop}\nspec:\n  schema: {apiVersion: v1, kind: Shop, group: example.com, spec: {name: string}}\n'
  const one = `  resources: [${map('a', '', '{a: "${schema.spec.name}"}')}]\n`

  function migrateFiles(content: { readonly [path: string]: string }) {
    const sources = Object.entries(content).map(([path, text]) => new SourceFile(path, text))
    const { files, diagnostics, findings } = migrateKro(sources, known)
    return { files, findings, problems: diagnostics.map(({ file, code, message }) => `${file} ${code}: ${message}`) }
  }

  it('must hold a definition', () => {
    const problem = 'RB1702: there is no ResourceGraphDefinition'
    expect(migrateFiles({}).problems).to.deep.equal([`. ${problem}`])
    const others = {
      'a.yaml': 'kind: ResourceGraphDefinition\napiVersion: example.com/v1\n',
      'b.yaml': 'kind: Pod\napiVersion: v1\n',
      'c.yaml': 'text',
    }
    const { files, problems } = migrateFiles(others)
    expect(problems).to.deep.equal([`a.yaml ${problem}`])
    expect([...files.keys()]).to.deep.equal([])
  })

  it('that cannot be read stop the migration when a definition may be in them, and only then', () => {
    const { problems, files } = migrateFiles({ 'rgd.yaml': `${DEFINITION}  resources: [\n` })
    expect(problems).to.have.length(1)
    expect(problems[0]).to.match(/^rgd\.yaml RB1001: /)
    expect([...files.keys()]).to.deep.equal([])
    const beside = migrateFiles({ 'rgd.yaml': DEFINITION + one, 'chart.yaml': 'a: {{ .Values.a }}: [\n' })
    expect(beside.problems).to.deep.equal([])
    expect(beside.files.has('roles/shop/role.yaml')).to.equal(true)
  })

  it('bring their resources as samples, but for those that a shell completes', () => {
    const instance = (name: string, version = 'v1') =>
      `---\napiVersion: example.com/${version}\nkind: Shop\nmetadata: {name: ${name}}\nspec: {name: x}\n`
    const { files } = migrateFiles({
      'rgd.yaml': DEFINITION + one,
      'instances.yaml': ['first', '$NAME', '"<your-name>"', 'second'].map((name) => instance(name)).join(''),
      'old.yaml': instance('old', 'v1alpha1'),
    })
    const samples = [...files].filter(([path]) => path.includes('/samples/'))
    expect(samples.map(([path, text]) => [path, parse(text).metadata.name])).to.deep.equal([
      ['roles/shop/samples/shop.yaml', 'first'],
      ['roles/shop/samples/shop-2.yaml', 'second'],
    ])
  })

  it('say by their CRDs of which types the fields of other kinds are, and whether these are in a namespace', () => {
    const db = `  resources: [{id: db, template: {apiVersion: db.example.com/v1, kind: Db, metadata: {name: db}}}, ${map('a', '', '{a: "${string(size(db.status.hosts))}"}')}]\n`
    const crd = (versions: string) =>
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: db.example.com, scope: Cluster, names: {kind: Db, plural: dbs}${versions}}\n`
    const schema =
      'openAPIV3Schema: {type: object, properties: {status: {type: object, properties: {hosts: {type: array, items: {type: string}}}}}}'
    const decidedWith = (text: string) => {
      const { files, findings } = migrateFiles({ 'rgd.yaml': DEFINITION + db, 'crd.yaml': text })
      const decided = findings.filter(({ kind }) => kind === 'decide').map(({ message }) => message)
      return { decided, allowed: parse(files.get('watches.yaml') ?? '')[0].allowedNamespaces }
    }
    const unknown = ['it is not known whether this is a list, a map or text']
    const all = ['*']
    expect(decidedWith(crd(`, versions: [{name: v1, schema: {${schema}}}]`))).to.deep.equal({
      decided: [],
      allowed: all,
    })
    expect(decidedWith(crd(', versions: [{name: v1}]'))).to.deep.equal({ decided: unknown, allowed: all })
    for (const text of [crd(', version: v1'), 'kind: CustomResourceDefinition\n']) {
      expect(decidedWith(text)).to.deep.equal({ decided: unknown, allowed: undefined })
    }
  })
})
