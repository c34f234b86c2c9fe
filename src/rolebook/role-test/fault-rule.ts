import type { FaultRule } from '../../sandbox/apiserver/faults/fault-plan.ts'
import type { KindNames } from './kind-names.ts'
import type { Fault } from './test-case.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** What the server of a test has to do for a fault. */
export function faultRule({ verb, gvk, code = 500, drop, times }: Fault, kinds: KindNames): FaultRule {
  const resource = gvk && { group: gvk.group, resource: kinds.of(gvk)?.plural }
  const when = { ...(verb && { verbs: [verb] }), ...resource, first: times }
  if (drop) return { when, do: { drop } }
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `a fault of the test: ${code}`,
    reason: REASONS[code] ?? '',
    code,
  }
  return { when, do: { reply: { code, body } } }
}
