import type { ApiError } from '../../../core/kube/api-error.ts'
import { formatKey } from '../../../core/kube/object.ts'
import { badRequest, expired, quote, statusError } from '../api-status.ts'
import { type ContinueToken, decodeContinueToken, encodeContinueToken } from './continue-token.ts'
import type { ObjectStore } from './object-store.ts'
import { compareKeys, type ResourceTable } from './resource-table.ts'
import type { StoredObject } from './stored-object.ts'

export interface ListQuery {
  readonly table: string
  /** `undefined`: all namespaces. */
  readonly namespace: string | undefined
  /** Absent: all objects. */
  readonly matches?: ((stored: StoredObject) => boolean) | undefined
  /** 0: no pages. */
  readonly limit: number
  readonly continueToken: string
  /** Empty: the newest state. */
  readonly resourceVersion: string
  readonly exact: boolean
}

export interface ListPage {
  readonly items: readonly StoredObject[]
  readonly revision: number
  readonly continueToken?: string | undefined
  /** Only known without selectors. */
  readonly remaining?: number | undefined
}

/**
 * One page of a list; all pages of a list show the state of one revision.
 *
 * @throws ApiError 410 when that state is forgotten, 504 when it lies in the future
 */
export function listObjects(store: ObjectStore, query: ListQuery): ListPage {
  const token = query.continueToken === '' ? undefined : decodeContinueToken(query.continueToken)
  const revision = revisionToShow(store, query, token)
  const table = store.table(query.table)
  const all = objectsAt(table, {
    revision,
    namespace: query.namespace,
    isNow: revision === store.revision,
    limit: query.limit,
  })
  if (all === undefined) throw tooOld(token)
  return cutPage({ all, first: token ? firstFrom(all, token.start, query) : 0, revision }, query)
}

function revisionToShow(store: ObjectStore, query: ListQuery, token: ContinueToken | undefined): number {
  if (token && token.revision < 0) return store.revision
  const wanted = token?.revision ?? parseRevision(query.resourceVersion)
  if (wanted > store.revision) throw tooLarge(wanted, store.revision)
  return token || (query.exact && wanted > 0) ? wanted : store.revision
}

/** @throws ApiError 400 */
function parseRevision(text: string): number {
  const problem = revisionProblem(text)
  if (problem === undefined) return Number(text)
  throw badRequest(`invalid resource version: ${problem}`)
}

/** What is wrong with a resourceVersion of a query; empty ones are fine. */
export function revisionProblem(text: string): string | undefined {
  const isNumber = /^\d*$/.test(text)
  if (isNumber && BigInt(text) < 2n ** 64n) return undefined
  const cause = `strconv.ParseUint: parsing ${quote(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`
  return `resourceVersion: Invalid value: ${quote(text)}: ${cause}`
}

/** A revision that this server has not reached: after a restart, or from another server. */
export function tooLarge(wanted: number, current: number): ApiError {
  const message = `Too large resource version: ${wanted}, current: ${current}`
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  return statusError(504, 'Timeout', `Timeout: ${message}`, { details: { causes }, retryAfterSeconds: 1 })
}

function tooOld(token: ContinueToken | undefined): Error {
  if (!token) return expired('The resourceVersion for the provided list is too old.')
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
    'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
    'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
    'deleted between the time the first chunk was returned and now may show up in the list.'
  const metadata = { continue: encodeContinueToken({ revision: -1, start: token.start }) }
  return statusError(410, 'Expired', message, { metadata })
}

interface Moment {
  readonly revision: number
  readonly namespace: string | undefined
  readonly isNow: boolean
  readonly limit: number
}

/** The objects of a table as of a revision, in the order of their keys. Undefined: that state is forgotten. */
function objectsAt(table: ResourceTable, moment: Moment): readonly StoredObject[] | undefined {
  const { revision, namespace, isNow, limit } = moment
  const { history, pagedStates } = table
  if (!isNow && revision < history.floor) return undefined
  const position = isNow ? history.end : history.after(revision)
  const kept = pagedStates.find(position, namespace)
  if (kept) return kept
  const objects = objectsAfter(table, position, namespace)
  const hasPages = limit > 0 && limit < objects.length
  if (hasPages) pagedStates.keep({ position, namespace, objects })
  return objects
}

/** The newest state with all changes from a position on taken back. */
function objectsAfter(table: ResourceTable, start: number, namespace: string | undefined): StoredObject[] {
  const { history } = table
  if (start === history.end) return table.list(namespace)
  const states = new Map(table.list(namespace).map((stored) => [formatKey(stored), stored]))
  for (let position = history.end - 1; position >= start; position--) {
    const event = history.at(position)
    if (!event || (namespace !== undefined && event.current.namespace !== namespace)) continue
    if (event.previous) states.set(formatKey(event.previous), event.previous)
    else states.delete(formatKey(event.current))
  }
  return [...states].sort(([left], [right]) => compareKeys(left, right)).map(([, stored]) => stored)
}

/** What a continue token knows an object by. */
function keyOf(stored: StoredObject, { namespace }: ListQuery): string {
  return namespace === undefined ? formatKey(stored) : stored.name
}

function firstFrom(objects: readonly StoredObject[], start: string, query: ListQuery): number {
  const key = start.replace(/^\//, '')
  let low = 0
  let high = objects.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const stored = objects[middle]
    if (stored && compareKeys(keyOf(stored, query), key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

interface Cut {
  readonly all: readonly StoredObject[]
  /** Where the page begins. */
  readonly first: number
  readonly revision: number
}

/** A page ends with the last object that it has room for, whether or not what comes behind would be selected. */
function cutPage({ all, first, revision }: Cut, query: ListQuery): ListPage {
  const { limit, matches } = query
  if (limit === 0) return { items: matches ? all.slice(first).filter(matches) : all.slice(first), revision }
  const items: StoredObject[] = []
  for (let index = first; index < all.length; index++) {
    const stored = all[index] as StoredObject
    if (matches && !matches(stored)) continue
    items.push(stored)
    const left = all.length - index - 1
    if (items.length < limit || left === 0) continue
    const continueToken = encodeContinueToken({ revision, start: `${keyOf(stored, query)}\u0000` })
    return { items, revision, continueToken, ...(!matches && { remaining: left }) }
  }
  return { items, revision }
}
