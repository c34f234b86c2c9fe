import { expect } from 'chai'
import * as errors from '../../../src/core/kube/api-error.ts'

describe('ApiError', () => {
  const cases = [
    { name: 'no answer', error: new errors.ApiError(0, 'NoAnswer', ''), is: ['isTransient'] },
    { name: 'too many requests', error: new errors.ApiError(429, 'TooManyRequests', ''), is: ['isTransient'] },
    { name: 'a broken server', error: new errors.ApiError(503, 'ServiceUnavailable', ''), is: ['isTransient'] },
    { name: 'a stale version', error: new errors.ApiError(409, 'Conflict', ''), is: ['isConflict'] },
    {
      name: 'a name that is taken',
      error: new errors.ApiError(409, 'AlreadyExists', ''),
      is: ['isConflict', 'isAlreadyExists'],
    },
    { name: 'no such object', error: new errors.ApiError(404, 'NotFound', ''), is: ['isNotFound'] },
    { name: 'an old version', error: new errors.ApiError(410, 'Expired', ''), is: ['isGone'] },
    { name: 'no right', error: new errors.ApiError(403, 'Forbidden', ''), is: ['isForbidden'] },
    { name: 'a wrong field', error: new errors.ApiError(422, 'Invalid', ''), is: ['isInvalid'] },
    { name: 'another error', error: new Error('x'), is: [] },
  ]
  const questions = Object.entries(errors).filter(([name]) => name.startsWith('is')) as [
    string,
    (e: unknown) => boolean,
  ][]
  for (const { name, error, is } of cases) {
    it(`${name} is ${is.join(', ') || 'none of them'}`, () =>
      expect(questions.filter(([, ask]) => ask(error)).map(([question]) => question)).to.have.members(is))
  }

  it('gives the causes of its Status', () => {
    const cause = { reason: 'FieldValueInvalid', message: 'too small', field: 'spec.size' }
    const error = new errors.ApiError(422, 'Invalid', 'no', { status: { details: { causes: [cause] } } })
    expect(error.causes).to.deep.equal([cause])
    expect(new errors.ApiError(422, 'Invalid', 'no').causes).to.deep.equal([])
  })
})
