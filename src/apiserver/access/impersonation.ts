import type { IncomingMessage } from 'node:http'
import { badRequest } from '../api-status.ts'
import type { ResourceAttributes } from './attributes.ts'
import { authorize } from './authorize.ts'
import type { Authorizer } from './authorizer.ts'
import {
  ANONYMOUS,
  AUTHENTICATED,
  parseServiceAccount,
  serviceAccountGroups,
  UNAUTHENTICATED,
  type User,
} from './user.ts'

type Headers = IncomingMessage['headersDistinct']

const EXTRA_PREFIX = 'impersonate-extra-'

/**
 * The user that a request is made as: who `Impersonate-…` headers name, when `user` may be them.
 *
 * @throws ApiError 400, 403
 */
export function impersonated(user: User, headers: Headers, authorizer: Authorizer): User {
  const wanted = parseHeaders(headers)
  if (!wanted) return user
  for (const resource of thingsToBe(wanted)) authorize(authorizer, user, { verb: 'impersonate', path: '', resource })
  return toUser(wanted)
}

interface Impersonation {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid: string
  readonly extra: { readonly [key: string]: readonly string[] }
}

function parseHeaders(headers: Headers): Impersonation | undefined {
  const [name = ''] = headers['impersonate-user'] ?? []
  const [uid = ''] = headers['impersonate-uid'] ?? []
  const groups = headers['impersonate-group'] ?? []
  const extra: Record<string, readonly string[]> = Object.create(null)
  for (const [header, values = []] of Object.entries(headers)) {
    if (header.startsWith(EXTRA_PREFIX)) extra[decodeKey(header.slice(EXTRA_PREFIX.length))] = values
  }
  const wanted = { name, groups, uid, extra }
  if (name !== '') return wanted
  const things = [...thingsToBe(wanted)].slice(1)
  if (things.length === 0) return undefined
  throw badRequest(`requested [${things.map(goReference).join(' ')}] without impersonating a user`)
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** Go prints its struct: kind, namespace, name, uid, version, resourceVersion and path. */
function goReference({ plural, name, subresource }: ResourceAttributes): string {
  const versioned = plural === 'groups' ? '' : 'authentication.k8s.io/v1'
  const kind = { groups: 'Group', userextras: 'UserExtra', uids: 'UID' }[plural] ?? ''
  return `{${kind}  ${name}  ${versioned}  ${subresource}}`
}

/** What the caller needs the verb `impersonate` for. */
function* thingsToBe({ name, groups, extra, uid }: Impersonation): Iterable<ResourceAttributes> {
  const none = { group: '', namespace: '', subresource: '' }
  const account = parseServiceAccount(name)
  if (account) yield { ...none, ...account, plural: 'serviceaccounts' }
  else yield { ...none, plural: 'users', name }
  for (const group of groups) yield { ...none, plural: 'groups', name: group }
  const authentication = { ...none, group: 'authentication.k8s.io' }
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) yield { ...authentication, plural: 'userextras', subresource: key, name: value }
  }
  if (uid !== '') yield { ...authentication, plural: 'uids', name: uid }
}

function toUser({ name, groups, uid, extra }: Impersonation): User {
  const account = parseServiceAccount(name)
  const given = account && groups.length === 0 ? serviceAccountGroups(account.namespace) : groups
  return {
    name,
    groups: withStanding(given, name === ANONYMOUS.name),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}

/** Everybody is either known or unknown. */
function withStanding(groups: readonly string[], isAnonymous: boolean): readonly string[] {
  if (groups.includes(UNAUTHENTICATED)) return groups
  if (isAnonymous) return [...groups, UNAUTHENTICATED]
  return groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED]
}
