import { FieldSet } from '../../../core/schema/field-set.ts'
import type { OwnedFields } from './managed-fields.ts'

/** Fields that the server manages by itself or that identify the object: no entry contains them. */
export const UNTRACKED: FieldSet = FieldSet.ofFields([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
])

/** Owners without those fields of one manager that no manager can own. */
export function strip(owners: ReadonlyMap<string, OwnedFields>, id: string): ReadonlyMap<string, OwnedFields> {
  const own = owners.get(id)
  if (own === undefined) return owners
  const stripped = new Map(owners)
  const fields = own.fields.difference(UNTRACKED)
  if (fields.isEmpty()) stripped.delete(id)
  else stripped.set(id, { ...own, fields })
  return stripped
}
