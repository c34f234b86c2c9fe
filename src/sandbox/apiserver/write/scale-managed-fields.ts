import type { JsonPath } from '../../../core/base/json.ts'
import type { ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { decodeManagedFields, encodeManagedFields, type OwnedFields } from '../apply/managed-fields.ts'

type Entries = readonly ManagedFieldsEntry[] | undefined

/** Where the object of a Scale keeps its replicas. */
export interface ScaleView {
  /** Of the request. */
  readonly apiVersion: string
  /** By the versions that the kind has; `undefined` for one without a scale. */
  readonly paths: ReadonlyMap<string, JsonPath | undefined>
}

const SCALE_VERSION = 'autoscaling/v1'
const SCALE_REPLICAS = FieldSet.ofFields([['spec', 'replicas']])

/** Who owns the replicas of an object, as entries of its Scale. */
export function toScaleEntries(entries: Entries, view: ScaleView): Entries {
  const { owners, times } = decodeManagedFields(entries)
  const found = new Map<string, OwnedFields>()
  for (const [id, owned] of owners) {
    if (ownsReplicas(owned, view)) found.set(id, { ...owned, fields: SCALE_REPLICAS, apiVersion: SCALE_VERSION })
  }
  return encodeManagedFields({ owners: found, times })
}

/**
 * Entries of an object after its Scale was written: who no longer owns the Scale's replicas loses the object's. An
 * updater counts as new each time, and an entry that is new has no time, as in the real server.
 */
export function toParentEntries(parent: Entries, scale: Entries, view: ScaleView): Entries {
  const { owners: before, times } = decodeManagedFields(parent)
  const added = new Map(decodeManagedFields(scale).owners)
  const owners = new Map<string, OwnedFields>()
  for (const [id, owned] of before) {
    if (!view.paths.has(owned.apiVersion)) continue
    const isStolen = ownsReplicas(owned, view) && !added.delete(id)
    const fields = isStolen ? owned.fields.difference(replicasIn(owned.apiVersion, view)) : owned.fields
    if (!fields.isEmpty()) owners.set(id, { ...owned, fields })
  }
  const { apiVersion } = view
  for (const [id, { applied }] of added) owners.set(id, { fields: replicasIn(apiVersion, view), apiVersion, applied })
  return encodeManagedFields({ owners, times })
}

function ownsReplicas({ fields, apiVersion }: OwnedFields, view: ScaleView): boolean {
  const replicas = replicasIn(apiVersion, view)
  return !replicas.isEmpty() && replicas.isSubsetOf(fields)
}

function replicasIn(apiVersion: string, { paths }: ScaleView): FieldSet {
  const path = paths.get(apiVersion)
  return path === undefined ? FieldSet.empty : FieldSet.ofFields([path])
}
