import type { RequestEntry } from '../../src/sandbox/apiserver/http/request-handler.ts'

/** Requests of the contestants, by what they are for. */
export type RequestCounts = Readonly<Record<string, number>>

/** What a request is counted as; `undefined` if it is one of the bench itself. */
export function countOf({ method, path, userAgent }: Pick<RequestEntry, 'method' | 'path' | 'userAgent'>) {
  if (!userAgent.startsWith('rolebook/')) return undefined
  const isRead = method === 'GET'
  if (path.includes('/leases')) return isRead ? 'reads of Leases' : 'writes of Leases'
  if (/\/events\b/.test(path)) return 'Events'
  if (!/\/(configmaps|secrets|serviceaccounts|widgets)\b/.test(path)) return 'others'
  return isRead ? 'reads' : 'writes'
}
