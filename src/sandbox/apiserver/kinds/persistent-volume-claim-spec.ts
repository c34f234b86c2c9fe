import type { JsonObject } from '../../../core/base/json.ts'
import { checkSubdomain } from '../write/names.ts'
import { validateAccessModes, validateVolumeMode } from './common/access-modes.ts'
import { type FieldErrors, invalid, invalidFor, required } from './common/field-errors.ts'
import { mapField, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { canonicalRequirements, isWholeQuantity, nanosOf } from './common/quantity.ts'
import { validateDataSources } from './persistent-volume-claim-sources.ts'

/** What the spec of a claim gets: in a PersistentVolumeClaim, a template of a StatefulSet, an ephemeral volume. */
export function claimSpecDefaults(spec: JsonObject): JsonObject {
  return mapField(withDefaults(spec, { volumeMode: 'Filesystem', resources: {} }), 'resources', canonicalRequirements)
}

/** Complaints about what a claim asks for; `old` is what it asked for until now. */
export function validateClaimSpec(spec: JsonObject, field: string, old?: JsonObject): FieldErrors {
  const modes = textsAt(spec, 'accessModes')
  const name = textAt(spec, 'storageClassName')
  const attributes = textAt(spec, 'volumeAttributesClassName')
  const { storage } = objectAt(objectAt(spec, 'resources'), 'requests')
  const place = `${field}.resources[storage]`
  return [
    ...(modes.length === 0 ? [required(`${field}.accessModes`, 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(objectAt(spec, 'selector'), `${field}.selector`),
    ...validateAccessModes(spec, `${field}.accessModes`),
    ...(storage === undefined ? [required(place)] : []),
    ...(storage !== undefined && nanosOf(storage) <= 0n ? [invalid(place, storage, 'must be greater than zero')] : []),
    ...(name === '' ? [] : invalidFor(`${field}.storageClassName`, name, checkSubdomain(name))),
    ...validateVolumeMode(spec, `${field}.volumeMode`),
    ...validateDataSources(spec, field, old),
    ...(attributes === ''
      ? []
      : invalidFor(`${field}.volumeAttributesClassName`, attributes, checkSubdomain(attributes))),
  ]
}

/** Bytes come whole. */
export function claimSpecWarnings(spec: JsonObject, field: string): readonly string[] {
  return ['requests', 'limits'].flatMap((list) => {
    const { storage } = objectAt(objectAt(spec, 'resources'), list)
    if (storage === undefined || isWholeQuantity(storage)) return []
    const text = `fractional byte value ${JSON.stringify(storage)} is invalid, must be an integer`
    return [`${field}.resources.${list}[storage]: ${text}`]
  })
}
