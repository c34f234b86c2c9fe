import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import { knownKinds } from '../../src/rolebook/cli/migrate/known-kinds.ts'
import { migrateKro } from '../../src/rolebook/migrate/kro/migrate-kro.ts'
import { chartCrd } from '../../src/rolebook/scaffold/chart-crd.ts'
import { roleFromManifests } from '../../src/rolebook/scaffold/manifests/role-from-manifests.ts'
import { valueComments } from '../../src/rolebook/scaffold/value-comments.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'

/** The YAML of a page, block by block. */
function blocksOf(page: string): readonly string[] {
  const text = readFileSync(`docs/migrating-from-${page}.md`, 'utf8')
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

const gvk = { group: 'example.com', version: 'v1', kind: 'Shop' }

describe('the pages on moving to rolebook', () => {
  it('show what becomes of a ResourceGraphDefinition', () => {
    const [definition = '', role] = blocksOf('kro')
    const { files } = migrateKro([new SourceFile('rgd.yaml', definition)], knownKinds(loadBuiltinSchemas()))
    expect(files.get('roles/site/role.yaml')).to.equal(role)
  })

  it('show the schema of the values of a chart', () => {
    const [values = '', schema = ''] = blocksOf('helm')
    const crd = chartCrd({ gvk, plural: 'shops', values: parse(values), comments: valueComments(values) })
    const { versions } = crd.spec as unknown as {
      versions: [{ schema: { openAPIV3Schema: { properties: { spec: object } } } }]
    }
    expect(versions[0].schema.openAPIV3Schema.properties.spec).to.deep.equal(parse(schema))
  })

  it('show what becomes of manifests', () => {
    const [manifests = '', role = ''] = blocksOf('kustomize')
    const objects = parseAllDocuments(manifests).map((document) => document.toJS() as KubeObject)
    const { files } = roleFromManifests({ gvk, objects, comment: '', isNamespaced: () => true })
    expect((files['role.yaml'] ?? '').split('\n').slice(1).join('\n')).to.equal(role)
    expect(parse(files['samples/shop.yaml'] ?? '')).to.deep.include({
      metadata: { name: 'shop' },
      spec: { image: 'nginx:1.29', replicas: 2 },
    })
  })
})
