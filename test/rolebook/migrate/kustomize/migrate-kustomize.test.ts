import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { SourceFile } from '../../../../src/core/yaml/source-file.ts'
import { FolderFiles } from '../../../../src/rolebook/cli/folder-files.ts'
import { knownKinds } from '../../../../src/rolebook/cli/migrate/known-kinds.ts'
import { migrateKustomize } from '../../../../src/rolebook/migrate/kustomize/migrate-kustomize.ts'
import { loadBuiltinSchemas } from '../../../../src/sandbox/cluster/load-builtin-schemas.ts'

const known = knownKinds(loadBuiltinSchemas())
const gvk = { group: 'example.com', version: 'v1', kind: 'Shop' }

interface Made {
  readonly kind: string
  readonly [field: string]: unknown
}

/** What stands in kustomization.yaml and beside it, and what becomes of it. */
interface Built {
  readonly name: string
  readonly more: string
  readonly others?: { readonly [path: string]: string }
  readonly decided: readonly string[]
  readonly kinds?: readonly string[]
}

/** A base of one ConfigMap, with more in its kustomization.yaml. */
function migrate(more: string, others: { readonly [path: string]: string } = {}) {
  const content: { readonly [path: string]: string } = {
    'kustomization.yaml': `resources: [web.yaml]\n${more}`,
    'web.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n',
    ...others,
  }
  const read = (path: string) => (content[path] === undefined ? undefined : new SourceFile(path, content[path]))
  const { files, findings } = migrateKustomize({ read, list: () => [] }, { gvk, known })
  const tasks = parse(files.get('roles/shop/role.yaml') ?? 'null')?.tasks ?? []
  return {
    objects: tasks.map(({ ensure }: { ensure: Made }) => ensure) as readonly Made[],
    decided: findings.filter(({ kind }) => kind === 'decide').map(({ what, message }) => `${what}: ${message}`),
    sample: parse(files.get('roles/shop/samples/shop.yaml') ?? 'null'),
  }
}

describe('a folder of Kustomize', () => {
  it('becomes a role of its base, and a sample of each overlay', () => {
    const { files, findings } = migrateKustomize(new FolderFiles(join(import.meta.dirname, 'shop')), { gvk, known })
    expect(findings.filter(({ kind }) => kind === 'decide')).to.deep.equal([])
    expect([...files.keys()]).to.deep.equal([
      'watches.yaml',
      ...['role.yaml', 'crd.yaml', 'samples/shop.yaml', 'samples/prod.yaml'].map((path) => `roles/shop/${path}`),
    ])
    const spec = { replicas: 1, image: 'nginx:1.29', port: 8080 }
    expect(parse(files.get('roles/shop/samples/shop.yaml') ?? '')).to.deep.include({
      metadata: { name: 'web' },
      spec: { ...spec, level: 'info' },
    })
    expect(parse(files.get('roles/shop/samples/prod.yaml') ?? '')).to.deep.include({
      metadata: { name: 'web', namespace: 'prod' },
      spec: { ...spec, replicas: 5, image: 'nginx:1.30', level: 'warn' },
    })
  })

  for (const { name, more, others = {}, expected } of [
    {
      name: 'a prefix and a suffix',
      more: 'namePrefix: a-\nnameSuffix: -z\n',
      expected: { metadata: { name: '${metadata.name}' } },
    },
    {
      name: 'labels',
      more: 'commonLabels: {x: y}\n',
      expected: { metadata: { name: '${metadata.name}', labels: { x: 'y' } } },
    },
    {
      name: 'annotations',
      more: 'commonAnnotations: {x: y}\n',
      expected: { metadata: { name: '${metadata.name}', annotations: { x: 'y' } } },
    },
    {
      name: 'a strategic patch',
      more: 'patchesStrategicMerge: [p.yaml]\n',
      others: { 'p.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {c: d}\n' },
      expected: { data: { a: 'b', c: 'd' } },
    },
    {
      name: 'a JSON patch',
      more: 'patchesJson6902:\n- target: {version: v1, kind: ConfigMap, name: web}\n  patch: |-\n    - {op: remove, path: /data/a}\n',
      expected: { data: {} },
    },
    { name: 'a namespace', more: 'namespace: prod\n', expected: { metadata: { name: '${metadata.name}' } } },
  ] as readonly { name: string; more: string; others?: { readonly [path: string]: string }; expected: object }[]) {
    it(`is built with ${name}`, () => {
      const { objects, decided } = migrate(more, others)
      expect(decided).to.deep.equal([])
      expect(objects[0]).to.deep.include(expected)
    })
  }

  it('is built with what it generates, and names follow', () => {
    const { objects, sample } = migrate(
      'secretGenerator: [{name: web-key, literals: [k=v]}]\nnamePrefix: x-\nnamespace: prod\n',
    )
    expect(objects[1]).to.deep.include({
      kind: 'Secret',
      metadata: { name: '${metadata.name}-key' },
      stringData: { k: 'v' },
    })
    expect(sample.metadata).to.deep.equal({ name: 'x-web', namespace: 'prod' })
  })

  for (const { name, more, message } of [
    { name: 'a key that is not read', more: 'replacements: []\n', message: 'replacements: `replacements` is not read' },
    {
      name: 'what is on the network',
      more: 'components: []\nbases: ["https://example.com/x"]\n',
      message: 'bases.0: https://example.com/x is on the network',
    },
    { name: 'what lies outside', more: 'bases: [../other]\n', message: 'bases.0: there is no ../other' },
    {
      name: 'a patch without a target',
      more: 'patches: [{target: {name: none}, patch: "- {op: remove, path: /data}"}]\n',
      message: 'patches.0: no object is the target of the patch',
    },
    {
      name: 'a patch that chooses by labels',
      more: 'patches: [{target: {labelSelector: a=b}, patch: "- {op: remove, path: /data}"}]\n',
      message: 'patches.0: a patch by labels or annotations is not read',
    },
  ]) {
    it(`leaves to a person ${name}`, () => {
      expect(migrate(more).decided).to.deep.equal([message])
    })
  }

  for (const { name, more, others = {}, decided, kinds = ['ConfigMap'] } of [
    {
      name: 'an object without a name among its resources',
      more: 'bases: [values.yaml]\n',
      others: { 'values.yaml': 'replicas: 3\n' },
      decided: ['bases.0: values.yaml holds an object without a name'],
    },
    {
      name: 'a patch that takes the name away',
      more: 'patches: [{target: {kind: ConfigMap}, patch: "- {op: remove, path: /metadata}"}]\n',
      decided: ['patches.0: the patch takes the name of ConfigMap web away'],
    },
    {
      name: 'a generator without a name',
      more: 'configMapGenerator: [{literals: [a=b]}]\n',
      decided: ['configMapGenerator: what is generated has no name'],
    },
  ] as readonly Built[]) {
    it(`leaves to a person ${name}, and is built without it`, () => {
      const built = migrate(more, others)
      expect(built.decided).to.deep.equal(decided)
      expect(built.objects.map(({ kind }) => kind)).to.deep.equal(kinds)
    })
  }
})
