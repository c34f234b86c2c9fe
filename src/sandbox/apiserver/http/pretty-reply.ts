import type { ApiRequest } from './api-request.ts'
import type { Reply } from './reply.ts'

/** The same answer on many lines, for people who read it in a terminal or a browser. */
export function inPretty(reply: Reply, request: PrettyRequest): Reply {
  if (!('body' in reply) || !reply.contentType.startsWith('application/json')) return reply
  if (!ALWAYS.has(request.path) && !wantsPretty(request)) return reply
  return { ...reply, body: JSON.stringify(JSON.parse(String(reply.body)), null, 2) }
}

export type PrettyRequest = Pick<ApiRequest, 'headers' | 'path' | 'query'>

/** What the real server writes without its serializers. */
const ALWAYS: ReadonlySet<string> = new Set(['/', '/version'])
/** Its OpenAPI documents are as they are. */
const NEVER = /^\/openapi(\/|$)/
const READERS = /^(curl|Wget|Mozilla\/5\.0)/
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** A form that was asked for counts most, then the query, then the program that asks. */
function wantsPretty({ headers, path, query }: PrettyRequest): boolean {
  if (NEVER.test(path)) return false
  if (/;\s*pretty=1\s*(?:[;,]|$)/.test(headers.accept ?? '')) return true
  const asked = query.get('pretty')
  return asked ? TRUE.has(asked) : READERS.test(headers['user-agent'] ?? '')
}
