import { FieldSet } from '../../schema/field-set.ts'

/** Fields that the server manages by itself or that identify the object: they are in nobody's entry. */
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
