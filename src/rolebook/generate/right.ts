/** One thing that may be asked of an API server, as its authorizers see it. */
export interface Right {
  readonly verb: string
  /** Empty for the core group. */
  readonly group: string
  /** With its subresource: `memcacheds/status`. */
  readonly resource: string
  /** Absent: of any name. */
  readonly name?: string | undefined
  /** Absent: in all namespaces, and of what is in none. */
  readonly namespace?: string | undefined
}

/** What rights do not say yet: the place and the name. */
export type Place = Pick<Right, 'name' | 'namespace'>

/** Without those that another one includes; sorted, so that equal rights are equal lists. */
export function minimalRights(rights: Iterable<Right>): readonly Right[] {
  const all = new Map([...rights].map((right) => [keyOf(right), right]))
  const isIncluded = (right: Right): boolean => wider(right).some((other) => all.has(keyOf(other)))
  return [...all]
    .filter(([, right]) => !isIncluded(right))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, right]) => right)
}

function wider({ name, namespace, ...rest }: Right): readonly Right[] {
  const anyName = name === undefined ? [] : [{ ...rest, namespace }]
  if (namespace === undefined) return anyName
  return name === undefined ? [rest] : [...anyName, { ...rest, name }, rest]
}

function keyOf({ verb, group, resource, name = '', namespace = '' }: Right): string {
  return [namespace, group, resource, name, verb].join('\0')
}
