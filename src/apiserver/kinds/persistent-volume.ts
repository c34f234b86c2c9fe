import { isJsonObject, type JsonObject, jsonEquals } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { timestampOf } from '../write/write-request.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden, notSupported, oneOf, required } from './common/field-errors.ts'
import { mapField, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { canonicalResources } from './common/quantity.ts'
import { specAndStatus, withMetadata } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { printModes } from './persistent-volume-claim.ts'

const gvk = { group: '', version: 'v1', kind: 'PersistentVolume' }
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection'

export const persistentVolume: KindRules = {
  gvk,
  ...specAndStatus(),
  applyDefaults: (object) => ({
    ...object,
    spec: specDefaults(objectAt(object, 'spec')),
    status: withDefaults(objectAt(object, 'status'), { phase: 'Pending' }),
  }),
  prepareForCreate: (object, { now }) => {
    const { finalizers = [] } = object.metadata
    const created = { ...object, status: { phase: 'Pending', lastPhaseTransitionTime: timestampOf(now) } }
    return finalizers.includes(VOLUME_PROTECTION)
      ? created
      : withMetadata(created, { finalizers: [...finalizers, VOLUME_PROTECTION] })
  },
  validate: (object, old) => [
    ...validateSpec(objectAt(object, 'spec')),
    ...(old ? validateUpdate(objectAt(object, 'spec'), objectAt(old, 'spec')) : []),
  ],
  columns: columnsOf(gvk, {
    Capacity: (object) => textAt(objectAt(objectAt(object, 'spec'), 'capacity'), 'storage'),
    'Access Modes': (object) => printModes(objectAt(object, 'spec')),
    'Reclaim Policy': (object) => textAt(objectAt(object, 'spec'), 'persistentVolumeReclaimPolicy'),
    Status: (object) =>
      object.metadata.deletionTimestamp === undefined ? textAt(objectAt(object, 'status'), 'phase') : 'Terminating',
    Claim: claimOf,
    StorageClass: (object) => textAt(objectAt(object, 'spec'), 'storageClassName'),
    VolumeAttributesClass: (object) => textAt(objectAt(object, 'spec'), 'volumeAttributesClassName') || '<unset>',
    Reason: (object) => textAt(objectAt(object, 'status'), 'reason'),
    VolumeMode: (object) => textAt(objectAt(object, 'spec'), 'volumeMode'),
  }),
}

function claimOf(object: KubeObject): string {
  const { namespace, name } = objectAt(objectAt(object, 'spec'), 'claimRef')
  return name === undefined ? '' : `${namespace}/${name}`
}

function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
  const typed = mapField(spec, 'hostPath', (source) => withDefaults(source, { type: '' }))
  return mapField(typed, 'capacity', canonicalResources)
}

/** Fields of the spec that are objects and no sources. */
const NO_SOURCES = new Set(['capacity', 'claimRef', 'nodeAffinity'])

function sourcesOf(spec: JsonObject): readonly string[] {
  return Object.keys(spec).filter((name) => isJsonObject(spec[name]) && !NO_SOURCES.has(name))
}

function validateSpec(spec: JsonObject): FieldErrors {
  const capacity = objectAt(spec, 'capacity')
  const names = Object.keys(capacity)
  const [first, ...more] = sourcesOf(spec)
  const isStorage = names.length === 1 && names[0] === 'storage'
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy')
  return [
    ...(textsAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...(names.length === 0 ? [required('spec.capacity')] : []),
    ...(isStorage ? [] : [notSupported('spec.capacity', spec.capacity ?? null, ['storage'])]),
    ...(first === undefined ? [required('spec', 'must specify a volume type')] : []),
    ...more.map((name) => forbidden(`spec.${name}`, 'may not specify more than 1 volume type')),
    ...oneOf('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']),
  ]
}

function validateUpdate(spec: JsonObject, old: JsonObject): FieldErrors {
  const sources = (each: JsonObject): JsonObject =>
    Object.fromEntries(sourcesOf(each).map((name) => [name, each[name]]))
  if (jsonEquals(sources(spec), sources(old))) return []
  return [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]
}
