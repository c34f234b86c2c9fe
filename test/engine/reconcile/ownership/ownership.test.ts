import { expect } from 'chai'
import type { KubeObject, ObjectMeta } from '../../../../src/core/kube/object.ts'
import {
  checkMayEnsure,
  type Owner,
  ownerOf,
  ownershipOf,
} from '../../../../src/engine/reconcile/ownership/ownership.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const RESOURCE: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', uid: 'u1' },
}
const OWNER: Owner = ownerOf(RESOURCE, WIDGET)
const HERE = 'default/id1'

const reference = (uid: string, controller = true) => ({
  apiVersion: 'v1',
  kind: 'Widget',
  name: 'other',
  uid,
  controller,
})
const label = (uid: string): ObjectMeta => ({ labels: { 'rolebook.dev/owner-uid': uid } })
const annotations = (operator = HERE, owner = 'Widget.example.com/default/w'): ObjectMeta => ({
  annotations: { 'rolebook.dev/owner': owner, 'rolebook.dev/operator': operator },
})
const proof: ObjectMeta = {
  managedFields: [
    {
      manager: 'rolebook',
      operation: 'Apply',
      fieldsV1: { 'f:metadata': { 'f:labels': { 'f:rolebook.dev/owner-uid': {} } } },
    },
  ],
}

const cases: { name: string; metadata: ObjectMeta; expected: string }[] = [
  { name: 'no marks at all', metadata: {}, expected: 'unowned' },
  { name: 'our controller reference', metadata: { ownerReferences: [reference('u1')] }, expected: 'ours' },
  {
    name: 'a reference to us that is no controller',
    metadata: { ownerReferences: [reference('u1', false)] },
    expected: 'unowned',
  },
  {
    name: 'the controller reference of another uid',
    metadata: { ownerReferences: [reference('u2')] },
    expected: 'foreign',
  },
  {
    name: 'our reference on a child of another installation',
    metadata: { ownerReferences: [reference('u1')], ...annotations('default/id2') },
    expected: 'foreign',
  },
  { name: 'our label alone', metadata: label('u1'), expected: 'foreign' },
  { name: 'label and annotations without proof', metadata: { ...label('u1'), ...annotations() }, expected: 'unowned' },
  {
    name: 'label and annotations with proof',
    metadata: { ...label('u1'), ...annotations(), ...proof },
    expected: 'ours',
  },
  { name: 'the same for another uid', metadata: { ...label('u2'), ...annotations(), ...proof }, expected: 'foreign' },
  {
    name: 'our uid with the name of another',
    metadata: { ...label('u1'), ...annotations(HERE, 'Widget.example.com/default/x'), ...proof },
    expected: 'foreign',
  },
  {
    name: 'marks beside a foreign controller',
    metadata: { ...label('u1'), ...annotations(), ...proof, ownerReferences: [reference('u2')] },
    expected: 'foreign',
  },
]

describe('ownershipOf', () => {
  for (const { name, metadata, expected } of cases) {
    it(name, () => {
      const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default', ...metadata } }
      expect(ownershipOf(live, OWNER, HERE).kind).to.equal(expected)
    })
  }
})

describe('checkMayEnsure', () => {
  const live = (metadata: ObjectMeta): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', ...metadata },
  })
  const check = (metadata: ObjectMeta, adopt: 'never' | 'ifUnowned') =>
    checkMayEnsure(live(metadata), OWNER, { installation: HERE, adopt })
  const code = 'NameCollision'

  it('refuses what is not ours', () =>
    expect(() => check({}, 'never'))
      .to.throw()
      .with.property('code', code))
  it('adopts an object without owner when the role says so', () => expect(check({}, 'ifUnowned')).to.equal('unowned'))
  it('never adopts from an owner', () =>
    expect(() => check({ ownerReferences: [reference('u2')] }, 'ifUnowned'))
      .to.throw()
      .with.property('code', code))
  it('says that what a deleted resource of this name has left is still to go', () => {
    const former = { ...reference('u0'), apiVersion: 'example.com/v1beta1', name: 'w' }
    expect(() => check({ ownerReferences: [former] }, 'never')).to.throw(
      'cannot ensure ConfigMap c: it belongs to a former Widget w and is to go with it',
    )
    expect(() => check({ ownerReferences: [{ ...former, apiVersion: 'v1' }] }, 'never')).to.throw(
      'cannot ensure ConfigMap c: it belongs to Widget w',
    )
  })
  it('never adopts what is going', () =>
    expect(() => check({ deletionTimestamp: '2026-01-01T00:00:00Z' }, 'ifUnowned'))
      .to.throw()
      .with.property('code', code))
})
