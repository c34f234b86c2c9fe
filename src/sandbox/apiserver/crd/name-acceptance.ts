import type { CrdCondition, CrdNames, CustomResourceDefinition } from './custom-resource-definition.ts'

export interface Acceptance {
  readonly names: CrdNames
  readonly condition: CrdCondition
}

/** Names that are free, or its own already, become the CRD's; others it does not get. */
export function acceptNames(crd: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): Acceptance {
  const taken = takenNames(crd, others)
  const wanted = crd.spec.names
  const accepted = crd.status.acceptedNames
  const names: Record<string, unknown> = { ...accepted, categories: wanted.categories }
  let conflict: { reason: string; message: string } | undefined
  for (const { field, kinds, reason } of FIELDS) {
    const refused = refusal(wanted[field], accepted[field], kinds ? taken.kinds : taken.resources)
    if (refused === undefined) names[field] = wanted[field]
    else conflict = { reason, message: refused }
  }
  for (const field of Object.keys(names)) if (names[field] === undefined) delete names[field]
  return { names: names as CrdNames, condition: conditionOf(conflict) }
}

const FIELDS = [
  { field: 'plural', kinds: false, reason: 'PluralConflict' },
  { field: 'singular', kinds: false, reason: 'SingularConflict' },
  { field: 'shortNames', kinds: false, reason: 'ShortNamesConflict' },
  { field: 'kind', kinds: true, reason: 'KindConflict' },
  { field: 'listKind', kinds: true, reason: 'ListKindConflict' },
] as const

function conditionOf(conflict: { reason: string; message: string } | undefined): CrdCondition {
  if (conflict) return { type: 'NamesAccepted', status: 'False', ...conflict }
  return { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
}

type Name = string | readonly string[] | undefined

function refusal(wanted: Name, accepted: Name, taken: ReadonlySet<string>): string | undefined {
  const own = new Set([accepted ?? []].flat())
  const refused = [wanted ?? []].flat().filter((name) => !own.has(name) && taken.has(name))
  const texts = refused.map((name) => `${JSON.stringify(name)} is already in use`)
  if (texts.length === 0) return undefined
  return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
}

function takenNames(
  crd: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): { resources: ReadonlySet<string>; kinds: ReadonlySet<string> } {
  const resources = new Set<string>()
  const kinds = new Set<string>()
  for (const { spec, status, metadata } of others) {
    if (spec.group !== crd.spec.group || metadata.name === crd.metadata.name) continue
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames
    for (const name of [plural, singular, ...shortNames]) resources.add(name)
    for (const name of [kind, listKind]) kinds.add(name)
  }
  resources.delete('')
  kinds.delete('')
  return { resources, kinds }
}
