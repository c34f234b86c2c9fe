import { expect } from 'chai'
import { conditionsOf, findCondition, setCondition } from '../../../src/core/kube/condition.ts'
import { hasFinalizer, isTerminating, withFinalizer, withoutFinalizer } from '../../../src/core/kube/finalizer.ts'
import type { KubeObject, ObjectMeta } from '../../../src/core/kube/object.ts'
import { canOwn, controllerOf, controllerReference } from '../../../src/core/kube/owner-reference.ts'

const object = (metadata: ObjectMeta, status?: KubeObject[string]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', uid: 'u', ...metadata },
  status,
})

describe('Conditions', () => {
  const then = '2026-01-01T00:00:00Z'
  const now = '2026-01-02T00:00:00Z'
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: then }

  it('are read where they are well formed', () => {
    const conditions = [ready, { type: 'x' }, 1]
    expect(conditionsOf(object({}, { conditions }))).to.deep.equal([ready])
    expect(conditionsOf(object({}, 'odd'))).to.deep.equal([])
    expect(findCondition([ready], 'Ready')).to.equal(ready)
  })

  it('keep their time while their status stays, and their place', () => {
    const other = { type: 'Other', status: 'True' }
    const [first, second] = setCondition([ready, other], { type: 'Ready', status: 'True', reason: 'new' }, now)
    expect([first?.lastTransitionTime, first?.reason, second]).to.deep.equal([then, 'new', other])
    expect(setCondition([ready], { type: 'Ready', status: 'False' }, now)[0]?.lastTransitionTime).to.equal(now)
    expect(setCondition([], { type: 'Ready', status: 'False' }, now)).to.have.lengthOf(1)
  })
})

describe('Finalizers', () => {
  it('are added once and taken away without touching others', () => {
    const held = object({ finalizers: ['other'] })
    expect(withFinalizer(held, 'ours')).to.deep.equal(['other', 'ours'])
    expect(withFinalizer(held, 'other')).to.deep.equal(['other'])
    expect(withoutFinalizer(object({ finalizers: ['other', 'ours'] }), 'ours')).to.deep.equal(['other'])
    expect([hasFinalizer(held, 'other'), hasFinalizer(object({}), 'other')]).to.deep.equal([true, false])
    expect([isTerminating(object({ deletionTimestamp: 'x' })), isTerminating(object({}))]).to.deep.equal([true, false])
  })
})

describe('Owner references', () => {
  it('make a controller that holds up a foreground deletion', () => {
    const reference = controllerReference(object({}), { group: 'apps', version: 'v1', kind: 'Deployment' })
    const rest = { controller: true, blockOwnerDeletion: true }
    expect(reference).to.deep.equal({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', uid: 'u', ...rest })
    expect(controllerOf(object({ ownerReferences: [{ ...reference, controller: false }, reference] }))).to.equal(
      reference,
    )
  })

  it('never lead into another namespace', () => {
    expect(canOwn({ namespace: 'a' }, { namespace: 'a' })).to.equal(true)
    expect(canOwn({ namespace: 'a' }, { namespace: 'b' })).to.equal(false)
    expect(canOwn({ namespace: 'a' }, { namespace: '' })).to.equal(false)
    expect(canOwn({ namespace: '' }, { namespace: 'b' })).to.equal(true)
  })
})
