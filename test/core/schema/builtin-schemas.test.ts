import { expect } from 'chai'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/base/json.ts'
import { BuiltinSchemas } from '../../../src/core/schema/builtin-schemas.ts'
import { Definitions } from '../../../src/core/schema/definitions.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { zeroObject } from '../../../src/core/schema/zero-value.ts'
import { builtinSchema, builtinSchemas, readSchemaBytes } from './schemas.ts'

describe('schemas of the built-in kinds', () => {
  it('are those of Kubernetes 1.36', () => {
    expect(builtinSchemas().version().gitVersion).to.match(/^v1\.36\./)
  })

  it('decode from any view of the bytes', () => {
    const bytes = readSchemaBytes()
    const padded = new Uint8Array(bytes.length + 3)
    padded.set(bytes, 3)
    expect(BuiltinSchemas.decode(padded.subarray(3)).groupVersions()).to.include('apps/v1')
  })

  it('have references resolved, also to themselves', () => {
    const crd = builtinSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
    const versions = crd.properties?.spec?.properties?.versions?.items
    const schema = versions?.properties?.schema?.properties?.openAPIV3Schema
    expect(schema?.properties?.not?.properties?.not?.properties?.maxLength?.type).to.equal('integer')
    expect(schema?.properties?.not).to.have.property('definition', schema?.definition)
  })

  it('keep what stands beside a reference', () => {
    const spec = builtinSchema('apps/v1', 'Deployment').properties?.spec
    expect(spec?.properties?.strategy).to.include({ 'x-kubernetes-patch-strategy': 'retainKeys' })
    expect(spec?.description).to.match(/desired behavior of the Deployment/)
    expect(spec?.properties?.selector).to.include({ 'x-kubernetes-map-type': 'atomic' })
  })

  it('know which optional fields are not pointers', () => {
    const spec = builtinSchema('apps/v1', 'Deployment').properties?.spec
    expect(spec?.valueFields).to.deep.equal(new Set(['minReadySeconds', 'paused']))
  })

  it('are absent for kinds that are not built in', () => {
    expect(builtinSchemas().get({ group: 'apps', version: 'v1', kind: 'Deployments' })).to.equal(undefined)
    expect(builtinSchemas().get({ group: 'apps', version: 'v2', kind: 'Deployment' })).to.equal(undefined)
    expect(builtinSchemas().definition('io.k8s.Nothing')).to.equal(undefined)
  })

  it('exist for every resource that is served', () => {
    const missing = builtinSchemas()
      .resources()
      .filter((resource) => builtinSchemas().get(resource) === undefined)
    expect(missing.map(({ kind }) => kind)).to.deep.equal([])
  })

  it('come with how the real server serves them', () => {
    const deployments = builtinSchemas()
      .resources()
      .find(({ plural }) => plural === 'deployments')
    expect(deployments).to.deep.equal({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      singular: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: [
        {
          name: 'scale',
          gvk: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'status',
          gvk: { group: 'apps', version: 'v1', kind: 'Deployment' },
          verbs: ['get', 'patch', 'update'],
        },
      ],
    })
  })
})

describe('OpenAPI definitions', () => {
  const sources: Readonly<Record<string, JsonObject>> = {
    Open: { type: 'object', additionalProperties: true },
    Dangling: { type: 'object', properties: { a: { $ref: '#/components/schemas/Nothing' } } },
  }
  const definitions = new Definitions({ definition: (name) => sources[name], goFields: () => undefined })

  it('may allow any additional property', () => {
    expect(definitions.get('Open')).to.deep.equal({ definition: 'Open', ...sources.Open })
  })

  it('allow anything where they refer to nothing', () => {
    expect(definitions.get('Dangling')?.properties?.a).to.deep.equal({})
  })
})

describe('OpenAPI documents of the built-in kinds', () => {
  it('have paths, and every schema they refer to', () => {
    for (const groupVersion of builtinSchemas().groupVersions()) {
      const document = builtinSchemas().openApiV3(groupVersion) as {
        paths: JsonObject
        components: { schemas: JsonObject }
      }
      expect(Object.keys(document.paths), groupVersion).to.not.have.length(0)
      const missing = [...references(document)].filter((name) => document.components.schemas[name] === undefined)
      expect(missing, groupVersion).to.deep.equal([])
    }
  })

  it('are absent for other group versions', () => {
    expect(builtinSchemas().openApiV3('apps/v2')).to.equal(undefined)
  })
})

function* references(value: JsonValue | undefined): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* references(item)
  if (!isJsonObject(value)) return
  const reference = value.$ref
  if (typeof reference === 'string') yield reference.slice('#/components/schemas/'.length)
  for (const inner of Object.values(value)) yield* references(inner)
}

describe('the zero value of a kind', () => {
  const cases: readonly { name: string; schema: Schema | undefined; expected: JsonValue }[] = [
    {
      name: 'has the structs and required fields of the Go type',
      schema: builtinSchema('apps/v1', 'Deployment'),
      expected: {
        metadata: {},
        spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
        status: {},
      },
    },
    { name: 'has little for a ConfigMap', schema: builtinSchema('v1', 'ConfigMap'), expected: { metadata: {} } },
    { name: 'is empty for a custom resource', schema: { type: 'object', required: ['a'] }, expected: {} },
    {
      name: 'is empty for a type without fields',
      schema: builtinSchemas().definition('io.k8s.apimachinery.pkg.api.resource.Quantity'),
      expected: {},
    },
    { name: 'is empty without a schema', schema: undefined, expected: {} },
  ]
  for (const { name, schema, expected } of cases) it(name, () => expect(zeroObject(schema)).to.deep.equal(expected))
})
