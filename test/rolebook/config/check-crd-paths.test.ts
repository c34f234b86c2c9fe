import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { checkCrdPaths } from '../../../src/rolebook/config/check-crd-paths.ts'
import { type Manifest, parseManifests } from '../../../src/rolebook/config/parse-manifests.ts'

/** What `rolebook check` says of the paths of a CRD; those that are wrong stand in `test/rolebook/broken/crds/paths.md`. */
function problemsOf(version: string): readonly string[] {
  const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec: {group: example.com, names: {kind: Web, plural: webs}, versions: [{name: v1${version}}]}
`
  const [crd] = parseManifests(new SourceFile('crd.yaml', text)).manifests
  return checkCrdPaths(crd as Manifest).map(({ message }) => message)
}

const column = (jsonPath: string): string =>
  `, additionalPrinterColumns: [{name: A, type: string, jsonPath: ${jsonPath}}]`
const schema = (status: string): string =>
  `, schema: {openAPIV3Schema: {type: object, properties: {status: {type: object, ${status}}}}}`
const OPEN = 'x-kubernetes-preserve-unknown-fields: true'

describe('a path of a CRD', () => {
  const cases = [
    { name: 'to a field of the schema', version: column('.status.a') + schema('properties: {a: {type: string}}') },
    { name: 'into what the schema leaves open', version: column('.status.a.b') + schema(OPEN) },
    { name: 'into a map of anything', version: column('.status.a') + schema('additionalProperties: true') },
    { name: 'to what every object has', version: column('.metadata.creationTimestamp') + schema(OPEN) },
    { name: 'of a version without a schema', version: column('.status.a') },
  ]
  for (const { name, version } of cases) {
    it(`${name} is in order`, () => expect(problemsOf(version)).to.deep.equal([]))
  }

  it('to a field that is not there empties its column', () => {
    const version = column('.status.b') + schema('properties: {a: {type: string}}')
    expect(problemsOf(version)).to.deep.equal(['the schema has no field `status.b`: the column stays empty'])
  })
})
