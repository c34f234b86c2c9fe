import type { Watch } from './project.ts'

/** Where the entries of one kind look. */
export type Reaching = Pick<Watch, 'namespaces' | 'allowedNamespaces'>

/** The namespaces that the entries may look into, or `undefined` for all. */
export function reachOf(entries: Iterable<Reaching>): readonly string[] | undefined {
  const reach = new Set<string>()
  for (const { namespaces, allowedNamespaces } of entries) {
    const { read = [], write = [] } = allowedNamespaces
    if (namespaces === undefined || read.includes('*') || write.includes('*')) return undefined
    for (const namespace of [...namespaces, ...read, ...write]) reach.add(namespace)
  }
  return [...reach].sort()
}
