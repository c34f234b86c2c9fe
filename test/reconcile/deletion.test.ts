import { expect } from 'chai'
import { Deletion, type DeletionTools, type Departure } from '../../src/reconcile/deletion.ts'
import { ownerOf } from '../../src/reconcile/marks.ts'

describe('Deletion', () => {
  it('asks for nothing where only others hold the resource up', async () => {
    const metadata = { name: 'w', namespace: 'd', uid: 'u', deletionTimestamp: 'x', finalizers: ['theirs/x'] }
    const resource = { apiVersion: 'example.com/v1', kind: 'Widget', metadata }
    const owner = ownerOf(resource, { group: 'example.com', version: 'v1', kind: 'Widget' })
    // No tool is there to be used.
    const deletion = new Deletion({} as DeletionTools)
    expect(await deletion.finish({ owner } as Departure)).to.deep.equal({ kind: 'done' })
  })
})
