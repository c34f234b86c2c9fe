import { expect } from 'chai'
import { retryAfterOf, toApiError } from '../../../src/core/kube-client/to-api-error.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

describe('toApiError', () => {
  const status = (fields: object): string => JSON.stringify({ kind: 'Status', ...fields })
  const cases: { name: string; httpStatus: number; text: string; expected: object }[] = [
    {
      name: 'takes reason, message and time to wait from a Status',
      httpStatus: 429,
      text: status({ reason: 'TooManyRequests', message: 'slowly', details: { retryAfterSeconds: 3 } }),
      expected: { httpStatus: 429, reason: 'TooManyRequests', message: 'slowly', retryAfterSeconds: 3 },
    },
    {
      name: 'takes no time to wait that is longer than a minute',
      httpStatus: 429,
      text: status({ details: { retryAfterSeconds: 86_400 } }),
      expected: { retryAfterSeconds: 60 },
    },
    {
      name: 'takes no time to wait that is less than none',
      httpStatus: 429,
      text: status({ details: { retryAfterSeconds: -5 } }),
      expected: { retryAfterSeconds: 0 },
    },
    {
      name: 'ignores a time to wait that is not a number',
      httpStatus: 429,
      text: status({ message: 'slowly', details: { retryAfterSeconds: '3' } }),
      expected: { reason: 'TooManyRequests', retryAfterSeconds: undefined },
    },
    {
      name: 'names a failure without Status by its code',
      httpStatus: 502,
      text: '<html><h1>Bad\nGateway</h1></html>',
      expected: { reason: 'Unknown', message: 'cannot GET /x: the server answered 502 ("Bad Gateway")' },
    },
    {
      name: 'quotes JSON that is no Status',
      httpStatus: 403,
      text: '{"error":"no"}',
      expected: { reason: 'Forbidden', message: 'cannot GET /x: the server answered 403 ("{"error":"no"}")' },
    },
    {
      name: 'quotes what was cut off',
      httpStatus: 500,
      text: '{"kind":"Sta',
      expected: { reason: 'InternalError', message: 'cannot GET /x: the server answered 500 ("{"kind":"Sta")' },
    },
    {
      name: 'quotes nothing when there is nothing',
      httpStatus: 404,
      text: '',
      expected: { reason: 'NotFound', message: 'cannot GET /x: the server answered 404' },
    },
    {
      name: 'takes an apply of an undeclared field for what it is, not for a fault of the server',
      httpStatus: 500,
      text: status({
        reason: 'InternalError',
        message: 'failed to create typed patch object (a/b; v1, Kind=W): .spec.x',
      }),
      expected: { httpStatus: 422, reason: 'Invalid' },
    },
  ]
  for (const { name, httpStatus, text, expected } of cases) {
    it(name, () => expect(toApiError({ httpStatus, headers: {}, text }, 'GET /x', NOW)).to.include(expected))
  }

  const waits: { header: string | string[] | undefined; seconds: number | undefined }[] = [
    { header: '7', seconds: 7 },
    { header: 'Thu, 01 Jan 2026 00:00:09 GMT', seconds: 9 },
    { header: 'Wed, 31 Dec 2025 23:00:00 GMT', seconds: 0 },
    { header: 'soon', seconds: undefined },
    { header: ['1', '2'], seconds: undefined },
    { header: undefined, seconds: undefined },
  ]
  for (const { header, seconds } of waits) {
    it(`reads Retry-After: ${header} as ${seconds} s`, () => {
      expect(retryAfterOf({ httpStatus: 429, headers: { 'retry-after': header }, text: '' }, NOW)).to.equal(seconds)
    })
  }
})
