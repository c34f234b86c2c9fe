import { expect } from 'chai'
import { markObject } from '../../../../src/engine/reconcile/apply/desired-object.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'

const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  { group: 'example.com', version: 'v1', kind: 'Widget' },
)

describe('the object that is sent', () => {
  it('has no marks but those of the engine, although the role copied some from its resource', () => {
    const labels = { app: 'x', 'rolebook.dev/owner-uid': 'other', 'rolebook.dev/patched': 'true' }
    const annotations = { note: 'n', 'rolebook.dev/retain': 'true', 'rolebook.dev/paused': 'true' }
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', labels, annotations } }
    const installation = { name: 'd/id', key: 'k' }
    const key = { namespace: 'd', name: 'c' }
    const { metadata } = markObject(manifest, { key, owner: OWNER, installation, owned: true, retain: false })
    expect(metadata.labels).to.deep.equal({ app: 'x', 'rolebook.dev/owner-uid': 'u' })
    expect(Object.keys(metadata.annotations ?? {})).to.deep.equal([
      'note',
      'rolebook.dev/owner',
      'rolebook.dev/operator',
      'rolebook.dev/applied',
    ])
  })
})
