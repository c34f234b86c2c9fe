import { FieldSet } from '../../../core/schema/field-set.ts'
import type { OwnedFields, Owners } from './managed-fields.ts'
import type { ObjectVersions, TypedObject } from './object-versions.ts'
import { withDeclaredParents } from './reconcile-fields.ts'
import { removeItems } from './remove-items.ts'

export interface PruneInput {
  /** The live object with the applied one merged in. */
  readonly merged: TypedObject
  /** What the manager applied last time. */
  readonly last: OwnedFields | undefined
  /** With what the manager applies this time. */
  readonly owners: Owners
  readonly versions: ObjectVersions
  /** Of the object that is applied. */
  readonly apiVersion: string
}

/** Removes what the manager applied last time and not this time, unless another manager owns it too. */
export function pruneUnapplied({ merged, last, owners, versions, apiVersion }: PruneInput): TypedObject {
  if (last === undefined || last.fields.isEmpty()) return merged
  const isKept = [...owners.values()].some(
    (owned) => owned.apiVersion === last.apiVersion && last.fields.isSubsetOf(owned.fields),
  )
  if (isKept) return merged
  const converted = versions.convert(
    merged,
    last.apiVersion,
    `${FAILED}failed to convert merged object to last applied version: `,
  )
  const lastFields = withDeclaredParents(last.fields, converted.type)
  const bare = without(converted, lastFields)
  const owned = addBackOwned(converted, bare, { owners, versions, first: last.apiVersion })
  const back = versions.convert(owned, last.apiVersion, DANGLING)
  const gone = allFields(converted).difference(allFields(back)).intersection(lastFields)
  const pruned = without(converted, gone)
  return versions.convert(pruned, apiVersion, FAILED)
}

const FAILED = 'failed to prune fields: '
const DANGLING = `${FAILED}failed add back dangling items: failed to convert pruned object to last applied version: `

function notOwned(which: 'merged' | 'pruned', apiVersion: string): string {
  return `${FAILED}failed add back owned items: failed to convert ${which} object at version ${apiVersion}: `
}

/** Adds back what some manager still owns, or the same manager applies this time. */
function addBackOwned(
  merged: TypedObject,
  pruned: TypedObject,
  { owners, versions, first }: { owners: Owners; versions: ObjectVersions; first: string },
): TypedObject {
  const byVersion = Map.groupBy(owners.values(), ({ apiVersion }) => apiVersion)
  const versionsInOrder = new Set([first, ...byVersion.keys()])
  let result = pruned
  for (const apiVersion of versionsInOrder) {
    const fields = (byVersion.get(apiVersion) ?? []).reduce((all, owned) => all.union(owned.fields), FieldSet.empty)
    const whole = versions.convert(merged, apiVersion, notOwned('merged', apiVersion))
    const part = versions.convert(result, apiVersion, notOwned('pruned', apiVersion))
    const kept = allFields(part).union(withDeclaredParents(fields, whole.type))
    result = without(whole, allFields(whole).difference(kept))
  }
  return result
}

function allFields({ value, type }: TypedObject): FieldSet {
  return withDeclaredParents(FieldSet.fromTyped(value, type), type)
}

function without(object: TypedObject, fields: FieldSet): TypedObject {
  return { ...object, value: removeItems(object.value, fields, object.type) }
}
