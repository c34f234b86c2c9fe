import { ApiError } from '../../core/kube/api-error.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import { recording } from '../../core/kube/client-decorators.ts'
import { formatGroupKind } from '../../core/kube/group-version-kind.ts'
import type { Metrics } from './metrics.ts'

/** A client whose writes are counted. */
export function counting(client: KubeClient, metrics: Pick<Metrics, 'wrote'>): KubeClient {
  return recording(client, ({ gvk, verb, subresource }, error) => {
    const kind = formatGroupKind(gvk)
    metrics.wrote(subresource ? `${kind}/${subresource}` : kind, verb, resultOf(error))
  })
}

/** The reason of the server if Kubernetes defines it, else the status code. Webhooks may give any reason. */
function resultOf(error: unknown): string {
  if (error === undefined) return 'ok'
  if (!(error instanceof ApiError)) return 'Error'
  return REASONS.has(error.reason) ? error.reason : String(error.httpStatus)
}

const REASONS: ReadonlySet<string> = new Set([
  'NoAnswer',
  'AlreadyExists',
  'BadRequest',
  'Conflict',
  'Expired',
  'Forbidden',
  'Gone',
  'InternalError',
  'Invalid',
  'MethodNotAllowed',
  'NotFound',
  'RequestEntityTooLarge',
  'ServerTimeout',
  'ServiceUnavailable',
  'Timeout',
  'TooManyRequests',
  'Unauthorized',
  'UnsupportedMediaType',
])
