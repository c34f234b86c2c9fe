import { expect } from 'chai'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { propagationBy, propagationOf, SeenDeletions } from '../../../../src/engine/reconcile/deletion/propagation.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'default', name: 'w' }
const DELETED = '2026-01-01T12:00:00Z'

const resource = (metadata: KubeObject['metadata'] = {}): KubeObject => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Widget' },
  metadata: { name: 'w', namespace: 'default', uid: 'u', ...metadata },
})
const going = resource({ deletionTimestamp: DELETED })

describe('how a resource is being deleted', () => {
  const known = [
    { name: 'is no question while it is not', object: resource(), propagation: undefined, expected: undefined },
    { name: 'is what is remembered', object: going, propagation: 'Orphan', expected: 'Orphan' },
    { name: 'is unknown where nothing is remembered', object: going, propagation: undefined, expected: 'Unknown' },
  ] as const
  for (const { name, object, propagation, expected } of known) {
    it(name, () => {
      expect(propagationOf({ owner: ownerOf(object, WIDGET), memory: { propagation } })).to.equal(expected)
    })
  }

  const ours = (time?: string): ManagedFieldsEntry => ({
    manager: 'rolebook',
    operation: 'Apply',
    ...(time && { time }),
  })
  const childWith = (...managedFields: readonly ManagedFieldsEntry[]): KubeObject => {
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u', controller: true }]
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', uid: 'c', ownerReferences, managedFields } }
  }
  const orphan: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', uid: 'o' } }
  const long = ours('2026-01-01T11:00:00Z')
  const children = [
    { name: 'Background, if a child has had its reference for long', of: [childWith(long)], expected: 'Background' },
    { name: 'Orphan, if a child has lost its reference', of: [childWith(long), orphan], expected: 'Orphan' },
    {
      name: 'unknown, if all references are young',
      of: [childWith(ours('2026-01-01T11:59:30Z'))],
      expected: 'Unknown',
    },
    { name: 'unknown, if an apply has no time', of: [childWith(ours())], expected: 'Unknown' },
    { name: 'unknown, if another client has made the reference', of: [childWith()], expected: 'Unknown' },
    { name: 'unknown without children', of: [], expected: 'Unknown' },
  ]
  for (const { name, of, expected } of children) {
    it(`is, by its children, ${name}`, () => expect(propagationBy(of, ownerOf(going, WIDGET))).to.equal(expected))
  }

  const policies = [
    { finalizers: ['orphan'], policy: 'Orphan' },
    { finalizers: ['foregroundDeletion'], policy: 'Foreground' },
    { finalizers: ['rolebook.dev/finalizer'], policy: 'Background' },
  ]
  for (const { finalizers, policy } of policies) {
    it(`is ${policy} when a watch shows that it began with ${finalizers}`, () => {
      const seen = new SeenDeletions()
      const object = resource({ finalizers, deletionTimestamp: DELETED })
      seen.note({ type: 'updated', old: resource({ finalizers }), object })
      expect(seen.policyOf(REQUEST, 'u')).to.equal(policy)
    })
  }
})
