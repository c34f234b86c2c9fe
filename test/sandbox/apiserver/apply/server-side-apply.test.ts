import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { crdSchemas } from '../../../../src/core/schema/crd-schemas.ts'
import { mergeTypeOf } from '../../../../src/core/schema/merge-type.ts'
import type { Schema } from '../../../../src/core/schema/schema.ts'
import { checkType } from '../../../../src/sandbox/apiserver/apply/check-type.ts'
import { conflictMessage } from '../../../../src/sandbox/apiserver/apply/field-conflict.ts'
import type { OtherVersions } from '../../../../src/sandbox/apiserver/apply/object-versions.ts'
import { applyPatch, trackUpdate } from '../../../../src/sandbox/apiserver/apply/server-side-apply.ts'
import { PatchError } from '../../../../src/sandbox/apiserver/patch/patch-error.ts'
import { builtinSchema, objectMetaSchema } from '../../../core/schema/schemas.ts'

const NOW = '2026-01-02T03:04:05Z'
const CONFIG_MAP = builtinSchema('v1', 'ConfigMap')

function configMap(data: JsonObject, managedFields?: readonly ManagedFieldsEntry[]): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', uid: 'u', ...(managedFields && { managedFields }) },
    data,
  }
}

function common(live: KubeObject | undefined, manager = 'alice') {
  return { live, manager, subresource: '', schema: CONFIG_MAP, apiVersion: 'v1', now: NOW }
}

function entry(manager: string, operation: 'Apply' | 'Update', fieldsV1: JsonObject): ManagedFieldsEntry {
  return { manager, operation, apiVersion: 'v1', time: NOW, fieldsType: 'FieldsV1', fieldsV1 }
}

describe('a schema that changes its list and map types', () => {
  interface Step {
    readonly phase: 'before' | 'after'
    readonly manager: string
    readonly force: boolean
    readonly spec: JsonObject
    readonly object?: KubeObject
    readonly refusal?: string
  }
  const file = new URL('recorded-evolution.generated.json', import.meta.url)
  const recorded: { before: Schema; after: Schema; steps: Step[] }[] = JSON.parse(readFileSync(file, 'utf8'))
  for (const { before, after, steps } of recorded) {
    const atomic = after.properties?.spec?.properties?.m?.['x-kubernetes-map-type'] === 'atomic'
    it(`${atomic ? 'to atomic' : 'to granular'} changes who owns what as in the real server`, () => {
      let live: KubeObject | undefined
      const schemas = { before: asCrd(before), after: asCrd(after) }
      for (const { phase, manager, force, spec, object, refusal } of steps) {
        const applied = { apiVersion: 'ssa.example.com/v1', kind: 'Evolve', metadata: { name: 'e' }, spec }
        const now = newest(object)
        const input = { live, manager, subresource: '', schema: schemas[phase], apiVersion: applied.apiVersion, now }
        const result = applyPatch({ ...input, applied, force })
        if (refusal === undefined)
          expect(result.object?.metadata.managedFields).to.deep.equal(object?.metadata.managedFields)
        else expect(conflictMessage(result.conflicts ?? [])).to.equal(refusal)
        live = object ?? live
      }
    })
  }
})

function asCrd(schema: Schema): Schema | undefined {
  const versions = [{ name: 'v1', schema: { openAPIV3Schema: schema } }]
  const crd = { spec: { group: 'ssa.example.com', names: { kind: 'Evolve' }, versions } } as unknown as JsonObject
  return crdSchemas(crd, objectMetaSchema()).get('v1')
}

function newest(object: KubeObject | undefined): string {
  const times = (object?.metadata.managedFields ?? []).map(({ time }) => time ?? '')
  return times.sort().at(-1) ?? NOW
}

interface Write {
  readonly live?: KubeObject | undefined
  readonly m: JsonObject
  readonly force?: boolean
}

describe('managers of several versions of a custom resource', () => {
  const granular: Schema = {
    type: 'object',
    properties: { m: { type: 'object', additionalProperties: { type: 'string' } } },
  }
  const atomic: Schema = {
    type: 'object',
    properties: { m: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } } },
  }
  const versions: OtherVersions = {
    knows: (apiVersion) => apiVersion !== 'x.io/v0',
    ignoresAlike: () => true,
    schema: (apiVersion) => ({ 'x.io/v1': asCrd(granular), 'x.io/v2': asCrd(atomic) })[apiVersion],
    convert: (object, apiVersion) => ({ ...object, apiVersion }),
  }
  const thing = (version: string, m: JsonObject, managedFields?: readonly ManagedFieldsEntry[]): KubeObject => ({
    apiVersion: `x.io/${version}`,
    kind: 'Thing',
    metadata: { name: 't', ...(managedFields && { managedFields }) },
    m,
  })
  const apply = (version: string, manager: string, { live, m, force = false }: Write) =>
    applyPatch({
      live: live && { ...live, apiVersion: `x.io/${version}` },
      applied: thing(version, m),
      manager,
      force,
      subresource: '',
      schema: versions.schema(`x.io/${version}`),
      apiVersion: `x.io/${version}`,
      now: NOW,
      versions,
    })

  it('own fields in the version in which they applied', () => {
    const first = apply('v1', 'alice', { m: { a: '1' } }).object
    const second = apply('v2', 'bob', { live: first, m: { a: '2' } })
    expect(conflictMessage(second.conflicts ?? [])).to.equal(
      'Apply failed with 1 conflict: conflict with "alice": .m.a',
    )
    const forced = apply('v2', 'bob', { live: first, m: { b: '1' }, force: true }).object
    expect(
      forced?.metadata.managedFields?.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]),
    ).to.deep.equal([['bob', 'x.io/v2', { 'f:m': {} }]])
  })

  it('may change their version', () => {
    const first = apply('v1', 'alice', { m: { a: '1', b: '2' } }).object
    const second = apply('v2', 'alice', { live: first, m: { b: '2' } }).object
    expect(second).to.deep.include({ m: { b: '2' } })
    expect(second?.metadata.managedFields).to.have.length(1)
  })

  it('are forgotten with a version that is not served any more', () => {
    const old = { ...entry('zed', 'Apply', { 'f:m': { 'f:z': {} } }), apiVersion: 'x.io/v0' }
    const { object } = apply('v1', 'alice', { live: thing('v1', { z: '1' }, [old]), m: { a: '1' } })
    expect(object?.metadata.managedFields?.map(({ manager }) => manager)).to.deep.equal(['alice'])
    const live = thing('v1', { z: '1' }, [old])
    const input = {
      live,
      manager: 'bob',
      subresource: '',
      schema: asCrd(granular),
      apiVersion: 'x.io/v1',
      now: NOW,
      versions,
    }
    const updated = trackUpdate({ ...input, updated: thing('v1', { z: '2' }, [old]) })
    expect(updated.metadata.managedFields?.map(({ manager }) => manager)).to.deep.equal(['bob'])
  })

  it('have deduced types where a version has no schema', () => {
    const first = apply('v3', 'alice', { m: { a: 'x' } }).object
    expect(first?.metadata.managedFields?.[0]?.fieldsV1).to.deep.equal({
      'f:m': { '.': {}, 'f:a': {} },
    })
    expect(
      apply('v1', 'bob', { live: first, m: { c: '1' }, force: true }).object?.metadata.managedFields,
    ).to.have.length(2)
  })
})

describe('server-side apply', () => {
  it('refuses a live object with entries that cannot be read', () => {
    const live = configMap({}, [{ ...entry('zed', 'Apply', {}), fieldsType: 'FieldsV2' }])
    const apply = () => applyPatch({ ...common(live), applied: configMap({ a: '1' }), force: false })
    expect(apply).to.throw(
      PatchError,
      'failed to decode managed fields: invalid fieldsType "FieldsV2" in managed fields entry 0',
    )
  })

  it('names a manager without a name `unknown`', () => {
    const { object } = applyPatch({ ...common(undefined, ''), applied: configMap({ a: '1' }), force: false })
    expect(object?.metadata.managedFields?.map(({ manager }) => manager)).to.deep.equal(['unknown'])
  })

  it('leaves objects alone that it is given', () => {
    const live = configMap({ a: '1', b: '1' }, [entry('alice', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } })])
    const before = structuredClone(live)
    const { object, changed } = applyPatch({ ...common(live), applied: configMap({ a: '2' }), force: false }) as {
      object: KubeObject
      changed: boolean
    }
    expect(changed).to.equal(true)
    expect(object.data).to.deep.equal({ a: '2' })
    expect(live).to.deep.equal(before)
  })

  it('takes no field named __proto__ for a prototype', () => {
    const data = JSON.parse('{"__proto__":"x"}')
    const { object } = applyPatch({ ...common(configMap({ a: '1' }, [])), applied: configMap(data), force: true })
    expect(Object.keys(object?.data as JsonObject)).to.deep.equal(['a', '__proto__'])
  })

  const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
  const taken: readonly { name: string; lastApplied: string; conflicts: boolean }[] = [
    { name: 'same values', lastApplied: '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1"}}', conflicts: false },
    {
      name: 'another version',
      lastApplied: '{"apiVersion":"v2","kind":"ConfigMap","data":{"a":"1"}}',
      conflicts: true,
    },
    { name: 'other values', lastApplied: '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"9"}}', conflicts: true },
    { name: 'no JSON', lastApplied: '{', conflicts: true },
    { name: 'no object', lastApplied: '[]', conflicts: true },
    {
      name: 'values that do not fit',
      lastApplied: '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":1}}',
      conflicts: true,
    },
    { name: 'nothing', lastApplied: '', conflicts: true },
  ]
  for (const { name, lastApplied, conflicts } of taken) {
    it(`${conflicts ? 'does not take' : 'takes'} over fields from kubectl when the annotation has ${name}`, () => {
      const bare = configMap({ a: '1' }, [
        entry('kubectl-client-side-apply', 'Update', { 'f:data': { '.': {}, 'f:a': {} } }),
      ])
      const live = { ...bare, metadata: { ...bare.metadata, annotations: { [annotation]: lastApplied } } }
      const result = applyPatch({ ...common(live, 'kubectl'), applied: configMap({ a: '2' }), force: false })
      expect(result.conflicts !== undefined).to.equal(conflicts)
      const text = result.object?.metadata.annotations?.[annotation]
      if (!conflicts)
        expect(text).to.equal(
          '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"x","uid":"u"}}\n',
        )
    })
  }

  it('drops the annotation when it grows too long', () => {
    const bare = configMap({}, [entry('kubectl', 'Apply', { 'f:data': {} })])
    const live = { ...bare, metadata: { ...bare.metadata, annotations: { [annotation]: '{}', other: 'x' } } }
    const big = configMap({ a: 'x'.repeat(300_000) })
    const applied = { ...big, metadata: { ...big.metadata, annotations: { [annotation]: 'old', kept: 'y' } } }
    const { object } = applyPatch({ ...common(live, 'kubectl'), applied, force: true })
    expect(object?.metadata.annotations).to.deep.equal({ other: 'x', kept: 'y' })
  })
})

describe('tracking of updates', () => {
  it('gives up on objects that do not fit their schema', () => {
    const live = configMap({ a: '1' }, [entry('alice', 'Apply', { 'f:data': { 'f:a': {} } })])
    const updated = { ...configMap({ a: '2' }), data: 5 }
    expect(trackUpdate({ ...common(live), updated }).metadata.managedFields).to.equal(undefined)
  })

  it('ignores entries that a client sends to a subresource', () => {
    const live = configMap({ a: '1' }, [entry('alice', 'Apply', { 'f:data': { 'f:a': {} } })])
    const updated = configMap({ a: '1' }, [])
    const tracked = trackUpdate({ ...common(live), subresource: 'status', updated })
    expect(tracked.metadata.managedFields).to.deep.equal(live.metadata.managedFields)
  })

  it('ignores entries of the live object that cannot be read', () => {
    const live = configMap({ a: '1' }, [{ ...entry('alice', 'Apply', {}), apiVersion: '' }])
    expect(trackUpdate({ ...common(live), updated: configMap({ a: '2' }) }).metadata.managedFields).to.equal(undefined)
  })
})

describe('values that do not fit the type of a merge', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      b: { type: 'boolean' },
      s: { type: 'string' },
      t: { type: 'string', format: 'date-time' },
      l: { type: 'array', items: { type: 'string' } },
      m: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    },
  }
  const cases: readonly (readonly [value: JsonValue, message: string | undefined])[] = [
    [{ n: 1.5, b: true, s: 'x', t: 'y', l: null, m: [{ k: 'a' }], set: ['a'] }, undefined],
    [{ n: true }, '.n: expected numeric (int or float), got bool'],
    [{ n: [1.5] }, '.n: expected numeric (int or float), got []interface {}'],
    [{ n: {} }, '.n: expected numeric (int or float), got map[string]interface {}'],
    [{ b: 1.5 }, '.b: expected boolean, got &{1.5}'],
    [
      { s: { b: [1], a: null } },
      '.s: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":interface {}(nil), "b":[]interface {}{1}}}',
    ],
    [{ t: [1, 'x'] }, '.t: expected any scalar, got &{[1 x]}'],
    [{ l: 'x' }, '.l: expected list, got &{x}'],
    [{ l: ['a', 1] }, '.l[1]: expected string, got &value.valueUnstructured{Value:1}'],
    [5, 'expected map, got &{5}'],
    [
      { n: 'x', s: 1 },
      'errors:\n  .n: expected numeric (int or float), got string\n  .s: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [{ m: [{ k: 'a' }, { k: 'a' }] }, '.m: duplicate entries for key [k="a"]'],
    [
      { m: [{}] },
      '.m: element 0: associative list with keys has an element that omits all key fields ["k"] (and doesn\'t have default values for any key fields)',
    ],
    [{ m: [null] }, '.m: element 0: associative list with keys may not have a null element'],
    [{ m: ['x'] }, '.m: element 0: associative list with keys may not have non-map elements'],
    [{ set: [{}] }, ".set: element 0: associative list without keys has an element that's a map type"],
    [{ set: ['a', null] }, ".set: element 1: associative list without keys has an element that's an explicit null"],
  ]
  for (const [value, message] of cases) {
    it(`${JSON.stringify(value)}: ${message ?? 'fits'}`.slice(0, 100), () => {
      expect(checkType(value, mergeTypeOf(schema), { allowDuplicates: false })).to.equal(message)
    })
  }

  it('may occur twice where that is allowed', () => {
    expect(checkType({ set: ['a', 'a'] }, mergeTypeOf(schema), { allowDuplicates: true })).to.equal(undefined)
  })
})
