import { expect } from 'chai'
import { NestedTooDeeply } from '../../../../src/core/base/nested-too-deeply.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import { ExpressionError, MissingValueError } from '../../../../src/engine/expression/expression-error.ts'
import { toFailedOutcome } from '../../../../src/engine/role/run/to-failed-outcome.ts'
import { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

const reads = { source: 'spec.a', variables: new Set<string>(), inputPaths: [['spec', 'a']] }

describe('toFailedOutcome', () => {
  const cases: { name: string; error: unknown; expected: object }[] = [
    {
      name: '403',
      error: new ApiError(403, 'Forbidden', 'm'),
      expected: { reason: 'Forbidden', retriable: false, isRefusal: true },
    },
    {
      name: '422',
      error: new ApiError(422, 'Invalid', 'm'),
      expected: { reason: 'Invalid', retriable: false, isRefusal: true },
    },
    { name: '400', error: new ApiError(400, 'BadRequest', 'm'), expected: { reason: 'Invalid', retriable: false } },
    {
      name: '413',
      error: new ApiError(413, 'RequestEntityTooLarge', 'm'),
      expected: { reason: 'Invalid', retriable: false },
    },
    { name: '409', error: new ApiError(409, 'Conflict', 'm'), expected: { reason: 'Failed', retriable: true } },
    {
      name: 'a name that is taken in a race',
      error: new ApiError(409, 'AlreadyExists', 'm'),
      expected: { reason: 'Failed', retriable: true },
    },
    {
      name: '429 with Retry-After',
      error: new ApiError(429, 'TooManyRequests', 'm', { retryAfterSeconds: 3 }),
      expected: { reason: 'Failed', retriable: true, retryAfter: 3_000 },
    },
    {
      name: '503',
      error: new ApiError(503, 'ServiceUnavailable', 'm'),
      expected: { reason: 'Failed', retriable: true },
    },
    { name: 'no answer', error: new ApiError(0, 'NoAnswer', 'm'), expected: { reason: 'Failed', retriable: true } },
    {
      name: '401, while a token is rotated',
      error: new ApiError(401, 'Unauthorized', 'm'),
      expected: { reason: 'Failed', retriable: true },
    },
    { name: '410', error: new ApiError(410, 'Expired', 'm'), expected: { reason: 'Failed', retriable: true } },
    {
      name: 'a kind that is not served',
      error: new ApiError(404, 'KindNotServed', 'm'),
      expected: { reason: 'Failed', retriable: false },
    },
    {
      name: '405',
      error: new ApiError(405, 'MethodNotAllowed', 'm'),
      expected: { reason: 'Failed', retriable: false },
    },
    {
      name: 'a failure of a task',
      error: new TaskFailure('NameCollision', 'm'),
      expected: { reason: 'NameCollision', retriable: false },
    },
    {
      name: 'a retriable failure of a task',
      error: new TaskFailure('Failed', 'm', { retriable: true, retryAfter: 7 }),
      expected: { reason: 'Failed', retriable: true, retryAfter: 7 },
    },
    {
      name: 'an expression that does not fit',
      error: new ExpressionError('type', 'T2001', 'm'),
      expected: { reason: 'Failed', retriable: false },
    },
    {
      name: 'an expression at its limit',
      error: new ExpressionError('limit', 'E1001', 'm'),
      expected: { reason: 'ExpressionLimit', retriable: false },
    },
    {
      name: 'a value that is nested too deeply',
      error: new NestedTooDeeply(),
      expected: { reason: 'ExpressionLimit', retriable: false },
    },
    {
      name: 'a missing value',
      error: new MissingValueError(['metadata', 'name'], reads),
      expected: { reason: 'Failed', retriable: false },
    },
    { name: 'a defect', error: new TypeError('m'), expected: { reason: 'Failed', retriable: true } },
    { name: 'something that is not an error', error: 'm', expected: { reason: 'Failed', retriable: true } },
  ]
  for (const { name, error, expected } of cases) {
    it(`understands ${name}`, () => {
      const { error: kept, ...outcome } = toFailedOutcome(error)
      expect(outcome).to.deep.equal({ kind: 'failed', retryAfter: undefined, ...expected })
      if (error instanceof Error && !(error instanceof MissingValueError)) expect(kept).to.equal(error)
    })
  }

  it('names the field and the expression of a missing value, cut where it is long', () => {
    const long = { ...reads, source: `  ${'a'.repeat(200)}` }
    expect(toFailedOutcome(new MissingValueError(['metadata', 'name'], reads)).error.message).to.equal(
      'metadata.name is missing: ${ spec.a } yields nothing',
    )
    expect(toFailedOutcome(new MissingValueError([], long)).error.message).to.equal(
      `a value is missing: \${ ${'a'.repeat(80)}… } yields nothing`,
    )
  })
})
