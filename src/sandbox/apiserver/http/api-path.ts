/** What a path under `/api` or `/apis` means. */
export interface ApiPath {
  readonly group: string
  readonly version: string
  /** `undefined`: no namespace in the path, hence all of them or a cluster-scoped resource. */
  readonly namespace: string | undefined
  readonly plural: string
  /** Empty for the collection. */
  readonly name: string
  readonly subresource: string
  /** The old form of a watch: `/api/v1/watch/…`. */
  readonly isWatch?: true
}

/** Subresources of namespaces, which look like resources in one. */
export const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

/** Segments of a path, without the leading slash, to a resource; `undefined` when it is none. */
export function parseApiPath(segments: readonly string[]): ApiPath | undefined {
  const [root, first = '', second = ''] = segments
  if (root === 'api') return parseResource({ group: '', version: first }, segments.slice(2))
  if (root === 'apis') return parseResource({ group: first, version: second }, segments.slice(3))
  return undefined
}

function parseResource(
  at: { readonly group: string; readonly version: string },
  segments: readonly string[],
): ApiPath | undefined {
  const [first, second, third] = segments
  if (first === undefined || first === '') return undefined
  if (first === 'watch' && second !== undefined) {
    const path = parseResource(at, segments.slice(1))
    return path && path.subresource === '' ? { ...path, isWatch: true } : undefined
  }
  const isInNamespace = first === 'namespaces' && third && !NAMESPACE_SUBRESOURCES.has(third)
  // A namespace of no name means all of them.
  const [namespace, [plural, name = '', ...subresource]] = isInNamespace
    ? [second || undefined, segments.slice(2)]
    : [undefined, segments]
  if (!plural || segments.includes('', isInNamespace ? 2 : 1)) return undefined
  return { ...at, namespace, plural, name, subresource: subresource.join('/') }
}
