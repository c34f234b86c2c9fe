import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { Sandbox, settle } from '../sandbox.ts'

const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' }
const KINDS = ['FlowSchema', 'PriorityLevelConfiguration']

describe('Flow control', () => {
  for (const kind of KINDS) {
    for (const name of ['exempt', 'catch-all']) {
      it(`gets its ${kind} ${name} back, as no server can be without it`, async () => {
        const { objects } = new Sandbox({ clock: new FakeClock() })
        const [gvk, key] = [
          { ...GROUP, kind },
          { namespace: '', name },
        ]
        const before = objects.get(gvk, key)
        objects.delete(gvk, key)
        expect(objects.get(gvk, key)).to.equal(undefined)
        await settle()
        const after = objects.get(gvk, key)
        expect(after?.spec).to.deep.equal(before?.spec)
        expect(after?.metadata.uid).to.not.equal(before?.metadata.uid)
      })
    }
  }

  it('says of a schema whose level is deleted that it is dangling', async () => {
    const { objects } = new Sandbox({ clock: new FakeClock() })
    objects.delete({ ...GROUP, kind: 'PriorityLevelConfiguration' }, { namespace: '', name: 'workload-low' })
    await settle()
    const schema = objects.get({ ...GROUP, kind: 'FlowSchema' }, { namespace: '', name: 'service-accounts' })
    expect(schema?.status).to.have.nested.property('conditions[0].status', 'True')
    expect(schema?.status).to.have.nested.property('conditions[0].reason', 'NotFound')
  })
})
