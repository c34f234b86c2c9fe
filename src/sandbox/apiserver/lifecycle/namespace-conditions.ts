import type { StoredObject } from '../store/stored-object.ts'

export type NamespaceCondition = {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

/** What a namespace in deletion says about what still holds it. `rest`: the objects that are left. */
export function namespaceConditions(
  rest: readonly StoredObject[],
  old: readonly NamespaceCondition[],
  now: string,
): readonly NamespaceCondition[] {
  const found = new Map([contentRemaining(rest), finalizersRemaining(rest)].map((each) => [each?.type, each]))
  return FINE.map((fine) => {
    const { type, status, reason, message } = found.get(fine.type) ?? { status: 'False', ...fine }
    const before = old.find((each) => each.type === type)
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now
    return { type, status, lastTransitionTime, reason, message }
  })
}

const FINE = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  { type: 'NamespaceContentRemaining', reason: 'ContentRemoved', message: 'All content successfully removed' },
  {
    type: 'NamespaceFinalizersRemaining',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
] as const

type Problem = Omit<NamespaceCondition, 'lastTransitionTime'>

function contentRemaining(rest: readonly StoredObject[]): Problem | undefined {
  if (rest.length === 0) return undefined
  const counts = count(rest.map(({ resource }) => resource.split('/').reverse().join('.')))
  const texts = counts.map(([resource, number]) => `${resource} has ${number} resource instances`)
  const message = `Some resources are remaining: ${texts.join(', ')}`
  return { type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message }
}

function finalizersRemaining(rest: readonly StoredObject[]): Problem | undefined {
  const counts = count(rest.flatMap(({ object }) => object.metadata.finalizers ?? []))
  if (counts.length === 0) return undefined
  const texts = counts.map(([finalizer, number]) => `${finalizer} in ${number} resource instances`)
  const message = `Some content in the namespace has finalizers remaining: ${texts.join(', ')}`
  return { type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message }
}

function count(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
}
