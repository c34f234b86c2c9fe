import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../../core/kube/api-error.ts'
import { badRequest, quote } from '../api-status.ts'
import { checkSubdomain } from '../write/names.ts'
import type { Attributes, ResourceAttributes } from './attributes.ts'
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
const AUTHENTICATION = 'authentication.k8s.io'

interface Impersonation {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid: string
  readonly extra: { readonly [key: string]: readonly string[] }
}

/** A way to impersonate a user: first the narrow ones, which are allowed for single verbs, then the old one for all. */
interface Mode {
  readonly name: string
  applies(wanted: Impersonation): boolean
}

const MODES: readonly Mode[] = [
  { name: 'arbitrary-node', applies: (wanted) => isNameAlone(wanted) && nodeOf(wanted.name) !== undefined },
  {
    name: 'serviceaccount',
    applies: (wanted) => isNameAlone(wanted) && parseServiceAccount(wanted.name) !== undefined,
  },
  { name: 'user-info', applies: ({ name }) => nodeOf(name) === undefined && parseServiceAccount(name) === undefined },
]

/**
 * The user that a request is made as: who `Impersonate-…` headers name, when `user` may be them for what they ask.
 *
 * @throws ApiError 400, 403
 */
export function impersonated(
  user: User,
  headers: Headers,
  { authorizer, attributes }: { readonly authorizer: Authorizer; readonly attributes: Attributes },
): User {
  const wanted = parseHeaders(headers)
  if (!wanted) return user
  let refusal: ApiError | undefined
  for (const mode of attemptsOf(wanted, lastModes(authorizer).get(user.name))) {
    try {
      checkMode(mode, wanted, (each) => authorize(authorizer, user, each), attributes)
      remember(lastModes(authorizer), user.name, mode)
      return toUser(wanted, mode)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** The way that succeeded the last time comes first: the client sees its refusal. */
function attemptsOf(wanted: Impersonation, last: string | undefined): readonly string[] {
  const modes = [...MODES.filter((mode) => mode.applies(wanted)).map(({ name }) => name), LEGACY]
  return last !== undefined && modes.includes(last) ? [last, ...modes.filter((mode) => mode !== last)] : modes
}

/** By the name of the caller; each server has its own. */
const memory = new WeakMap<Authorizer, Map<string, string>>()
const CAPACITY = 1000
const LEGACY = ''

function lastModes(authorizer: Authorizer): Map<string, string> {
  const known = memory.get(authorizer) ?? new Map<string, string>()
  memory.set(authorizer, known)
  return known
}

function remember(modes: Map<string, string>, caller: string, mode: string): void {
  if (modes.size === CAPACITY) modes.clear()
  modes.set(caller, mode)
}

function checkMode(
  mode: string,
  wanted: Impersonation,
  check: (attributes: Attributes) => void,
  request: Attributes,
): void {
  if (mode !== '') check({ ...request, verb: `impersonate-on:${mode}:${request.verb}` })
  const verb = mode === '' ? 'impersonate' : `impersonate:${mode}`
  for (const resource of thingsToBe(wanted, mode)) check({ verb, path: '', resource })
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
  if (groups.length === 0 && uid === '' && Object.keys(extra).length === 0) return undefined
  throw badRequest(`requested ${goUser(wanted)} without impersonating a user name`)
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** Go prints its struct. */
function goUser({ name, uid, groups, extra }: Impersonation): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`
  const keys = Object.entries(extra).map(([key, values]) => `${quote(key)}:${list(values)}`)
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups)
  const shownExtra = keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${keys.join(', ')}}`
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`
}

/** What the caller needs the verb for. */
function* thingsToBe({ name, groups, extra, uid }: Impersonation, mode: string): Iterable<ResourceAttributes> {
  const none = { group: mode === '' ? '' : AUTHENTICATION, namespace: '', subresource: '' }
  const account = parseServiceAccount(name)
  const node = mode === '' ? undefined : nodeOf(name)
  if (account) yield { ...none, ...account, plural: 'serviceaccounts' }
  else yield { ...none, plural: node ? 'nodes' : 'users', name: node ?? name }
  const authentication = { ...none, group: AUTHENTICATION }
  if (uid !== '') yield { ...authentication, plural: 'uids', name: uid }
  for (const group of groups) yield { ...none, plural: 'groups', name: group }
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) yield { ...authentication, plural: 'userextras', subresource: key, name: value }
  }
}

function isNameAlone({ groups, uid, extra }: Impersonation): boolean {
  return groups.length === 0 && uid === '' && Object.keys(extra).length === 0
}

function nodeOf(name: string): string | undefined {
  const [, node = ''] = /^system:node:(.+)$/.exec(name) ?? []
  return node === '' || checkSubdomain(node).length > 0 ? undefined : node
}

function toUser({ name, groups, uid, extra }: Impersonation, mode: string): User {
  return {
    name,
    groups: withStanding(groupsOf(name, groups, mode), name === ANONYMOUS.name),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}

function groupsOf(name: string, given: readonly string[], mode: string): readonly string[] {
  if (mode === 'arbitrary-node') return ['system:nodes']
  const account = parseServiceAccount(name)
  return account && given.length === 0 ? serviceAccountGroups(account.namespace) : given
}

/** Everybody is either known or unknown. */
function withStanding(groups: readonly string[], isAnonymous: boolean): readonly string[] {
  if (groups.includes(UNAUTHENTICATED)) return groups
  if (isAnonymous) return [...groups, UNAUTHENTICATED]
  return groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED]
}
