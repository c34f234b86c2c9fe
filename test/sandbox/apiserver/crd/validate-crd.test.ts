import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { customResourceDefinition, Sandbox } from '../sandbox.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface Cause {
  readonly reason: string
  readonly message: string
  readonly field: string
}

/** Causes in one order, each once. */
function normal(causes: readonly Cause[]): readonly string[] {
  return [...new Set(causes.map(({ reason, message, field }) => `${field} ${reason} ${message}`))].sort()
}

describe('a CRD', () => {
  const sandbox = new Sandbox()
  before(() => sandbox.start())
  after(() => sandbox.stop())

  const causesOf = ({ details }: JsonObject): readonly string[] =>
    normal((details as { causes?: Cause[] } | undefined)?.causes ?? [])

  it('that asks for a generated name gets an error about both names', async () => {
    const body = { ...customResourceDefinition('things', 'Thing'), metadata: { generateName: 'things-' } } as JsonObject
    const { body: answer } = await sandbox.send('POST', CRDS, { body })
    const fields = (answer.details as unknown as { causes: Cause[] }).causes.map(({ field }) => field)
    expect(fields).to.deep.equal(['metadata.generateName', 'metadata.name'])
  })

  // A real server ends the connection here: its check of these fields panics.
  for (const schema of [{}, { openAPIV3Schema: null }]) {
    it(`with fields to select by and no more schema than ${JSON.stringify(schema)} is refused`, async () => {
      const version = {
        name: 'v1',
        served: true,
        storage: true,
        schema,
        selectableFields: [{ jsonPath: '.spec.size' }],
      }
      const body = customResourceDefinition('things', 'Thing', { versions: [version] }) as unknown as JsonObject
      const { body: answer } = await sandbox.send('POST', CRDS, { body })
      expect(causesOf(answer)).to.deep.equal([
        'spec.selectableFields[0].jsonPath FieldValueInvalid Invalid value: ".spec.size": is an invalid path: does not refer to a valid field',
        'spec.versions[0].schema.openAPIV3Schema FieldValueRequired Required value',
      ])
    })
  }

  const versions = (...names: readonly string[]): JsonObject => ({
    versions: names.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  })

  const changes: readonly { name: string; from: JsonObject; to: JsonObject; causes: readonly string[] }[] = [
    {
      name: 'cannot lose a version that was stored',
      from: versions('v1'),
      to: versions('v2'),
      causes: [
        'status.storedVersions[0] FieldValueInvalid Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
      ],
    },
    {
      name: 'cannot change its kind once it is served',
      from: versions('v1'),
      to: { names: { kind: 'Other', listKind: 'OtherList', singular: 'other' } },
      causes: ['spec.names.kind FieldValueInvalid Invalid value: "Other": field is immutable'],
    },
    { name: 'may change its short names', from: versions('v1'), to: { names: { shortNames: ['ch'] } }, causes: [] },
  ]
  for (const [index, { name, from, to, causes }] of changes.entries()) {
    it(name, async () => {
      const [plural, kind] = [`changes${index}s`, `Change${index}`]
      await sandbox.send('POST', CRDS, { body: customResourceDefinition(plural, kind, from) })
      const merge = { 'content-type': 'application/merge-patch+json' }
      const path = `${CRDS}/${plural}.example.com`
      const { body } = await sandbox.send('PATCH', path, { body: { spec: to }, headers: merge })
      expect(causesOf(body)).to.deep.equal(causes)
    })
  }

  it('may change its scope and kind while its names are refused', () => {
    const { objects } = new Sandbox()
    objects.create(customResourceDefinition('firsts', 'Same'), 'test')
    const second = objects.create(customResourceDefinition('seconds', 'Same'), 'test')
    const key = { namespace: '', name: 'seconds.example.com' }
    const gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    const live = objects.get(gvk, key) ?? second
    const spec = customResourceDefinition('seconds', 'Free', { scope: 'Cluster' }).spec as JsonObject
    const updated = objects.update({ ...live, spec } as KubeObject, 'test')
    expect(updated.spec).to.include({ scope: 'Cluster' })
  })

  it('cannot lose all its versions', async () => {
    await sandbox.send('POST', CRDS, { body: customResourceDefinition('losers', 'Loser') })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { spec: { versions: null } }
    const answer = await sandbox.send('PATCH', `${CRDS}/losers.example.com`, { body, headers })
    expect(answer.status).to.equal(422)
    expect(answer.body.message).to.include('status.storedVersions[0]: Invalid value: "v1": missing from spec.versions')
  })

  it('gets its conditions back when a client removes them', async () => {
    await sandbox.send('POST', CRDS, { body: customResourceDefinition('robbed', 'Robbed') })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${CRDS}/robbed.example.com`
    await sandbox.send('PATCH', `${path}/status`, { body: { status: { conditions: null } }, headers })
    const { conditions } = (await sandbox.send('GET', path)).body.status as { conditions: { type: string }[] }
    expect(conditions.map(({ type }) => type)).to.deep.equal(['NamesAccepted', 'Established'])
  })

  const defaulted: readonly { name: string; rule: JsonObject; of?: JsonObject; causes: readonly string[] }[] = [
    { name: 'fits its rule', rule: { rule: 'self == "b"' }, causes: [] },
    {
      name: 'breaks its rule',
      rule: { rule: 'self == "c"', message: 'must be c' },
      causes: ['spec.validation.openAPIV3Schema.properties[a].default Invalid value: "b": must be c'],
    },
    {
      name: 'breaks its rule as a value that is new',
      rule: { rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'must be old' },
      causes: ['spec.validation.openAPIV3Schema.properties[a].default Invalid value: "b": must be old'],
    },
    {
      name: 'breaks its rule in a field',
      of: { type: 'object', default: { c: 'd' }, properties: { c: { type: 'string' } } },
      rule: { rule: 'self.c == "e"', fieldPath: '.c', message: 'must be e' },
      causes: ['spec.validation.openAPIV3Schema.properties[a].default.c Invalid value: must be e'],
    },
    {
      name: 'breaks the rule of its items',
      of: {
        type: 'array',
        default: ['d'],
        items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == "e"', message: 'must be e' }] },
      },
      rule: { rule: 'true' },
      causes: ['spec.validation.openAPIV3Schema.properties[a].default[0] Invalid value: "d": must be e'],
    },
    {
      name: 'has a rule that does not compile',
      rule: { rule: '1' },
      causes: [
        'spec.validation.openAPIV3Schema.properties[a].default Invalid value: "string": rule compile error: cel expression must evaluate to a bool',
      ],
    },
  ]
  for (const [index, { name, rule, of = { type: 'string', default: 'b' }, causes }] of defaulted.entries()) {
    it(`gets an error about a default that ${name}`, async () => {
      const a = { ...of, 'x-kubernetes-validations': [rule] }
      const schema = { openAPIV3Schema: { type: 'object', properties: { a } } }
      const body = customResourceDefinition(`defaulted${index}s`, `Defaulted${index}`, {
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      })
      const { body: answer } = await sandbox.send('POST', `${CRDS}?dryRun=All`, { body })
      const found = ((answer.details as unknown as { causes?: Cause[] } | undefined)?.causes ?? []) as readonly Cause[]
      expect(found.map(({ field, message }) => `${field} ${message}`)).to.deep.equal(causes)
    })
  }

  it('differs by an empty list from one without while it is judged, and not once it is stored', async () => {
    const versions = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', ...schema } },
          ...more,
        },
      ],
    })
    const send = (spec: JsonObject) =>
      sandbox.send('POST', `${CRDS}?dryRun=All`, { body: customResourceDefinition('hollows', 'Hollow', spec) })
    const refused = await send(versions({ allOf: [] }, { subresources: { status: {} } }))
    expect(refused.status).to.equal(422)
    const { status, body } = await send(versions({ allOf: [], properties: { a: { type: 'object', required: [] } } }))
    expect(status).to.equal(201)
    expect(JSON.stringify(body.spec)).not.to.match(/allOf|required/)
  })

  it('does not forget what it stored', async () => {
    await sandbox.send('POST', CRDS, { body: customResourceDefinition('keepers', 'Keeper') })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${CRDS}/keepers.example.com/status`
    const { body } = await sandbox.send('PATCH', path, { body: { status: null }, headers })
    expect(body.status).to.deep.equal({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    })
  })
})
