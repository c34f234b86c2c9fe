import { expect } from 'chai'
import { MOST_BYTES, RunStatus } from '../../src/reconcile/run-status.ts'

describe('6, F75: what tasks set of a status', () => {
  it('takes no more than half a mebibyte, all together', () => {
    const status = new RunStatus()
    status.set({ one: 'x'.repeat(MOST_BYTES / 2) })
    expect(() => status.set({ two: 'x'.repeat(MOST_BYTES / 2) })).to.throw('the status would take')
    expect(Object.keys(status.fields)).to.deep.equal(['one'])
  })
})
