import { expect } from 'chai'
import { parse } from 'yaml'
import { SourceFile } from '../../../../src/core/yaml/source-file.ts'
import { knownKinds } from '../../../../src/rolebook/cli/migrate/known-kinds.ts'
import { migrateKro } from '../../../../src/rolebook/migrate/kro/migrate-kro.ts'
import { loadBuiltinSchemas } from '../../../../src/sandbox/cluster/load-builtin-schemas.ts'

const known = knownKinds(loadBuiltinSchemas())

interface Task {
  readonly name: string
  readonly [field: string]: unknown
}

/** @param more beside `schema.apiVersion` and `schema.kind` */
function migrate(more: string, resources: string) {
  const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema: {apiVersion: v1, kind: Shop, ${more}}
  resources: ${resources}
`
  const { files, findings } = migrateKro([new SourceFile('rgd.yaml', text)], known)
  const crd = parse(files.get('roles/shop/crd.yaml') ?? '')
  const tasks: readonly Task[] = parse(files.get('roles/shop/role.yaml') ?? '').tasks
  return {
    crd,
    tasks,
    decided: findings.filter(({ kind }) => kind === 'decide').map(({ what, message }) => `${what}: ${message}`),
    watch: parse(files.get('watches.yaml') ?? '')[0],
    status: crd.spec.versions[0].schema.openAPIV3Schema.properties.status.properties,
    text: files.get('roles/shop/role.yaml') ?? '',
  }
}

/** A ConfigMap. @param data its data, in YAML */
const map = (id: string, data: string, more = '') =>
  `{id: ${id}, ${more} template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}-${id}"}, data: ${data}}}`
/** An object of a kind without a schema. */
const db = (id: string, spec = '{}', more = '') =>
  `{id: ${id}, ${more} template: {apiVersion: db.example.com/v1, kind: Db, metadata: {name: ${id}}, spec: ${spec}}}`
const WHY = 'the function has no counterpart: JSON has its keys in another order'

describe('resources of kro', () => {
  it('keep their order when they need one another in a circle', () => {
    const { tasks } = migrate(
      'spec: {}',
      `[${map('c', '{}')}, ${db('a', '{x: "${b.status.x}"}')}, ${db('b', '{x: "${a.status.x}"}')}]`,
    )
    expect(tasks.map(({ name }) => name)).to.deep.equal(['c', 'What a needs', 'a', 'What b needs', 'b'])
  })

  it('are left out with what they need, however many ways lead to it', () => {
    const { tasks } = migrate(
      'spec: {enabled: "boolean | default=true"}',
      `[${map('top', '{a: "${left.metadata.name}", b: "${right.metadata.name}"}')}, ${map('left', '{a: "${base.metadata.name}"}')}, ${map('right', '{a: "${base.metadata.name}"}')}, ${map('base', '{}', 'includeWhen: ["${schema.spec.enabled}"],')}]`,
    )
    expect(tasks.map(({ name, when }) => `${name} ${when}`)).to.deep.equal([
      'base ${spec.enabled}',
      'left ${spec.enabled}',
      'right ${spec.enabled}',
      'top ${spec.enabled}',
    ])
  })

  it('wait for what their conditions read of others', () => {
    const { tasks } = migrate('spec: {}', `[${db('a')}, ${map('b', '{}', 'includeWhen: ["${a.status.size > 1}"],')}]`)
    expect(tasks.slice(1)).to.deep.include.members([
      {
        name: 'What b needs',
        when: '${$a.status.size > 1}',
        wait: { for: '${$exists($a.status.size)}', message: 'b needs status.size of a' },
      },
    ])
  })

  it('wait for what an expression reads under a condition', () => {
    const { tasks } = migrate(
      'spec: {enabled: "boolean | default=true"}',
      `[${db('a')}, ${map('b', '{a: "${schema.spec.enabled ? a.status.host : \'\'}"}')}]`,
    )
    expect(tasks[1]?.wait).to.deep.equal({
      for: '${(spec.enabled ? $exists($a.status.host) : true)}',
      message: 'b needs what it reads',
    })
  })

  it('of a loop wait for each item of it', () => {
    const { tasks } = migrate(
      'spec: {names: "[]string"}',
      `[{id: dbs, forEach: [{name: "\${schema.spec.names}"}], template: {apiVersion: db.example.com/v1, kind: Db, metadata: {name: "\${name}"}}}, {id: maps, forEach: [{one: "\${dbs}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${one.metadata.name}"}, data: {host: "\${one.status.host}"}}}]`,
    )
    expect(tasks.slice(1)).to.deep.equal([
      {
        name: 'What maps needs',
        loop: '${[$dbs]}',
        loopVar: 'one',
        wait: { for: '${$exists($one.status.host)}', message: 'maps needs status.host of one' },
      },
      {
        name: 'maps',
        loop: '${[$dbs]}',
        loopVar: 'one',
        ensure: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: '${$one.metadata.name}' },
          data: { host: '${$one.status.host}' },
        },
      },
    ])
  })

  it('wait for the list that they loop over, and each loop has a variable of its own', () => {
    const loop = (id: string, list: string) =>
      `{id: ${id}, forEach: [{zone: "\${${list}}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${id}-\${zone}"}}}`
    const { tasks } = migrate(
      'spec: {zones: "[]string"}',
      `[${db('a')}, ${loop('b', 'schema.spec.zones')}, ${loop('c', 'a.status.zones')}]`,
    )
    expect(tasks.map(({ name, loop: over, loopVar }) => [name, over, loopVar])).to.deep.equal([
      ['a', undefined, undefined],
      ['b', '${[spec.zones]}', 'zone'],
      ['What c needs', undefined, undefined],
      ['c', '${[$a.status.zones]}', 'zone2'],
    ])
  })

  it('wait for other values that stand in the same text', () => {
    const { tasks } = migrate(
      'spec: {size: integer, debug: boolean}',
      `[${db('a')}, ${map('b', '{a: "n${string(schema.spec.size)}-${string(a.status.x + 1)}-${string(schema.spec.debug)}"}')}]`,
    )
    expect(tasks[1]?.wait).to.deep.include({ for: '${$exists($a.status.x)}' })
    expect(tasks[2]?.ensure).to.deep.include({ data: { a: 'n${spec.size}-${$a.status.x + 1}-${spec.debug}' } })
  })

  it('are ready when what kro says of them holds, and no sooner', () => {
    const ready = (condition: string) => `readyWhen: ["\${${condition}}"],`
    const { tasks } = migrate(
      'spec: {}',
      `[${db('a', '{}', ready("a.status.phase == 'Up'"))}, ${db('b', '{}', ready("b.status.phase != 'Down'"))}, ${db('c', '{}', ready("c.status.text.reverse2() == ''"))}]`,
    )
    expect(tasks.map(({ name, readyWhen }) => [name, readyWhen])).to.deep.equal([
      ['a', '${$self.status.phase = "Up"}'],
      ['b', '${$exists($self.status.phase) and $self.status.phase != "Down"}'],
      ['Decide: c: readyWhen[0]', undefined],
      ['c', undefined],
    ])
  })

  it('have the namespace that they name', () => {
    const at = (id: string, namespace: string) =>
      `{id: ${id}, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${id}, namespace: "${namespace}"}}}`
    const own = migrate(
      'spec: {}',
      `[${at('a', '${schema.metadata.namespace}')}, ${at('b', '${a.metadata.namespace}')}]`,
    )
    expect(own.watch).not.to.have.property('allowedNamespaces')
    expect(own.tasks.map(({ ensure }) => (ensure as { metadata: unknown }).metadata)).to.deep.equal([
      { name: 'a' },
      { name: 'b', namespace: '${$a.metadata.namespace}' },
    ])
    const other = migrate('spec: {}', `[${at('a', 'shared')}]`)
    expect(other.watch).to.deep.include({ allowedNamespaces: ['*'] })
    expect(other.tasks[0]?.ensure).to.deep.include({ metadata: { name: 'a', namespace: 'shared' } })
  })

  it('are read by name where they say so, and others may read them', () => {
    const { tasks } = migrate(
      'spec: {}',
      `[{id: cfg, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: cfg, namespace: shared}}}, {id: all, externalRef: {apiVersion: v1, kind: Secret, metadata: {namespace: shared, selector: {}}}}, ${map('b', '{a: "${cfg.data.host}"}')}]`,
    )
    expect(tasks.slice(0, 2)).to.deep.include.members([
      { name: 'cfg', get: { apiVersion: 'v1', kind: 'ConfigMap', name: 'cfg', namespace: 'shared' }, register: 'cfg' },
      { name: 'all', list: { apiVersion: 'v1', kind: 'Secret', namespace: 'shared' } },
    ])
    expect(tasks[2]?.wait).to.deep.include({ message: 'b needs data.host of cfg' })
  })

  for (const { name, resource, left } of [
    {
      name: 'an optional field of a list',
      resource:
        '{id: a, template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80, name: "${json.marshal(schema.spec)}"}]}}}',
      left: { task: 'Decide: a: spec.ports[0].name', message: `a is not whole: ${WHY}` },
    },
    {
      name: 'a field of a kind without a schema',
      resource: db('a', '{size: 1, x: {z: "${json.marshal(schema.spec)}"}}'),
      left: { task: 'Decide: a: spec.x.z', message: `a is not whole: ${WHY}` },
    },
    {
      name: 'a label',
      resource:
        '{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {b: "${json.marshal(schema.spec)}"}}}}',
      left: { task: 'Decide: a: metadata.labels.b', message: `a is not whole: ${WHY}` },
    },
    {
      name: 'a field that the kind requires',
      resource:
        '{id: a, template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: "${int(json.marshal(schema.spec))}"}]}}}',
      left: { task: 'Decide: a', message: `a was not moved over: ${WHY}` },
    },
    {
      name: 'a namespace',
      resource:
        '{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: "${json.marshal(schema.spec)}"}}}',
      left: { task: 'Decide: a', message: `a was not moved over: ${WHY}` },
    },
    {
      name: 'a name to read',
      resource:
        '{id: a, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${json.marshal(schema.spec)}"}}}',
      left: { task: 'Decide: a', message: `a was not moved over: ${WHY}` },
    },
    {
      name: 'an iterator with two names',
      resource: db('a', '{}', 'forEach: [{x: "${[1]}", z: "${[1]}"}],'),
      left: { task: 'Decide: a', message: 'a was not moved over: an iterator is a map with one name' },
    },
    {
      name: 'an iterator that is text',
      resource: db('a', '{}', 'forEach: ["${[1]}"],'),
      left: { task: 'Decide: a', message: 'a was not moved over: an iterator is a map with one name' },
    },
    {
      name: 'a condition that is no expression',
      resource: map('a', '{}', 'includeWhen: [true],'),
      left: {
        task: 'Decide: a',
        message: 'a was not moved over: a condition is one expression between `$${` and `}`',
      },
    },
    {
      name: 'a condition with text around it',
      resource: map('a', '{}', 'includeWhen: ["not ${schema.spec.enabled}"],'),
      left: {
        task: 'Decide: a',
        message: 'a was not moved over: a condition is one expression between `$${` and `}`',
      },
    },
    {
      name: 'an expression within another',
      resource: map('a', '{x: "${ ${schema.spec.enabled} }"}'),
      left: { task: 'Decide: a: data.x', message: 'a is not whole: an expression within an expression' },
    },
    {
      name: 'an expression that cannot be read',
      resource: map('a', '{x: "${schema.spec.enabled +}"}'),
      left: { task: 'Decide: a: data.x', message: /^a is not whole: this is no CEL: Syntax error: mismatched input/ },
    },
  ]) {
    it(`are left to a person, or go without it: ${name}`, () => {
      const { tasks, decided } = migrate('spec: {enabled: "boolean | default=true"}', `[${resource}]`)
      const [first, ...rest] = tasks
      expect(first?.name).to.equal(left.task)
      const { message } = (first as Task).fail as { message: string }
      if (typeof left.message === 'string') expect(message).to.equal(left.message)
      else expect(message).to.match(left.message)
      expect(decided).to.have.length(1)
      expect(rest.map((task) => task.name)).to.deep.equal(left.task === 'Decide: a' ? [] : ['a'])
    })
  }

  it('may be none, and then the role says so', () => {
    for (const resources of ['[]', '~']) {
      const { tasks, decided } = migrate('spec: {}', resources)
      const message = 'the definition has no resources'
      expect(decided).to.deep.equal([`resources: ${message}`])
      expect(tasks).to.deep.equal([{ name: 'Decide: nothing to do', fail: { message } }])
    }
  })

  it('keep braces and quotes of expressions, and text that only looks like one', () => {
    const { tasks, decided } = migrate(
      'spec: {name: string}',
      `[${map('a', `{a: '\${"\\"}" + schema.spec.name}', b: '\${ {"k": {"a": schema.spec.name}}["k"]["a"] }', c: 'echo \${HOME'}`)}]`,
    )
    expect(decided).to.deep.equal([])
    expect(tasks[0]?.ensure).to.deep.include({
      data: { a: '"}${spec.name}', b: '${{"k": {"a": spec.name}}.k.a}', c: 'echo $${HOME' },
    })
  })
})

describe('the kind of a ResourceGraphDefinition', () => {
  it('has the names, labels, scope and columns that it declares', () => {
    const { crd } = migrate(
      'scope: Cluster, shortNames: [sh], categories: [all], metadata: {labels: {a: b}, annotations: {c: d}}, additionalPrinterColumns: [{name: State, type: string, jsonPath: .status.state}, {name: Host, type: string, jsonPath: .spec.host}], spec: {host: string}',
      `[${map('a', '{}')}]`,
    )
    expect(crd.metadata).to.deep.equal({ name: 'shops.kro.run', labels: { a: 'b' }, annotations: { c: 'd' } })
    expect(crd.spec.scope).to.equal('Cluster')
    expect(crd.spec.names).to.deep.include({ shortNames: ['sh'], categories: ['all'] })
    expect(crd.spec.versions[0].additionalPrinterColumns).to.deep.equal([
      { name: 'Host', type: 'string', jsonPath: '.spec.host' },
    ])
  })

  it('has a status of every form', () => {
    const { tasks, status, decided } = migrate(
      `spec: {name: string}, status: {name: "\${schema.spec.name}", fixed: 'echo \${HOME', count: 3, ready: true, hosts: ["\${a.status.host}"], none: [], db: {host: "\${a.status.host}", pods: "\${d.spec.template.spec.containers}"}, labels: "\${d.metadata.labels}", either: "\${a.status.x + 1 > 2 ? a.status.host : ''}", conditions: [], state: ACTIVE, json: "\${json.marshal(schema.spec)}"}`,
      `[${db('a')}, {id: d, template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}}]`,
    )
    expect(tasks.slice(2)).to.deep.equal([
      { name: 'Status', status: { name: '${spec.name}', fixed: 'echo $${HOME', count: 3, ready: true, none: [] } },
      {
        name: 'Status, from a',
        status: {
          hosts: ['${$a.status.host}'],
          either:
            '${$exists($a.status.x) and ($a.status.x + 1 > 2 ? $exists($a.status.host) : true) ? ($a.status.x + 1 > 2 ? $a.status.host : "")}',
        },
      },
      {
        name: 'Status, from a and d',
        status: { db: { host: '${$a.status.host}', pods: '${[$d.spec.template.spec.containers]}' } },
      },
      { name: 'Status, from d', status: { labels: '${$d.metadata.labels}' } },
    ])
    expect(decided).to.deep.equal([
      'status.conditions: `conditions` is written by the engine',
      'status.state: `state` is written by the engine',
      `status.json: ${WHY}`,
    ])
    const any = { 'x-kubernetes-preserve-unknown-fields': true }
    const text = { type: 'string' }
    const { observedGeneration: _generation, conditions: _conditions, ...own } = status
    expect(own).to.deep.equal({
      name: text,
      fixed: text,
      count: { type: 'number' },
      ready: { type: 'boolean' },
      hosts: { type: 'array', items: any },
      none: { type: 'array', items: any },
      db: {
        type: 'object',
        properties: { host: any, pods: { type: 'array', items: { type: 'object', ...any } } },
      },
      labels: { type: 'object', ...any },
      either: text,
    })
  })
})
