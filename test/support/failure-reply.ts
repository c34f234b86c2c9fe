import type { JsonObject } from '../../src/core/base/json.ts'
import type { InterceptedReply } from '../../src/sandbox/apiserver/http/request-handler.ts'

/** What an API server answers to a request that it refuses, or that fails: a `Status`. */
export function failureReply(
  code: number,
  reason: string,
  message = reason,
  details: JsonObject = {},
): InterceptedReply {
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details } }
}
