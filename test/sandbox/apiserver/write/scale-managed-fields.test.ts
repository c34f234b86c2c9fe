import { expect } from 'chai'
import type { ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { toParentEntries, toScaleEntries } from '../../../../src/sandbox/apiserver/write/scale-managed-fields.ts'

const view = {
  apiVersion: 'example.com/v1',
  paths: new Map([
    ['example.com/v1', ['spec', 'replicas']],
    ['example.com/v2', undefined],
  ]),
}
const owns = (manager: string, version: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: `example.com/${version}`,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
})

describe('Owners of replicas', () => {
  const entries = [owns('a', 'v1'), owns('b', 'v2'), owns('c', 'v0')]
  const managersOf = (found: typeof entries | undefined): unknown => found?.map(({ manager }) => manager)

  it('own those of the Scale only by a version that has one', () => {
    expect(managersOf(toScaleEntries(entries, view) as typeof entries)).to.deep.equal(['a'])
  })

  it('are forgotten with the version of the kind, and keep what a version without scale calls replicas', () => {
    const after = toParentEntries(entries, toScaleEntries(entries, view), view)
    expect(managersOf(after as typeof entries)).to.deep.equal(['a', 'b'])
  })
})
