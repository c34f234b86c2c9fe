import type { ApiRequest } from './api-request.ts'
import { pageNotFound, type Reply, textReply } from './reply.ts'

const EVERYWHERE = ['ping', 'log', 'etcd']

/** What can be asked for at each of the addresses. Who gets an answer gets this one: all is well. */
const CHECKS = {
  healthz: EVERYWHERE,
  livez: EVERYWHERE,
  readyz: [...EVERYWHERE, 'etcd-readiness', 'informer-sync', 'shutdown'],
}

export type HealthPath = keyof typeof CHECKS

export function isHealthPath(root: string): root is HealthPath {
  return Object.hasOwn(CHECKS, root)
}

/** `/readyz`, `/readyz/<check>`; `?verbose` names the checks, `?exclude=<check>` leaves one out. */
export function healthReply(root: HealthPath, { segments, query }: ApiRequest): Reply {
  const check = segments.slice(1).join('/')
  if (segments.length > 1) return CHECKS[root].includes(check) ? textReply('ok') : pageNotFound()
  if (!query.has('verbose')) return textReply('ok')
  const excluded = new Set(query.getAll('exclude'))
  const lines = CHECKS[root].map((name) => `[+]${name} ${excluded.delete(name) ? 'excluded: ok' : 'ok'}\n`)
  const unknown = [...excluded].map((name) => `"${name}"`).join(',')
  const warning = unknown === '' ? '' : `warn: some health checks cannot be excluded: no matches for ${unknown}\n`
  return textReply(`${lines.join('')}${warning}${root} check passed\n`)
}
