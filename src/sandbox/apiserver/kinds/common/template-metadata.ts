import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden } from './field-errors.ts'
import { itemsAt, objectAt } from './fields.ts'
import { validateAnnotations, validateLabels } from './label-selectors.ts'

/** What only an object has, and not the template of one. */
const OF_OBJECTS = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]

/** Complaints about the metadata of a template of claims: it has labels and annotations only. */
export function validateTemplateMetadata(metadata: JsonObject, field: string): FieldErrors {
  return [
    ...validateAnnotations(objectAt(metadata, 'annotations'), `${field}.annotations`),
    ...validateLabels(objectAt(metadata, 'labels'), `${field}.labels`),
    ...OF_OBJECTS.filter((name) => isGiven(metadata[name])).map((name) =>
      forbidden(`${field}.${name === 'uid' ? 'uID' : name}`, 'cannot be set'),
    ),
  ]
}

function isGiven(value: JsonValue | undefined): boolean {
  return (value ?? null) !== null
}

/** Metadata as the server prints it: in the order of its struct, without what is not given. */
export function metadataStruct(metadata: JsonObject): JsonObject {
  const owners = itemsAt(metadata, 'ownerReferences').map((owner) => inOrder(owner, OWNER))
  return inOrder({ ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) }, METADATA)
}

const METADATA = [
  ...OF_OBJECTS.slice(0, OF_OBJECTS.indexOf('ownerReferences')),
  'labels',
  'annotations',
  ...OF_OBJECTS.slice(OF_OBJECTS.indexOf('ownerReferences')),
]
const OWNER = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']

function inOrder(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => isGiven(value[name])).map((name) => [name, value[name]]))
}
