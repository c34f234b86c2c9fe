import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { internFields } from '../../../../src/sandbox/apiserver/write/intern-fields.ts'

const entryOf = (fieldsV1: JsonObject | undefined): ManagedFieldsEntry => ({
  manager: 'm',
  ...(fieldsV1 && { fieldsV1 }),
})
const objectOf = (...entries: ManagedFieldsEntry[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', managedFields: entries },
})
const fieldsOf = (object: KubeObject) => (object.metadata.managedFields ?? []).map(({ fieldsV1 }) => fieldsV1)

describe('Sets of fields that are equal', () => {
  it('are one, next to those that are one already and to none', () => {
    const [known] = fieldsOf(internFields(objectOf(entryOf({ 'f:data': {} }))))
    const both = internFields(objectOf(entryOf(known as JsonObject), entryOf({ 'f:data': {} }), entryOf(undefined)))
    expect(fieldsOf(both)[0]).to.equal(known)
    expect(fieldsOf(both)[1]).to.equal(known)
    expect(fieldsOf(both)[2]).to.equal(undefined)
    expect(internFields(objectOf(entryOf(known as JsonObject))).metadata.managedFields?.[0]?.fieldsV1).to.equal(known)
  })

  it('are forgotten when there are very many, and one again from then on', () => {
    const [first] = fieldsOf(internFields(objectOf(entryOf({ 'f:first': {} }))))
    for (let index = 0; index <= 5000; index++) internFields(objectOf(entryOf({ [`f:x${index}`]: {} })))
    const [again] = fieldsOf(internFields(objectOf(entryOf({ 'f:first': {} }))))
    expect(again).to.deep.equal(first)
    expect(again).not.to.equal(first)
    expect(fieldsOf(internFields(objectOf(entryOf({ 'f:first': {} }))))[0]).to.equal(again)
  })
})
