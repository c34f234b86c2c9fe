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

describe('what a role has set of a child', () => {
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
