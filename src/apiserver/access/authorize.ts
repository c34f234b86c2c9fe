import { forbidden, quote, statusError } from '../api-status.ts'
import type { User } from './tokens.ts'

export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Paths that need no token. */
const PUBLIC = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/'])

export interface Attempt {
  readonly verb: string
  readonly path: string
  /** Absent for what is no resource. */
  readonly resource?:
    | {
        readonly group: string
        readonly plural: string
        readonly namespace: string | undefined
        readonly name: string
        readonly subresource: string
      }
    | undefined
}

/**
 * Everybody with a token may do everything; without one, almost nothing.
 *
 * @throws ApiError 403
 */
export function authorize(user: User, { verb, path, resource }: Attempt): void {
  if (user !== ANONYMOUS || PUBLIC.has(path)) return
  const who = `User ${quote(user.name)} cannot ${verb}`
  if (!resource) {
    throw statusError(403, 'Forbidden', `forbidden: ${who} path ${quote(path)}`, { details: {} })
  }
  const { group, plural, namespace, name, subresource } = resource
  const what = subresource === '' ? plural : `${plural}/${subresource}`
  const where = namespace ? `in the namespace ${quote(namespace)}` : 'at the cluster scope'
  throw forbidden({ group, plural }, name, `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`)
}
