import { ApiError } from '../kube/api-error.ts'
import { formatGvk } from '../kube/group-version-kind.ts'
import type { ResourceMapping } from '../kube/resource-mapper.ts'

export type Query = { readonly [name: string]: string | number | boolean | undefined }

/** `/apis/apps/v1/namespaces/default/deployments`: all objects of a kind, in one namespace or in all. */
export function collectionPath(mapping: ResourceMapping, namespace: string | undefined): string {
  const { gvk, plural, namespaced } = mapping
  const root = gvk.group === '' ? `/api/${segment(gvk.version)}` : `/apis/${segment(gvk.group)}/${segment(gvk.version)}`
  if (!namespace) return `${root}/${segment(plural)}`
  if (!namespaced) throw unaddressable(mapping, `it is cluster-scoped, and the namespace "${namespace}" is given`)
  return `${root}/namespaces/${segment(namespace)}/${segment(plural)}`
}

export interface ObjectAddress {
  readonly namespace: string
  readonly name: string
  readonly subresource?: string | undefined
}

/** The path of one object. What is no single path segment is refused before any request. */
export function objectPath(mapping: ResourceMapping, { namespace, name, subresource }: ObjectAddress): string {
  if (mapping.namespaced && namespace === '') throw unaddressable(mapping, `no namespace is given for "${name}"`)
  const path = `${collectionPath(mapping, namespace)}/${segment(name)}`
  return subresource === undefined ? path : `${path}/${segment(subresource)}`
}

/** `path?name=value&…`, without what is undefined or empty. */
export function withQuery(path: string, query: Query): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parts.push(`${name}=${encodeURIComponent(value)}`)
  }
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}

/** As the API server checks segments (`IsValidPathSegmentName`): nothing that a proxy on the way could read as more than one. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%\\?#]|\p{Cc}/u.test(text)) {
    throw new ApiError(
      400,
      'BadRequest',
      `cannot address an object: ${JSON.stringify(text)} is not a segment of a path`,
    )
  }
  return encodeURIComponent(text)
}

function unaddressable({ gvk }: ResourceMapping, cause: string): ApiError {
  return new ApiError(400, 'BadRequest', `cannot address ${formatGvk(gvk)}: ${cause}`)
}
