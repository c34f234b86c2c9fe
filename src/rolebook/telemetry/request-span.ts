import type { Attributes } from '@opentelemetry/api'
import { explain } from '../../core/base/coded-error.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import type { ExchangeEnd, SentRequest } from '../../core/kube-client/transport.ts'
import type { SpanEnd } from './run-record.ts'

/** What the semantic conventions for HTTP clients say of a request: no header, no body, and of its query only what cannot be secret. */
export function requestAttributes({ method, url }: SentRequest): Attributes & { readonly 'url.template': string } {
  const { hostname, port, protocol, pathname } = new URL(url)
  return {
    'http.request.method': method,
    'url.full': withoutValues(url),
    'url.template': templateOf(pathname),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
  }
}

/** An object that is not there is an answer, not an error. What the server says about an error stands in the body, so it is left out. */
export function requestEnd(end: ExchangeEnd, { method }: Pick<SentRequest, 'method'>): SpanEnd {
  if ('error' in end) {
    const type =
      end.error instanceof ApiError ? end.error.reason : end.error instanceof Error ? end.error.name : 'unknown'
    return { attributes: { 'error.type': type }, error: explain(end.error) }
  }
  const { httpStatus } = end
  const answered = { 'http.response.status_code': httpStatus }
  if (httpStatus < 400 || (httpStatus === 404 && method === 'GET')) return { attributes: answered }
  return {
    attributes: { ...answered, 'error.type': String(httpStatus) },
    error: `the API server answered ${httpStatus}`,
  }
}

/** Parameters whose values are words of the API or ours. Selectors hold values of a role, tokens those of the server. */
const SAFE: ReadonlySet<string> = new Set([
  ...['dryRun', 'fieldManager', 'fieldValidation', 'force', 'limit', 'propagationPolicy', 'resourceVersionMatch'],
])

function withoutValues(url: string): string {
  const cut = new URL(url)
  cut.username = ''
  cut.password = ''
  for (const name of new Set(cut.searchParams.keys())) if (!SAFE.has(name)) cut.searchParams.set(name, 'REDACTED')
  return cut.href
}

/** `/api/v1/namespaces/{namespace}/configmaps/{name}`. Other paths than those of objects stay as they are. */
function templateOf(path: string): string {
  const [, root = '', rest = ''] = /^(.*?\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+))(?:\/(.+))?$/.exec(path) ?? []
  if (rest === '') return path
  const parts = rest.split('/')
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2
  const prefix = isNamespaced ? `${root}/namespaces/{namespace}` : root
  const [plural, name, ...subresource] = isNamespaced ? parts.slice(2) : parts
  return [prefix, plural, ...(name === undefined ? [] : ['{name}']), ...subresource].join('/')
}
