import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { Dice } from '../../../src/rolebook/prove/dice.ts'
import { driftOf } from '../../../src/rolebook/prove/drift.ts'
import { missingPart, ownedContent } from '../../../src/rolebook/prove/owned-content.ts'

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'web',
    labels: { 'rolebook.dev/owner-uid': '1', app: 'web' },
    managedFields: [
      {
        manager: 'rolebook',
        operation: 'Apply',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:app': {}, 'f:rolebook.dev/owner-uid': {} } },
          'f:spec': {
            'f:selector': {},
            'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:name': {}, 'f:protocol': {} } },
          },
        },
      },
    ],
  },
  spec: {
    selector: { app: 'web' },
    clusterIP: '10.0.0.1',
    ports: [
      { port: 9, protocol: 'UDP', name: 'theirs' },
      { port: 80, protocol: 'TCP', name: 'http' },
    ],
  },
} as unknown as KubeObject

describe('drift of a child', () => {
  it('changes one value that the role has set, but no key of an item of a list and nothing that names the owner', () => {
    const dice = new Dice(1)
    const drifts = Array.from({ length: 100 }, () => JSON.stringify(driftOf(dice, SERVICE)))
    const [theirs] = (SERVICE.spec as { readonly ports: readonly JsonObject[] }).ports
    expect([...new Set(drifts)].sort()).to.deep.equal(
      [
        { metadata: { labels: { app: 'drifted' } } },
        { spec: { ports: [theirs, { port: 80, protocol: 'TCP', name: 'drifted' }] } },
        { spec: { selector: { app: 'drifted' } } },
      ].map((patch) => JSON.stringify(patch)),
    )
  })

  it('is none of an item of which the role has set the keys alone', () => {
    const [entry] = SERVICE.metadata.managedFields ?? []
    const fieldsV1 = { 'f:spec': { 'f:ports': { 'k:{"port":9}': { '.': {}, 'f:port': {} } } } }
    const metadata = { name: 'web', managedFields: [{ ...entry!, fieldsV1 }] }
    expect(driftOf(new Dice(1), { ...SERVICE, metadata })).to.equal(undefined)
  })

  it('is none of an item of a list where that is not to be', () => {
    const drifts = Array.from({ length: 50 }, (_, seed) => driftOf(new Dice(seed), SERVICE, { inItems: false }))
    expect(drifts.filter((drift) => JSON.stringify(drift).includes('ports'))).to.deep.equal([])
  })

  it('is none of a Secret whose data alone is set', () => {
    const [entry] = SERVICE.metadata.managedFields ?? []
    const managedFields = [{ ...entry, fieldsV1: { 'f:data': { 'f:a': {} } } }]
    const secret = { ...SERVICE, kind: 'Secret', data: { a: 'YQ==' }, metadata: { name: 's', managedFields } }
    expect(driftOf(new Dice(1), secret as unknown as KubeObject)).to.equal(undefined)
  })

  const template = { spec: { volumes: [{ name: 'data' }], nodeName: 'a' } }
  const fieldsV1 = { 'f:spec': { 'f:template': { 'f:spec': { 'f:nodeName': {} } } } }
  const workload = (kind: string): KubeObject => {
    const metadata = { name: 'w', managedFields: [{ ...SERVICE.metadata.managedFields?.[0], fieldsV1 }] }
    return { apiVersion: 'apps/v1', kind, metadata, spec: { template } } as unknown as KubeObject
  }

  it('may be of the pod spec of a Deployment, and not of a StatefulSet, whose broken pods Kubernetes keeps', () => {
    const drift = { spec: { template: { spec: { nodeName: 'drifted' } } } }
    expect(driftOf(new Dice(1), workload('Deployment'))).to.deep.equal(drift)
    expect(driftOf(new Dice(1), workload('StatefulSet'))).to.equal(undefined)
  })
})

/** An object of which `rolebook` has applied these fields. */
function applied(fieldsV1: JsonObject, content: JsonObject, metadata: JsonObject = {}): KubeObject {
  const managedFields = [{ manager: 'rolebook', operation: 'Apply', fieldsV1 }]
  return { apiVersion: 'v1', kind: 'Thing', ...content, metadata: { name: 'a', ...metadata, managedFields } } as never
}

const ITEM_A = 'k:{"name":"a"}'

interface Owned {
  readonly name: string
  readonly fields: JsonObject
  readonly content: JsonObject
  readonly metadata?: JsonObject
}

const drifts: readonly (Owned & { readonly patch: JsonObject | undefined })[] = [
  { name: 'a switch', fields: { 'f:on': {} }, content: { on: true }, patch: { on: false } },
  { name: 'a number', fields: { 'f:size': {} }, content: { size: 3 }, patch: { size: 4 } },
  {
    name: 'an item of a list that belongs to one manager as a whole',
    fields: { 'f:args': {} },
    content: { args: ['serve'] },
    patch: { args: ['drifted'] },
  },
  {
    name: 'a field deep in an item',
    fields: { 'f:parts': { [ITEM_A]: { '.': {}, 'f:name': {}, 'f:deep': { 'f:size': {} } } } },
    content: { parts: [{ name: 'a', deep: { size: 1, theirs: 2 } }] },
    patch: { parts: [{ name: 'a', deep: { size: 2, theirs: 2 } }] },
  },
  {
    name: 'nothing in a member of a set',
    fields: { 'f:metadata': { 'f:finalizers': { 'v:"example.com/hold"': {} } } },
    content: {},
    metadata: { finalizers: ['example.com/hold'] },
    patch: undefined,
  },
  {
    name: 'nothing in an item that is not there any more',
    fields: { 'f:parts': { [ITEM_A]: { '.': {}, 'f:size': {} } } },
    content: { parts: [{ name: 'b', size: 1 }] },
    patch: undefined,
  },
  { name: 'nothing in a field that is not there any more', fields: { 'f:size': {} }, content: {}, patch: undefined },
]

describe('drift of an object', () => {
  for (const { name, fields, content, metadata, patch } of drifts) {
    it(`changes ${name}`, () => expect(driftOf(new Dice(1), applied(fields, content, metadata))).to.deep.equal(patch))
  }

  it('is none where no role has applied the object', () => {
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    expect(driftOf(new Dice(1), { ...object, data: { a: 'b' } } as KubeObject)).to.equal(undefined)
  })
})

const contents: readonly (Owned & { readonly owned: JsonObject })[] = [
  {
    name: 'no metadata where the role has set none',
    fields: { 'f:size': {} },
    content: { size: 1 },
    owned: { size: 1 },
  },
  {
    name: 'no metadata where it is marks alone',
    fields: { 'f:metadata': { 'f:labels': { 'f:rolebook.dev/owner-uid': {} } }, 'f:size': {} },
    content: { size: 1 },
    metadata: { labels: { 'rolebook.dev/owner-uid': '1', app: 'theirs' } },
    owned: { size: 1 },
  },
  {
    name: 'the members of a set',
    fields: { 'f:metadata': { 'f:finalizers': { 'v:"example.com/hold"': {} } } },
    content: {},
    metadata: { finalizers: ['example.com/theirs', 'example.com/hold'] },
    owned: { metadata: { finalizers: ['example.com/hold'] } },
  },
  {
    name: 'no field and no item that is not there any more',
    fields: { 'f:gone': {}, 'f:parts': { [ITEM_A]: { '.': {}, 'f:size': {} } } },
    content: { parts: [{ name: 'b', size: 1 }] },
    owned: { parts: [] },
  },
  {
    name: 'a text as a whole that was an object when the role applied it',
    fields: { 'f:size': { 'f:cpu': {} } },
    content: { size: 'large' },
    owned: { size: 'large' },
  },
]

describe('what a role has set of a child', () => {
  for (const { name, fields, content, metadata, owned } of contents) {
    it(`has ${name}`, () => expect(ownedContent(applied(fields, content, metadata))).to.deep.equal(owned))
  }

  it('is nothing where no role has applied it', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } }
    expect(ownedContent(object)).to.deep.equal({})
  })

  it('is without the fields of others, and without marks', () => {
    const { metadata, spec } = ownedContent(SERVICE) as { readonly metadata: JsonObject; readonly spec: JsonObject }
    expect(metadata).to.deep.equal({ labels: { app: 'web' } })
    const ports = [{ port: 80, protocol: 'TCP', name: 'http' }]
    expect(spec).to.deep.equal({ selector: { app: 'web' }, ports })
  })

  const parts: readonly [string, JsonObject, JsonObject, JsonObject | undefined][] = [
    ['nothing where all is there', { spec: { a: 1 } }, { spec: { a: 1, b: 2 } }, undefined],
    ['the field alone that differs', { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 3 } }, { spec: { b: 2 } }],
    ['a list as a whole', { spec: { a: [1, 2] } }, { spec: { a: [1] } }, { spec: { a: [1, 2] } }],
    ['no digest', { data: { hash: '0123456789ab' } }, { data: { hash: 'ba9876543210' } }, undefined],
  ]
  for (const [name, wanted, actual, part] of parts) {
    it(`misses ${name}`, () => expect(missingPart(wanted, actual, undefined)).to.deep.equal(part))
  }
})
