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

/** Counts the requests of each run by verb. The signal of a request identifies its run. */
export class RequestCounter {
  readonly #counts = new WeakMap<AbortSignal, { [verb: string]: number }>()

  /** A client whose requests are counted. */
  counting(client: KubeClient): KubeClient {
    return {
      get: (gvk, key, options) => client.get(gvk, key, this.#counted('get', options)),
      list: (gvk, options) => client.list(gvk, this.#counted('list', options)),
      watch: (gvk, options) => client.watch(gvk, options),
      create: (object, options) => client.create(object, this.#counted('create', options)),
      apply: (object, options) => client.apply(object, this.#counted('apply', options)),
      patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, this.#counted('patch', options)),
      delete: (gvk, key, options) => client.delete(gvk, key, this.#counted('delete', options)),
    }
  }

  of(signal: AbortSignal): Readonly<Record<string, number>> {
    return { ...this.#counts.get(signal) }
  }

  /** The number of requests of all verbs. */
  count(signal: AbortSignal): number {
    return Object.values(this.of(signal)).reduce((sum, count) => sum + count, 0)
  }

  #counted<Options extends { readonly signal?: AbortSignal | undefined }>(
    verb: string,
    options: Options | undefined,
  ): Options {
    const signal = options?.signal
    if (signal) {
      const counts = this.#counts.get(signal) ?? {}
      counts[verb] = (counts[verb] ?? 0) + 1
      this.#counts.set(signal, counts)
    }
    return options as Options
  }
}
