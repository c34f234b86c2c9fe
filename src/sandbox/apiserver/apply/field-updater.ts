import { type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { type Comparison, compareValues, excludeFields } from './compare-values.ts'
import { sameAsLast } from './last-comparison.ts'
import type { OwnedFields, Owners } from './managed-fields.ts'
import { mergeValues } from './merge-values.ts'
import type { ObjectVersions, TypedObject } from './object-versions.ts'
import { pruneUnapplied } from './prune-unapplied.ts'
import { reconcileFields } from './reconcile-fields.ts'

/** Fields of other managers that a write would take from them, by identifier. */
export type Conflicts = ReadonlyMap<string, FieldSet>

export type Applied =
  | { readonly conflicts: Conflicts }
  | {
      readonly conflicts?: undefined
      /** `undefined` when the live object has all of it already. */
      readonly value: JsonValue | undefined
      readonly owners: Owners
    }

/** A write by one manager. */
export interface FieldWrite {
  readonly owners: Owners
  /** Identifier of the manager who writes. */
  readonly manager: string
}

export interface ForcedWrite extends FieldWrite {
  /** Whether it takes fields from other managers instead of giving up. */
  readonly force: boolean
}

type MutableOwners = Map<string, OwnedFields>

/** Who owns which fields after a write: the updater of structured-merge-diff. */
export class FieldUpdater {
  readonly #apiVersion: string
  readonly #versions: ObjectVersions
  readonly #ignored: FieldSet | undefined

  constructor(apiVersion: string, versions: ObjectVersions, ignored: FieldSet | undefined) {
    this.#apiVersion = apiVersion
    this.#versions = versions
    this.#ignored = ignored
  }

  /** What changes when `updated` is put in place of the live value. */
  compare(live: JsonValue, updated: JsonValue): Change {
    return this.#compare(this.#versions.typed(live), this.#versions.typed(updated))
  }

  /** Owners after a change. What the manager changed is its own now. */
  update(change: Change, { owners, manager }: FieldWrite): Owners {
    const next = this.#reconcile(change.before, owners)
    this.#take(change, { owners: next, manager, force: true })
    const { modified, added } = change.in(this.#apiVersion)
    const fields = this.#tracked(modified.union(added))
    setOwned(next, manager, { fields, apiVersion: this.#apiVersion, applied: false })
    return next
  }

  /** The live value with `applied` merged in and what the manager no longer applies removed. */
  apply(live: JsonValue, applied: JsonValue, { owners, manager, force }: ForcedWrite): Applied {
    const before = this.#versions.typed(live)
    const next = this.#reconcile(before, owners)
    const merged = this.#versions.typed(mergeValues(live, applied, before.type) as JsonValue)
    const last = next.get(manager)
    const fields = this.#tracked(FieldSet.fromTyped(applied, before.type))
    next.set(manager, { fields, apiVersion: this.#apiVersion, applied: true })
    const pruned = pruneUnapplied({
      merged,
      last,
      owners: next,
      versions: this.#versions,
      apiVersion: this.#apiVersion,
    })
    const conflicts = this.#take(this.#compare(before, pruned), { owners: next, manager, force })
    if (conflicts !== undefined) return { conflicts }
    return { value: jsonEquals(live, pruned.value) ? undefined : pruned.value, owners: next }
  }

  #tracked(fields: FieldSet): FieldSet {
    return this.#ignored === undefined ? fields : fields.recursiveDifference(this.#ignored)
  }

  #reconcile(live: TypedObject, owners: Owners): MutableOwners {
    const reconciled: MutableOwners = new Map()
    for (const [id, owned] of owners) {
      if (!this.#versions.knows(owned.apiVersion)) continue
      const { type } = this.#versions.convert(live, owned.apiVersion)
      reconciled.set(id, { ...owned, fields: reconcileFields(owned.fields, type) })
    }
    return reconciled
  }

  #compare(before: TypedObject, after: TypedObject): Change {
    return new Change(before, after, this.#versions, this.#ignored)
  }

  /** Takes changed and removed fields from the other managers. Changes `owners`, unless there are conflicts. */
  #take(
    change: Change,
    { owners, manager, force }: ForcedWrite & { readonly owners: MutableOwners },
  ): Conflicts | undefined {
    const conflicts = new Map<string, FieldSet>()
    const removed = new Map<string, FieldSet>()
    for (const [id, owned] of owners) {
      if (id === manager) continue
      const seen = change.in(owned.apiVersion)
      const taken = owned.fields.intersection(seen.modified.union(seen.added))
      if (!taken.isEmpty()) conflicts.set(id, taken)
      removed.set(id, seen.removed)
    }
    if (!force && conflicts.size > 0) return conflicts
    for (const [id, owned] of owners) {
      const fields = owned.fields
        .difference(conflicts.get(id) ?? FieldSet.empty)
        .difference(removed.get(id) ?? FieldSet.empty)
      setOwned(owners, id, { ...owned, fields })
    }
    return undefined
  }
}

/** One change as seen in each version. */
export class Change {
  readonly before: TypedObject
  readonly #after: TypedObject
  readonly #versions: ObjectVersions
  readonly #ignored: FieldSet | undefined
  readonly #known = new Map<string, Comparison>()

  constructor(before: TypedObject, after: TypedObject, versions: ObjectVersions, ignored: FieldSet | undefined) {
    this.before = before
    this.#after = after
    this.#versions = versions
    this.#ignored = ignored
  }

  /** The very comparison of the last change that did the same to an object of the kind. */
  in(apiVersion: string): Comparison {
    const known = this.#known.get(apiVersion)
    if (known !== undefined) return known
    const comparison = this.#compare(apiVersion)
    this.#known.set(apiVersion, comparison)
    return comparison
  }

  #compare(apiVersion: string): Comparison {
    const before = this.#versions.convert(this.before, apiVersion, 'failed to convert old object: ')
    const after = this.#versions.convert(this.#after, apiVersion, 'failed to convert new object: ')
    const ignored = this.#versions.ignoresIn(apiVersion) ? this.#ignored : undefined
    const comparison = excludeFields(compareValues(before.value, after.value, before.type), ignored)
    return sameAsLast(comparison, before.type, ignored)
  }
}

/** A manager without fields has no entry. */
function setOwned(owners: MutableOwners, id: string, owned: OwnedFields): void {
  if (owned.fields.isEmpty()) owners.delete(id)
  else owners.set(id, owned)
}
