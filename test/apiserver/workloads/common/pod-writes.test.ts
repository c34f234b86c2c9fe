import { expect } from 'chai'
import { refusedOr } from '../../../../src/apiserver/workloads/common/pod-writes.ts'
import { ApiError } from '../../../../src/kube/api-error.ts'

describe('A request that the server may refuse', () => {
  const refusal = new ApiError(403, 'Forbidden', 'exceeded quota')
  const raise = (error: Error) => () => {
    throw error
  }

  it('comes to its answer', () => expect(refusedOr(() => 'made')).to.equal('made'))
  it('comes to the refusal', () => expect(refusedOr(raise(refusal))).to.equal(refusal))
  it('hides no fault of the program', () =>
    expect(() => refusedOr(raise(new TypeError('x is not a function')))).to.throw(TypeError, 'x is not a function'))
})
