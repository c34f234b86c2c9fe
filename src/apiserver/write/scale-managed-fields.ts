import type { JsonPath } from '../../base/json.ts'
import type { ManagedFieldsEntry } from '../../kube/object.ts'
import { FieldSet } from '../../schema/field-set.ts'
import { decodeManagedFields, encodeManagedFields, type OwnedFields } from '../apply/managed-fields.ts'

type Entries = readonly ManagedFieldsEntry[] | undefined

/** Where the object of a Scale keeps its replicas. */
export interface ScaleView {
  readonly apiVersion: string
  readonly path: JsonPath
}

const SCALE_VERSION = 'autoscaling/v1'
const SCALE_REPLICAS = FieldSet.ofFields([['spec', 'replicas']])

/** Who owns the replicas of an object, as entries of its Scale. */
export function toScaleEntries(entries: Entries, { apiVersion, path }: ScaleView): Entries {
  const { owners, times } = decodeManagedFields(entries)
  const replicas = FieldSet.ofFields([path])
  const found = new Map<string, OwnedFields>()
  for (const [id, owned] of owners) {
    if (owned.apiVersion !== apiVersion || !replicas.difference(owned.fields).isEmpty()) continue
    found.set(id, { ...owned, fields: SCALE_REPLICAS, apiVersion: SCALE_VERSION })
  }
  return encodeManagedFields({ owners: found, times })
}

/** Entries of an object after its Scale was written: who does not own the Scale's replicas any more loses the object's. */
export function toParentEntries(parent: Entries, scale: Entries, { apiVersion, path }: ScaleView): Entries {
  const before = decodeManagedFields(parent)
  const { owners: scaleOwners, times: scaleTimes } = decodeManagedFields(scale)
  const replicas = FieldSet.ofFields([path])
  const owners = new Map<string, OwnedFields>()
  const times = new Map(before.times)
  const added = new Map(scaleOwners)
  for (const [id, owned] of before.owners) {
    const ownsReplicas = owned.apiVersion === apiVersion && replicas.difference(owned.fields).isEmpty()
    const fields = ownsReplicas && !added.delete(id) ? owned.fields.difference(replicas) : owned.fields
    if (!fields.isEmpty()) owners.set(id, { ...owned, fields })
  }
  for (const [id, owned] of added) {
    owners.set(id, { fields: replicas, apiVersion, applied: owned.applied })
    const time = scaleTimes.get(id)
    if (time !== undefined) times.set(id, time)
  }
  return encodeManagedFields({ owners, times })
}
