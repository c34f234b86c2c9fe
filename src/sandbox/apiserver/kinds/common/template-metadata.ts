import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden } from './field-errors.ts'
import { itemsAt, objectAt, sortedEntries } from './fields.ts'
import { validateAnnotations, validateLabels } from './label-selectors.ts'

/** In the order of the struct. */
const METADATA = [
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
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]
/** What only an object has, and not the template of one. */
const OF_OBJECTS = METADATA.filter((name) => name !== 'labels' && name !== 'annotations')
const OWNER = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']

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
  const maps = ['labels', 'annotations'].map((name) => {
    const entries = sortedEntries(objectAt(metadata, name))
    return [name, entries.length > 0 ? Object.fromEntries(entries) : null]
  })
  const shown = { ...metadata, ...Object.fromEntries(maps), ...(owners.length > 0 && { ownerReferences: owners }) }
  return inOrder(shown, METADATA)
}

function inOrder(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => isGiven(value[name])).map((name) => [name, value[name]]))
}
