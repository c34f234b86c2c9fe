import { NAMESPACE_SUBRESOURCES } from '../http/api-path.ts'
import { checkPathSegment } from '../write/names.ts'

/** What is to be allowed or refused. */
export interface Attributes {
  readonly verb: string
  /** Of a request that is about no resource: its path. */
  readonly path: string
  /** Absent for what is no resource. */
  readonly resource?: ResourceAttributes | undefined
}

export interface ResourceAttributes {
  readonly group: string
  readonly plural: string
  /** Empty: all of them, or a cluster-scoped resource. */
  readonly namespace: string
  /** Empty for collections. */
  readonly name: string
  readonly subresource: string
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

const SPECIAL_VERBS = new Set(['proxy', 'watch'])

interface Target {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}

/** What a request wants, by its path alone: whether there is such a resource does not matter. */
export function attributesOf({ method, path, query }: Target): Attributes {
  // Decoded before it is cut, as for the router: both must understand it alike.
  const [root, ...rest] = decode(path)
    .split('/')
    .filter((part, index, all) => part !== '' || isInner(index, all))
  const plain = { verb: method.toLowerCase(), path }
  const depth = root === 'api' ? 2 : root === 'apis' ? 3 : Number.POSITIVE_INFINITY
  if (rest.length < depth) return plain
  const [first = ''] = rest
  const group = root === 'api' ? '' : first
  const parts = rest.slice(depth - 1)
  const [start = ''] = parts
  const special = SPECIAL_VERBS.has(start) && parts.length > 1
  const verb = special ? start : (VERBS[method] ?? '')
  return { path, ...resourceOf(group, special ? parts.slice(1) : parts, { verb, query }) }
}

/** Slashes at both ends do not count. */
function isInner(index: number, all: readonly string[]): boolean {
  return all.slice(0, index).some((part) => part !== '') && all.slice(index + 1).some((part) => part !== '')
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function resourceOf(
  group: string,
  parts: readonly string[],
  { verb, query }: { readonly verb: string; readonly query: URLSearchParams },
): Pick<Attributes, 'verb' | 'resource'> {
  const [first, second = '', third = ''] = parts
  const namespace = first === 'namespaces' ? second : ''
  const isInNamespace = first === 'namespaces' && third !== '' && !NAMESPACE_SUBRESOURCES.has(third)
  const [plural = '', name = '', subresource = ''] = isInNamespace ? parts.slice(2) : parts
  const resource = { group, plural, namespace, name, subresource }
  if (name === '' && verb === 'delete') return { verb: 'deletecollection', resource }
  if (name !== '' || verb !== 'get') return { verb, resource }
  return { verb: isWatch(query) ? 'watch' : 'list', resource: { ...resource, name: selectedName(query) } }
}

function isWatch(query: URLSearchParams): boolean {
  const value = query.get('watch')
  return value !== null && !['false', '0'].includes(value.toLowerCase())
}

/** A list of the one object that a selector names counts as a request for it. */
function selectedName(query: URLSearchParams): string {
  const terms = (query.get('fieldSelector') ?? '').split(',')
  const [, name = ''] = terms.map((term) => /^metadata\.name==?([^=].*)$/.exec(term)).find((match) => match) ?? []
  return name === '' || checkPathSegment(name).length > 0 ? '' : name
}
