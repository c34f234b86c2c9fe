import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabelKey } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { duplicate, type FieldErrors, invalid, invalidFor, oneOf, required, tooLong } from './common/field-errors.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' }
const IMMUTABLE = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']

export const storageClass: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: (object, old, { stored }) => [
    ...validate(object),
    ...(old
      ? IMMUTABLE.filter((field) => !jsonEquals(stored(object)[field], old[field])).map((field) =>
          invalid(field, object[field], 'field is immutable'),
        )
      : []),
  ],
  columns: columnsOf(gvk, {
    Name: nameOf,
    Provisioner: (object) => textAt(object, 'provisioner'),
    ReclaimPolicy: (object) => textAt(object, 'reclaimPolicy'),
    VolumeBindingMode: (object) => textAt(object, 'volumeBindingMode'),
    AllowVolumeExpansion: (object) => object.allowVolumeExpansion === true,
  }),
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.name}${isDefaultClass(metadata) ? ' (default)' : ''}`
}

/** The class of claims that name none. */
export function isDefaultClass({ annotations = {} }: KubeObject['metadata']): boolean {
  return ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io'].some(
    (group) => annotations[`${group}/is-default-class`] === 'true',
  )
}

function validate(object: KubeObject): FieldErrors {
  const modes = ['Immediate', 'WaitForFirstConsumer']
  return [
    ...validateProvisioner(object, 'provisioner'),
    ...validateParameters(objectAt(object, 'parameters'), 'parameters'),
    ...oneOf('reclaimPolicy', textAt(object, 'reclaimPolicy') || 'Delete', ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', textAt(object, 'volumeBindingMode'), modes),
    ...validateTopologies(itemsAt(object, 'allowedTopologies'), 'allowedTopologies'),
  ]
}

/** The field names a driver of volumes. */
export function validateProvisioner(object: JsonObject, field: string): FieldErrors {
  const driver = textAt(object, field).toLowerCase()
  return driver === '' ? [required(field)] : invalidFor(field, driver, checkLabelKey(driver))
}

const MOST_PARAMETERS = 512
const MOST_BYTES = 256 * 1024

export function validateParameters(parameters: JsonObject, field: string): FieldErrors {
  const entries = sortedEntries(parameters)
  // The server takes their number for a length.
  if (entries.length > MOST_PARAMETERS) return [tooLong(field, MOST_PARAMETERS)]
  const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0)
  return [
    ...(parameters[''] === undefined ? [] : [invalid(field, '', 'field can not be empty.')]),
    ...(bytes > MOST_BYTES ? [tooLong(field, MOST_BYTES)] : []),
  ]
}

function validateTopologies(topologies: readonly JsonObject[], field: string): FieldErrors {
  // To the server, a term that says nothing repeats one of as many that were never given.
  const seen: JsonObject[] = topologies.map(() => ({}))
  return topologies.flatMap((term, index) => {
    const place = `${field}[${index}].matchLabelExpressions`
    const zones = zonesOf(term)
    const repeated = seen.filter((other) => jsonEquals(other, zones))
    seen.push(zones)
    return [...validateZones(term, place), ...repeated.map(() => duplicate(place, ''))]
  })
}

/** By key, the values in no order. */
function zonesOf(term: JsonObject): JsonObject {
  const expressions = itemsAt(term, 'matchLabelExpressions')
  return Object.fromEntries(
    expressions.map((each) => [textAt(each, 'key'), [...new Set(textsAt(each, 'values'))].sort()]),
  )
}

function validateZones(term: JsonObject, field: string): FieldErrors {
  const expressions = itemsAt(term, 'matchLabelExpressions')
  const keys = expressions.map((each) => textAt(each, 'key'))
  return expressions.flatMap((expression, index) => {
    const place = `${field}[${index}]`
    const key = textAt(expression, 'key')
    const values = textsAt(expression, 'values')
    const isRepeated = (value: string, at: number): boolean => values.indexOf(value) < at
    return [
      ...(values.length === 0 ? [required(`${place}.values`)] : []),
      ...values.flatMap((value, at) => (isRepeated(value, at) ? [duplicate(`${place}.values[${at}]`, value)] : [])),
      ...invalidFor(`${place}.key`, key, checkLabelKey(key)),
      ...(keys.indexOf(key) < index ? [duplicate(`${place}.key`, key)] : []),
    ]
  })
}
