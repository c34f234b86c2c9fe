import { expect } from 'chai'
import { ApiError } from '../../../../../src/core/kube/api-error.ts'
import { refusedOr } from '../../../../../src/sandbox/apiserver/workloads/common/pod-writes.ts'

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
