import { backoffDelay } from '../base/backoff.ts'
import type { ApiError } from '../kube/api-error.ts'
import { wasNeverSent } from './to-api-error.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RetryDecision {
  /** Milliseconds to wait before the same request is sent again; absent: it is not. */
  readonly retryAfter?: number
  /** Milliseconds for which no request at all is to be sent. */
  readonly shutFor?: number
}

/**
 * What a failed attempt leads to inside the client. A write is sent again only where the server certainly did nothing:
 * it said 429, or the request never left. Everything else is for the caller, who looks before writing again.
 *
 * | Failure | Reads | Writes |
 * | --- | --- | --- |
 * | 429 | again when it may | again when it may |
 * | 503 with Retry-After | again when it may | to the caller |
 * | never sent | 3 times | 3 times |
 * | no answer | twice | to the caller |
 * | anything else | to the caller | to the caller |
 */
export function retryDecision(error: ApiError, method: HttpMethod, attempt: number): RetryDecision {
  const isRead = method === 'GET'
  const asked = error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1000
  if (error.httpStatus === 429) {
    return pausing(error, asked ?? backoffDelay(attempt, { base: 1000, max: 10_000 }), attempt < 10)
  }
  if (error.httpStatus === 503 && asked !== undefined) return pausing(error, asked, isRead && attempt < 10)
  if (error.httpStatus !== 0) return {}
  const tries = wasNeverSent(error) ? 3 : isRead ? 2 : 0
  return attempt < tries ? { retryAfter: backoffDelay(attempt, { base: 100, max: 1000 }) } : {}
}

/**
 * All requests pause only where the answer is a text. The API server answers with a text when it reports its own limits
 * (`tooManyRequests` in k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go, which maxinflight.go calls, too) or its
 * shutdown (with_retry_after.go), and so does a proxy. A `Status` is about this one request: it comes from a webhook, a
 * disruption budget or the storage of a kind.
 */
function pausing({ status }: ApiError, pause: number, again: boolean): RetryDecision {
  return { ...(status === undefined && { shutFor: pause }), ...(again && { retryAfter: pause }) }
}
