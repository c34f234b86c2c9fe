import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { timestampOf } from '../write/write-request.ts'
import { columnsOf } from './common/columns.ts'
import { asStruct, type FieldErrors, forbidden, immutable, invalid } from './common/field-errors.ts'
import { itemsAt, mapField, objectAt, textAt, withDefaults } from './common/fields.ts'
import { goSelectorTerms } from './common/node-selector-struct.ts'
import { canonicalResources } from './common/quantity.ts'
import { keepField, specAndStatus, withMetadata } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { printModes } from './persistent-volume-claim.ts'
import { sourcesOf, validateVolumeSpec } from './persistent-volume-validation.ts'
import { nodeTermWarnings } from './pod-spec/node-label-warnings.ts'
import { persistentSourceDefaults } from './pod-spec/volume-defaults.ts'
import { deprecatedSources } from './pod-spec/volume-warnings.ts'

const gvk = { group: '', version: 'v1', kind: 'PersistentVolume' }
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection'

export const persistentVolume: KindRules = {
  gvk,
  keepsEmpty: true,
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
  prepareForStatusUpdate: (object, old, { now }) => withPhaseTime(keepField(object, old, 'spec'), old, now),
  // The server looks at an update twice.
  validate: (object, old, { stored }) => [
    ...validateState(object),
    ...validateMountOptions(object),
    ...(old ? validateState(object) : []),
    ...(old ? validateUpdate(objectAt(object, 'spec'), objectAt(old, 'spec'), objectAt(stored(object), 'spec')) : []),
  ],
  warnings: warningsOf,
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

const OLD_ANNOTATIONS: Readonly<Record<string, string>> = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  'volume.beta.kubernetes.io/mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead',
}
const RECYCLING =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'
/** In the order of the server. */
const OLD_SOURCES = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd']

function warningsOf({ metadata, ...object }: KubeObject): readonly string[] {
  const spec = objectAt(object as JsonObject, 'spec')
  const { annotations = {} } = metadata
  const old = Object.keys(OLD_ANNOTATIONS).filter((key) => annotations[key] !== undefined)
  const terms = itemsAt(objectAt(objectAt(spec, 'nodeAffinity'), 'required'), 'nodeSelectorTerms')
  const place = 'spec.nodeAffinity.required.nodeSelectorTerms'
  return [
    ...old.map((key) => `metadata.annotations[${key}]: ${OLD_ANNOTATIONS[key]}`),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLING}`] : []),
    ...terms.flatMap((term, index) => nodeTermWarnings(term, `${place}[${index}]`)),
    ...deprecatedSources(spec, 'spec', OLD_SOURCES),
  ]
}

/** A phase says since when it is. */
function withPhaseTime(object: KubeObject, old: KubeObject, now: number): KubeObject {
  const [status, before] = [objectAt(object, 'status'), objectAt(old, 'status')]
  const { lastPhaseTransitionTime: time } = status
  const known = before.lastPhaseTransitionTime
  if (status.phase === before.phase) {
    return time === undefined && known !== undefined
      ? { ...object, status: { ...status, lastPhaseTransitionTime: known } }
      : object
  }
  if (time !== undefined && time !== known) return object
  return { ...object, status: { ...status, lastPhaseTransitionTime: timestampOf(now) } }
}

function claimOf(object: KubeObject): string {
  const { namespace, name } = objectAt(objectAt(object, 'spec'), 'claimRef')
  return name === undefined ? '' : `${namespace}/${name}`
}

function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
  return mapField(persistentSourceDefaults(spec), 'capacity', canonicalResources)
}

function validateState(object: KubeObject): FieldErrors {
  return validateVolumeSpec(objectAt(object, 'spec'), object.metadata.name ?? '')
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options'
/** Sources that are mounted with options; those of all others say so in a field, if at all. */
const MOUNTED = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
]

function validateMountOptions(object: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  if (object.metadata.annotations?.[MOUNT_OPTIONS] === undefined) return []
  if (MOUNTED.some((name) => spec[name] !== undefined)) return []
  return [forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, 'may not specify mount options for this volume type')]
}

function validateUpdate(spec: JsonObject, old: JsonObject, stored: JsonObject): FieldErrors {
  const sources = (each: JsonObject): JsonObject =>
    Object.fromEntries(sourcesOf(each).map((name) => [name, each[name]]))
  const isSame = jsonEquals(sources(stored), sources(old))
  return [
    ...(isSame
      ? []
      : [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...immutable('volumeMode', spec.volumeMode, old.volumeMode),
    ...(old.nodeAffinity === undefined ? [] : validateSameNodes(spec, old, stored)),
    ...(old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined
      ? [forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')]
      : []),
  ]
}

/** A volume stays with its nodes; the labels of old may only be called by their new names. */
function validateSameNodes(spec: JsonObject, old: JsonObject, stored: JsonObject): FieldErrors {
  if (jsonEquals(withOldLabels(stored, old), goAffinity(old))) return []
  const detail = 'field is immutable, except for updating from beta label to GA'
  return [asStruct(invalid('nodeAffinity', goAffinity(spec), detail))]
}

/** The nodes of a volume, with labels called as before where the new name is right; to the server, any label may lose its name. */
function withOldLabels(spec: JsonObject, old: JsonObject): JsonObject | null {
  const before = keysOf(old)
  let at = 0
  const renamed = JSON.stringify(goAffinity(spec)).replace(/"Key":"([^"]*)"/g, (found, key: string) => {
    const oldKey = before[at++]
    return oldKey !== undefined && (NEW_LABELS[oldKey] ?? '') === key ? `"Key":"${oldKey}"` : found
  })
  return JSON.parse(renamed)
}

function keysOf(spec: JsonObject): readonly string[] {
  return [...JSON.stringify(goAffinity(spec)).matchAll(/"Key":"([^"]*)"/g)].map(([, key = '']) => key)
}

const NEW_LABELS: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

function goAffinity({ nodeAffinity }: JsonObject): JsonObject | null {
  if (!isJsonObject(nodeAffinity)) return null
  const { required } = nodeAffinity
  if (!isJsonObject(required)) return { Required: null }
  return { Required: { NodeSelectorTerms: goSelectorTerms(required) } }
}
