import type { Corpus } from '../corpus.ts'
import { collectionPath, type FuzzRequest, NAMES, NAMESPACES } from '../fuzz-request.ts'
import { junkText } from '../junk.ts'
import type { Random } from '../random.ts'
import { JSON_TYPE, junkBody } from './objects.ts'
import { ACCEPTS, encode, junkQuery } from './queries.ts'

const SEGMENTS = [
  ...[
    'api',
    'apis',
    'v1',
    'apps',
    'namespaces',
    'default',
    'pods',
    'configmaps',
    'a',
    'status',
    'scale',
    'log',
    'watch',
  ],
  ...['', '.', '..', '%2e%2e', '%2f', '%00', '%', '%zz', '%ff', '%c0%af', 'openapi', 'v2', 'v3', 'version', 'readyz'],
  ...['__proto__', 'constructor', 'toString', 'a;b', 'a?b', 'A'.repeat(500), 'metrics', 'debug', 'binding', 'token'],
] as const

/** Paths that lead nowhere, in encodings that mean something else. */
export function pathRequest(random: Random): FuzzRequest {
  const segments = random.several(9, () => (random.chance(0.95) ? random.pick(SEGMENTS) : encode(junkText(random))))
  const start = random.pick([
    '/',
    '/',
    '/',
    '/api/v1/',
    '/apis/',
    '//',
    'http://127.0.0.1/',
    '/api/v1/namespaces/default/',
  ])
  const method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'])
  const body = method === 'GET' || method === 'HEAD' ? undefined : junkBody(random)
  const query = random.chance(0.5) ? junkQuery(random) : ''
  return { topic: 'paths', method, path: start + segments.join('/') + query, headers: JSON_TYPE, body }
}

const HEADERS = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Content-Type',
    'Content-Encoding',
    'Authorization',
    'User-Agent',
    'Impersonate-User',
  ],
  ...['Impersonate-Group', 'Impersonate-Extra-x', 'If-Match', 'Range', 'Origin', 'Cookie', 'Upgrade', 'Connection'],
  ...['X-Remote-User', 'Expect', 'Host', '__proto__', 'Kubectl-Command'],
] as const

const HEADER_VALUES = [
  ...['', ' ', 'a', 'Bearer', 'Bearer x', 'Bearer a.b.c', 'Bearer eyJhbGciOiJIUzI1NiJ9.bnVsbA.x', 'Basic YTpi', 'gzip'],
  ...['identity', 'close', 'keep-alive', 'chunked', 'bytes=0-10', 'websocket', 'system:masters', 'A'.repeat(4000)],
  ...[
    'application/json; charset=utf-16',
    'application/json;;',
    'APPLICATION/JSON',
    'application/vnd.kubernetes.protobuf',
  ],
  ...['100-continue', 'x'.repeat(20_000), '\u00ff\u00fe', '../../etc/passwd', '${jndi:x}', '*/*'],
] as const

/** Headers that no client sends, on requests that would otherwise do. */
export function headerRequest(random: Random, corpus: Corpus): FuzzRequest {
  const target = random.pick(corpus.targets)
  const path = `${collectionPath(target, random.pick(NAMESPACES))}/${random.pick(NAMES)}`
  const method = random.pick(['GET', 'GET', 'PUT', 'PATCH', 'POST'])
  const headers = random.several(4, () => {
    const values = random.chance(0.3) ? ACCEPTS : HEADER_VALUES
    return [random.pick(HEADERS), random.pick<string>(values)] as const
  })
  return { topic: 'headers', method, path, headers, body: method === 'GET' ? undefined : junkBody(random) }
}

/** What Go clients send, with bytes changed, lost and added. */
export function protobufRequest(random: Random, corpus: Corpus): FuzzRequest {
  const { target, bytes } = random.pick(corpus.protobufs)
  const changed = Buffer.from(bytes)
  for (const _ of random.several(6, () => 0)) changed[random.below(changed.length)] = random.below(256)
  const cut = random.chance(0.3) ? changed.subarray(0, random.below(changed.length)) : changed
  const body = random.chance(0.1) ? Buffer.concat([cut, cut]) : cut
  const path = collectionPath(target, random.pick(NAMESPACES)) + (random.chance(0.2) ? junkQuery(random) : '')
  const headers = [['Content-Type', 'application/vnd.kubernetes.protobuf']] as const
  const isNamed = random.chance(0.3)
  const named = isNamed ? `/${random.pick(NAMES)}` : ''
  return { topic: 'protobuf', method: isNamed ? 'PUT' : 'POST', path: path.replace(/(?=\?|$)/, named), headers, body }
}
