import { printPath } from '../../../core/base/json.ts'
import { NestedTooDeeply } from '../../../core/base/nested-too-deeply.ts'
import { ApiError, isConflict, isForbidden, isTransient } from '../../../core/kube/api-error.ts'
import { ExpressionError, MissingValueError } from '../../expression/expression-error.ts'
import { type FailedOutcome, type FailureReason, TaskFailure } from '../task-outcome.ts'
import { LongTurnNeeded } from './long-turn-needed.ts'

/**
 * What an error thrown by a task or a port means for the run. The retry policy is a table over the result.
 *
 * @throws LongTurnNeeded, which means nothing yet
 */
export function toFailedOutcome(thrown: unknown): FailedOutcome {
  if (thrown instanceof LongTurnNeeded) throw thrown
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error instanceof TaskFailure) return failed(error, error.reason, error.retriable, error.retryAfter)
  if (error instanceof ExpressionError) return failed(error, error.phase === 'limit' ? 'ExpressionLimit' : 'Failed')
  if (error instanceof NestedTooDeeply) return failed(error, 'ExpressionLimit')
  if (error instanceof ApiError) return failedRequest(error)
  if (error instanceof MissingValueError)
    return failed(new TaskFailure('Failed', describeMissing(error), { cause: error }), 'Failed')
  // A defect of ours or of the machine. An edit of the resource cannot mend it, so it is tried again.
  return failed(error, 'Failed', true)
}

function failedRequest(error: ApiError): FailedOutcome {
  const { httpStatus } = error
  if (isTransient(error) || isConflict(error)) return failed(error, 'Failed', true, retryAfterOf(error))
  // A right that is missing is explained before it comes here; what is left was refused by admission.
  if (isForbidden(error)) return { ...failed(error, 'Forbidden'), isRefusal: true }
  if (httpStatus === 422) return { ...failed(error, 'Invalid'), isRefusal: true }
  if (httpStatus === 400 || httpStatus === 413) return failed(error, 'Invalid')
  // 401: the token is being rotated. 410: what was read is too old; reading again helps.
  return failed(error, 'Failed', httpStatus === 401 || httpStatus === 410)
}

function retryAfterOf(error: ApiError): number | undefined {
  return error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1000
}

function failed(error: Error, reason: FailureReason, retriable = false, retryAfter?: number): FailedOutcome {
  return { kind: 'failed', reason, error, retriable, retryAfter }
}

/** The field of the task that an error is about, if it knows one: the first that a server refuses. */
export function fieldOf(error: unknown): string | undefined {
  if (error instanceof MissingValueError) return printPath(error.path)
  if (error instanceof TaskFailure || error instanceof ExpressionError) return error.field ?? fieldOf(error.cause)
  if (error instanceof ApiError) return error.causes.find(({ field }) => field !== undefined)?.field
  return undefined
}

const SHOWN_SOURCE = 80

/** Names the field and the expression, which are the role's own words. */
function describeMissing({ place, expression }: MissingValueError): string {
  const source = expression.source.trim().replace(/\s+/g, ' ')
  const shown = source.length > SHOWN_SOURCE ? `${source.slice(0, SHOWN_SOURCE)}…` : source
  return `${place || 'a value'} is missing: \${ ${shown} } yields nothing`
}
