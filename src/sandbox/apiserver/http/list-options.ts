import { badRequest, invalid, quote, type StatusCause } from '../api-status.ts'
import type { ServedResource } from '../served-resource.ts'
import { type ListPage, type ListQuery, listObjects } from '../store/list-objects.ts'
import type { ObjectStore } from '../store/object-store.ts'
import { parseSelection, type Selection } from '../store/selection.ts'
import type { ResourceRequest } from './resource-request.ts'

/** `metav1.ListOptions` of a query, checked. */
export interface ListOptions {
  readonly watch: boolean
  readonly selection: Selection
  readonly limit: number
  readonly continueToken: string
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly allowWatchBookmarks: boolean
  readonly sendInitialEvents: boolean | undefined
  readonly timeoutSeconds: number | undefined
}

/** @throws ApiError 400 or 422 */
export function parseListOptions(resource: ServedResource, query: URLSearchParams): ListOptions {
  const text = (key: string): string => query.get(key) ?? ''
  const options: ListOptions = {
    watch: parseBoolean(query, 'watch') ?? false,
    selection: parseSelection(resource, text('labelSelector'), text('fieldSelector')),
    limit: Math.max(0, parseInteger(query, 'limit') ?? 0),
    continueToken: text('continue'),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    allowWatchBookmarks: parseBoolean(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: parseBoolean(query, 'sendInitialEvents'),
    timeoutSeconds: parseInteger(query, 'timeoutSeconds'),
  }
  const defaulted = options.watch ? withInitialEvents(options) : options
  const causes = options.watch ? checkWatch(defaulted) : checkList(options)
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes)
  return defaulted
}

/** A watch from no version in particular starts with what exists, as it did before one could ask for that. */
function withInitialEvents(options: ListOptions): ListOptions {
  const { sendInitialEvents, resourceVersionMatch, resourceVersion } = options
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '') return options
  if (resourceVersion !== '' && resourceVersion !== '0') return options
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
}

function checkList(options: ListOptions): readonly StatusCause[] {
  const { resourceVersionMatch: match, resourceVersion, continueToken, sendInitialEvents } = options
  const causes: StatusCause[] = []
  if (match !== '') {
    if (resourceVersion === '') causes.push(forbid(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`))
    if (continueToken !== '') causes.push(forbid(MATCH, `${MATCH} is forbidden when continue is provided`))
    if (match !== 'Exact' && match !== 'NotOlderThan')
      causes.push(unsupported(match, ['"Exact"', '"NotOlderThan"', '""']))
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(forbid(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`))
    }
  }
  if (sendInitialEvents !== undefined) causes.push(forbid(INITIAL, `${INITIAL} is forbidden for list`))
  return causes
}

function checkWatch(options: ListOptions): readonly StatusCause[] {
  const { resourceVersionMatch: match, continueToken, sendInitialEvents } = options
  const causes: StatusCause[] = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    causes.push(forbid(MATCH, `${INITIAL} requires setting ${MATCH} to NotOlderThan`))
  }
  if (match !== '' && sendInitialEvents === undefined) {
    causes.push(forbid(MATCH, `${MATCH} is forbidden for watch unless ${INITIAL} is provided`))
  }
  if (match !== '' && match !== 'NotOlderThan') causes.push(unsupported(match, ['"NotOlderThan"']))
  if (continueToken !== '') causes.push(forbid(MATCH, `${MATCH} is forbidden when continue is provided`))
  return causes
}

const MATCH = 'resourceVersionMatch'
const INITIAL = 'sendInitialEvents'

function forbid(field: string, text: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${text}`, field }
}

function unsupported(value: string, supported: readonly string[]): StatusCause {
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.join(', ')}`
  return { reason: 'FieldValueNotSupported', message, field: MATCH }
}

/** As the real server reads it: all but `false` and `0` is true. */
export function parseBoolean(query: URLSearchParams, key: string): boolean | undefined {
  const text = query.get(key)
  if (text === null) return undefined
  return text !== '0' && text.toLowerCase() !== 'false'
}

/** @throws ApiError 400 */
export function parseInteger(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key)
  if (text === null) return undefined
  const isNumber = /^[+-]?\d+$/.test(text)
  if (isNumber && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', '')))
    return Number(text)
  throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`)
}

/** @throws ApiError 400 or 410 */
export function listPage(store: ObjectStore, { resource, path }: ResourceRequest, options: ListOptions): ListPage {
  const { continueToken, resourceVersion } = options
  const page = listObjects(store, listQuery(resource, path.namespace, options))
  if (continueToken === '' || resourceVersion === '' || resourceVersion === '0') return page
  throw badRequest('specifying resource version is not allowed when using continue')
}

/** A version of "0" is answered at once from memory by the real server, which then does not make pages. */
function listQuery(resource: ServedResource, namespace: string | undefined, options: ListOptions): ListQuery {
  const { limit, continueToken, resourceVersion, resourceVersionMatch, selection } = options
  const isOfOne = selection.name !== undefined && (namespace !== undefined || !resource.namespaced)
  return {
    table: resource.table,
    namespace,
    matches: selection.matches,
    limit: resourceVersion === '0' || isOfOne ? 0 : limit,
    continueToken,
    resourceVersion,
    exact: resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && continueToken === ''),
  }
}
