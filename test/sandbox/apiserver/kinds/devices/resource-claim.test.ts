import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../../src/core/kube/object.ts'
import { pipelineOf, refusalsOf } from '../pipeline-of.ts'

const claims = pipelineOf('ResourceClaim')

const exactly = { deviceClassName: 'gpu' }
const spec = { devices: { requests: [{ name: 'one', exactly }] } }
const RESULT = { request: 'one', driver: 'a.example.com', pool: 'pool', device: 'd' }
const consumer = (name: string): JsonObject => ({ resource: 'pods', name, uid: name })

const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'a' }, spec }
const template = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'a' },
  spec: { metadata: { labels: { a: 'b' } }, spec },
}
/** An allocated claim that is reserved, and goes once its finalizer does. */
function deletedClaim(): KubeObject {
  const created = claims.create({ ...claim, metadata: { name: 'a', finalizers: ['example.com/a'] } }) as KubeObject
  const status = { allocation: { devices: { results: [RESULT] } }, reservedFor: [consumer('p')] }
  const reserved = claims.update(created, { ...created, status }, 'status') as KubeObject
  return { ...reserved, metadata: { ...reserved.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
}

describe('A ResourceClaim', () => {
  it('that is being deleted is not reserved any more', () => {
    const old = deletedClaim()
    const status = { ...(old.status as JsonObject), reservedFor: [consumer('p'), consumer('q')] }
    expect(claims.update(old, { ...old, status }, 'status')).to.deep.equal([
      {
        reason: 'FieldValueForbidden',
        field: 'status.reservedFor',
        message: 'Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
      },
    ])
  })

  it('that is being deleted stays reserved for who has it', () => {
    const old = deletedClaim()
    expect(claims.update(old, old, 'status')).to.have.deep.property('status', old.status)
  })

  it('is allocated with what its class or itself says to devices, and nothing else', () => {
    const opaque = { driver: 'a.example.com', parameters: { a: 1 } }
    const config = [{ source: 'FromClass', opaque }, { opaque }, { source: 'FromPod', opaque }]
    const update = { status: { allocation: { devices: { results: [RESULT], config } } } }
    expect(refusalsOf(claims, { given: claim, update, subresource: 'status' })).to.deep.equal([
      'status.allocation.devices.config[1].source: Required value',
      'status.allocation.devices.config[2].source: Unsupported value: "FromPod": supported values: "FromClaim", "FromClass"',
    ])
  })

  it('is shown as it would be with what a change leaves out', () => {
    const update = { spec: { devices: { requests: [{ exactly: { allocationMode: 'All' } }] } } }
    expect(refusalsOf(claims, { given: claim, update })).to.deep.equal([
      'spec: Invalid value: {"Devices":{"Requests":[{"Name":"","Exactly":{"DeviceClassName":"","Selectors":null,"AllocationMode":"All","Count":0,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}: field is immutable',
    ])
  })
})

describe('A ResourceClaimTemplate', () => {
  it('is shown with owners, which it cannot have', () => {
    const owner = { uid: 'u', name: 'n', kind: 'K', apiVersion: 'v1' }
    const update = { spec: { metadata: { ownerReferences: [owner] } } }
    expect(refusalsOf(pipelineOf('ResourceClaimTemplate'), { given: template, update })).to.deep.equal([
      'spec.metadata.ownerReferences: Forbidden: cannot be set',
      'spec: Invalid value: {"labels":{"a":"b"},"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}],"Spec":{"Devices":{"Requests":[{"Name":"one","Exactly":{"DeviceClassName":"gpu","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}}: field is immutable',
    ])
  })
})
