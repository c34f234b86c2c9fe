import { expect } from 'chai'
import { DeferredWork } from '../../../../src/sandbox/apiserver/lifecycle/deferred-work.ts'
import { settle } from '../sandbox.ts'

describe('DeferredWork', () => {
  it('goes on after work that fails, and reports the failure', async () => {
    const done: string[] = []
    const errors: unknown[] = []
    const fault = new Error('a fault')
    const work = new DeferredWork<string>(
      (key) => {
        if (key === 'bad') throw fault
        done.push(key)
      },
      (error) => errors.push(error),
    )
    for (const key of ['a', 'bad', 'b']) work.add(key)
    expect(done).to.deep.equal([])
    await settle()
    expect([done, errors]).to.deep.equal([['a', 'b'], [fault]])
  })
})
