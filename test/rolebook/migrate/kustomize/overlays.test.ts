import { expect } from 'chai'
import { parse } from 'yaml'
import { SourceFile } from '../../../../src/core/yaml/source-file.ts'
import { knownKinds } from '../../../../src/rolebook/cli/migrate/known-kinds.ts'
import { migrateKustomize } from '../../../../src/rolebook/migrate/kustomize/migrate-kustomize.ts'
import { loadBuiltinSchemas } from '../../../../src/sandbox/cluster/load-builtin-schemas.ts'

const known = knownKinds(loadBuiltinSchemas())
const gvk = { group: 'example.com', version: 'v1', kind: 'Shop' }

interface Made {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly [field: string]: unknown
}

function migrate(content: { readonly [path: string]: string }) {
  const read = (path: string) => (content[path] === undefined ? undefined : new SourceFile(path, content[path]))
  const below = (folder: string) => Object.keys(content).filter((path) => path.startsWith(`${folder}/`))
  const list = (folder: string) => [...new Set(below(folder).map((path) => path.split('/')[1] as string))]
  const { files, findings, diagnostics } = migrateKustomize({ read, list }, { gvk, known })
  const file = (path: string) => parse(files.get(path) ?? 'null')
  const said = (kind: string) => findings.filter((one) => one.kind === kind)
  return {
    diagnostics: diagnostics.map((one) => `${one.file} ${one.code}: ${one.message}`),
    objects: (file('roles/shop/role.yaml')?.tasks ?? []).map(({ ensure }: { ensure: Made }) => ensure) as Made[],
    fields: file('roles/shop/crd.yaml')?.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties,
    decided: said('decide').map(({ message }) => message),
    notes: said('note').map(({ what, message }) => `${what}: ${message}`),
    sample: file('roles/shop/samples/shop.yaml'),
    prod: file('roles/shop/samples/prod.yaml'),
  }
}

const config = (name: string, data = 'a: b') =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`
const deployment = (pod: string, more = '') =>
  `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {${more}template: {spec: ${pod}}}\n`

/** A base of one file, and an overlay called `prod`. */
const layers = (base: string, prod: string, more: { readonly [path: string]: string } = {}) => ({
  'base/kustomization.yaml': 'resources: [all.yaml]\n',
  'base/all.yaml': base,
  'overlays/prod/kustomization.yaml': `resources: [../../base]\n${prod}`,
  ...more,
})
/** A patch of the Deployment. */
const patch = (spec: string) =>
  `patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {${spec}}}'\n`

describe('overlays of Kustomize', () => {
  it('need a base with resources', () => {
    const problem = 'kustomization.yaml RB1702: there is no kustomization.yaml with resources'
    for (const content of [{}, { 'kustomization.yaml': 'text\n' }, { 'base/kustomization.yml': 'namePrefix: a-\n' }]) {
      const { diagnostics, objects } = migrate(content)
      expect(diagnostics).to.deep.equal([problem])
      expect(objects).to.deep.equal([])
    }
  })

  it('need a base that can be read, and a mistake in it is said once', () => {
    const { diagnostics, objects } = migrate({ 'kustomization.yaml': 'resources: [a.yaml\n', 'a.yaml': config('web') })
    expect(diagnostics).to.have.length(1)
    expect(diagnostics[0]).to.match(/^kustomization\.yaml RB1\d+: /)
    expect(objects).to.deep.equal([])
  })

  it('may stand below their base', () => {
    const { prod, decided } = migrate({
      'kustomization.yaml': 'resources: [all.yaml]\n',
      'all.yaml': config('web'),
      'overlays/prod/kustomization.yaml': 'bases: [../..]\nnamePrefix: live-\n',
    })
    expect(decided).to.deep.equal([])
    expect(prod.metadata).to.deep.equal({ name: 'live-web' })
  })

  it('give all names that follow from that of the resource without a field for each', () => {
    const { fields, prod, objects, decided } = migrate(
      layers(
        config('web') + deployment('{containers: [{name: web, envFrom: [{configMapRef: {name: web}}]}]}'),
        'nameSuffix: -live\nnamespace: prod\n',
      ),
    )
    expect(decided).to.deep.equal([])
    expect(fields).to.deep.equal({})
    expect(prod).to.deep.include({ metadata: { name: 'web-live', namespace: 'prod' }, spec: {} })
    expect(objects.map(({ metadata }) => metadata)).to.deep.equal([
      { name: '${metadata.name}' },
      { name: '${metadata.name}' },
    ])
  })

  it('give numbers, booleans and text as fields', () => {
    const { fields, sample, prod, decided } = migrate(
      layers(
        deployment('{hostNetwork: false, priorityClassName: low}', 'minReadySeconds: 1, '),
        patch('minReadySeconds: 9, template: {spec: {hostNetwork: true, priorityClassName: high}}'),
      ),
    )
    expect(decided).to.deep.equal([])
    expect(fields).to.deep.equal({
      minReadySeconds: { description: 'spec.minReadySeconds of Deployment.', type: 'integer' },
      hostNetwork: { description: 'spec.template.spec.hostNetwork of Deployment.', type: 'boolean' },
      priorityClassName: { description: 'spec.template.spec.priorityClassName of Deployment.', type: 'string' },
    })
    expect(sample.spec).to.deep.equal({ minReadySeconds: 1, hostNetwork: false, priorityClassName: 'low' })
    expect(prod.spec).to.deep.equal({ minReadySeconds: 9, hostNetwork: true, priorityClassName: 'high' })
  })

  it('give each of many values of one name a field of its own', () => {
    const env = (value: string) =>
      `{containers: [{name: web, env: [${['A', 'B', 'C', 'D'].map((name) => `{name: ${name}, value: ${name}-${value}}`).join(', ')}]}]}`
    const { sample, prod } = migrate(layers(deployment(env('0')), patch(`template: {spec: ${env('1')}}`)))
    expect(sample.spec).to.deep.equal({ value: 'A-0', deployment: { value: 'B-0', value2: 'D-0' }, value2: 'C-0' })
    expect(prod.spec).to.deep.equal({ value: 'A-1', deployment: { value: 'B-1', value2: 'D-1' }, value2: 'C-1' })
  })

  it('leave to a person what no field can say', () => {
    const { fields, decided } = migrate(
      layers(
        deployment('{containers: [{name: web, args: [a], env: []}]}', 'strategy: {rollingUpdate: {maxSurge: 1}}, '),
        patch(
          'revisionHistoryLimit: 3, strategy: {rollingUpdate: {maxSurge: "25%"}}, template: {spec: {containers: [{name: web, args: [a, b]}]}}',
        ),
      ),
    )
    expect(fields).to.deep.equal({})
    expect(decided).to.have.members([
      'Deployment web: spec.revisionHistoryLimit is not as in the base',
      'Deployment web: spec.strategy.rollingUpdate.maxSurge is not as in the base',
      'Deployment web: spec.template.spec.containers[0].args is not as in the base',
    ])
  })

  it('that have other objects than the base are left to a person', () => {
    const { decided, prod } = migrate(
      layers(
        deployment('{containers: [{name: web, image: "nginx:1"}]}') + config('web'),
        `components: [more]\npatches: [{target: {kind: Deployment}, patch: '{$patch: delete, kind: Deployment, metadata: {name: web}}'}]\n`,
        {
          'overlays/prod/more/kustomization.yaml': 'resources: [more.yaml]\n',
          'overlays/prod/more/more.yaml': `${config('extra')}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n`,
        },
      ),
    )
    expect(decided).to.deep.equal(['ConfigMap extra is in this overlay alone', 'Deployment web is not in this overlay'])
    expect(prod.spec).to.deep.equal({ image: 'nginx:1' })
  })

  it('go without the namespace of their objects, which is there before', () => {
    const namespace = '---\napiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n'
    const { objects, notes } = migrate({
      'kustomization.yaml': 'resources: [all.yaml]\nnamespace: prod\n',
      'all.yaml': namespace + deployment('{}') + config('other'),
    })
    expect(objects.map(({ kind }) => kind)).to.deep.equal(['Deployment', 'ConfigMap'])
    expect(notes).to.deep.equal([
      'Namespace prod: left out: the resource is in its namespace before the role runs',
      'shop: ConfigMap other: the name does not follow from that of the resource, so there can be one resource',
    ])
  })

  it('may have kinds that only the server knows', () => {
    const { objects, notes } = migrate({
      'kustomization.yaml': 'resources: [db.yaml]\n',
      'db.yaml': 'apiVersion: db.example.com/v1\nkind: Db\nmetadata: {name: web}\nspec: {}\n',
    })
    expect(notes).to.deep.equal([])
    expect(objects).to.deep.equal([
      { apiVersion: 'db.example.com/v1', kind: 'Db', metadata: { name: '${metadata.name}' }, spec: {} },
    ])
  })
})
