import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { forbidden as refused } from '../api-status.ts'
import { columnsOf } from './common/columns.ts'
import { defaultClass } from './common/default-class.ts'
import { type FieldErrors, forbidden, immutable } from './common/field-errors.ts'
import { objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { canonicalResources, nanosOf } from './common/quantity.ts'
import { keepStatus, specAndStatus, withMetadata } from './common/strategies.ts'
import type { KindContext, KindRules } from './kind-rules.ts'
import { withBothSources } from './persistent-volume-claim-sources.ts'
import { claimSpecDefaults, claimSpecWarnings, validateClaimSpec } from './persistent-volume-claim-spec.ts'
import { validateClaimStatus } from './persistent-volume-claim-status.ts'
import { isDefaultClass } from './storage-class.ts'

const gvk = { group: '', version: 'v1', kind: 'PersistentVolumeClaim' }
export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection'

export const persistentVolumeClaim: KindRules = {
  gvk,
  keepsEmpty: true,
  ...specAndStatus({ phase: 'Pending' }),
  applyDefaults: (object) => {
    const status = withDefaults(objectAt(object, 'status'), { phase: 'Pending' })
    const capacity = status.capacity === undefined ? {} : { capacity: canonicalResources(objectAt(status, 'capacity')) }
    return { ...object, spec: claimSpecDefaults(objectAt(object, 'spec')), status: { ...status, ...capacity } }
  },
  prepareForCreate: (object, context) => {
    const { finalizers = [] } = object.metadata
    const protectedObject = finalizers.includes(CLAIM_PROTECTION)
      ? object
      : withMetadata(object, { finalizers: [...finalizers, CLAIM_PROTECTION] })
    return withDefaultClass(withBothSources({ ...protectedObject, status: { phase: 'Pending' } }), context)
  },
  prepareForUpdate: (object, old) => withBothSources(keepStatus(object, old), old),
  validate: (object, old, context) => {
    const before = old && objectAt(old, 'spec')
    const errors = [
      ...validateClaimSpec(objectAt(object, 'spec'), 'spec', before),
      ...(old ? validateUpdate(object, old, context) : []),
    ]
    if (old && errors.length === 0) checkGrowth(object, old, context)
    return errors
  },
  validateStatusUpdate: (object) => validateClaimStatus(objectAt(object, 'status')),
  warnings: warningsOf,
  columns: columnsOf(gvk, {
    Status: (object) =>
      object.metadata.deletionTimestamp === undefined ? textAt(objectAt(object, 'status'), 'phase') : 'Terminating',
    Volume: (object) => textAt(objectAt(object, 'spec'), 'volumeName'),
    Capacity: (object) => (isBound(object) ? capacityOf(object) : ''),
    'Access Modes': (object) => (isBound(object) ? printModes(objectAt(object, 'status')) : ''),
    StorageClass: (object) => textAt(objectAt(object, 'spec'), 'storageClassName'),
    VolumeAttributesClass: (object) => textAt(objectAt(object, 'spec'), 'volumeAttributesClassName') || '<unset>',
    VolumeMode: (object) => textAt(objectAt(object, 'spec'), 'volumeMode'),
  }),
}

function warningsOf(object: KubeObject): readonly string[] {
  const text = 'deprecated since v1.8; use "storageClassName" attribute instead'
  const isOld = object.metadata.annotations?.[CLASS_ANNOTATION] !== undefined
  return [
    ...(isOld ? [`metadata.annotations[${CLASS_ANNOTATION}]: ${text}`] : []),
    ...claimSpecWarnings(objectAt(object, 'spec'), 'spec'),
  ]
}

function capacityOf(object: KubeObject): string {
  return textAt(objectAt(objectAt(object, 'status'), 'capacity'), 'storage') || '0'
}

function isBound(object: KubeObject): boolean {
  return textAt(objectAt(object, 'spec'), 'volumeName') !== ''
}

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** `RWO,RWX`. */
export function printModes(object: JsonObject): string {
  const modes = new Set(textsAt(object, 'accessModes'))
  return Object.keys(SHORT)
    .filter((mode) => modes.has(mode))
    .map((mode) => SHORT[mode])
    .join(',')
}

const STORAGE_CLASS = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' }

/** A claim that names no class gets the one that is marked as default. */
function withDefaultClass(object: KubeObject, { objects }: KindContext): KubeObject {
  const spec = objectAt(object, 'spec')
  if (spec.storageClassName !== undefined) return object
  const storageClassName = defaultClass(objects.list(STORAGE_CLASS), isDefaultClass)
  return storageClassName === undefined ? object : { ...object, spec: { ...spec, storageClassName } }
}

const FROZEN =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

/** The class of a claim, before claims had a field for it. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

function validateUpdate(object: KubeObject, old: KubeObject, { stored }: KindContext): FieldErrors {
  const [spec, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')]
  return [
    ...validateClassAnnotation(object, old),
    // The server adds what differs in its own notation of structs; we do not.
    ...(jsonEquals(frozenSpec(stored(object), old, object), frozenSpec(old, old, old))
      ? []
      : [forbidden('spec', FROZEN)]),
    ...validateSize(spec, before, objectAt(old, 'status')),
    ...immutable('volumeMode', spec.volumeMode, before.volumeMode),
    ...validateAttributesClass(spec, objectAt(old, 'status')),
  ]
}

/**
 * The part of a spec that must not change. A claim may get its volume and its class later, and a bound claim may grow. `given`
 * shows whether the spec has `requests`, also empty ones.
 */
function frozenSpec(object: KubeObject, old: KubeObject, given: KubeObject): JsonObject {
  const before = objectAt(old, 'spec')
  const { volumeName, storageClassName, ...rest } = objectAt(object, 'spec')
  const kept = {
    ...rest,
    volumeName: before.volumeName === undefined ? undefined : volumeName,
    storageClassName: isFirstClass(object, old) ? before.storageClassName : storageClassName,
  }
  if (textAt(objectAt(old, 'status'), 'phase') !== 'Bound') return kept
  const { requests, ...resources } = objectAt(kept, 'resources')
  if (objectAt(objectAt(given, 'spec'), 'resources').requests === undefined)
    return { ...kept, volumeAttributesClassName: null }
  const { storage: _storage, ...others } = objectAt({ requests }, 'requests')
  return { ...kept, resources: { ...resources, requests: others }, volumeAttributesClassName: null }
}

/** A claim without a class may get one: any, or the one that its annotation names. */
function isFirstClass(object: KubeObject, old: KubeObject): boolean {
  const { storageClassName } = objectAt(object, 'spec')
  const annotated = old.metadata.annotations?.[CLASS_ANNOTATION]
  if (objectAt(old, 'spec').storageClassName !== undefined || storageClassName === undefined) return false
  return annotated === undefined || storageClassName === annotated
}

function validateClassAnnotation(object: KubeObject, old: KubeObject): FieldErrors {
  const [value = '', before = ''] = [object, old].map(({ metadata }) => metadata.annotations?.[CLASS_ANNOTATION])
  const isMoved = before !== '' && value === '' && isFirstClass(object, old)
  return isMoved ? [] : immutable(`metadata.annotations.${CLASS_ANNOTATION}`, value, before)
}

function validateAttributesClass({ volumeAttributesClassName: name }: JsonObject, status: JsonObject): FieldErrors {
  if (status.currentVolumeAttributesClassName === undefined || (name !== undefined && name !== '')) return []
  const what = name === undefined ? 'nil' : 'empty string'
  const text = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`
  return [forbidden('spec.volumeAttributesClassName', text)]
}

/**
 * The admission plugin for the size of claims, which comes after the validation.
 *
 * @throws ApiError 403 when the storage class does not let claims grow
 */
function checkGrowth(object: KubeObject, old: KubeObject, { objects }: KindContext): void {
  const spec = objectAt(object, 'spec')
  if (sizeOf(spec) <= sizeOf(objectAt(old, 'spec'))) return
  const name = textAt(spec, 'storageClassName')
  if (objects.get(STORAGE_CLASS, { namespace: '', name })?.allowVolumeExpansion === true) return
  const cause =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
  throw refused({ group: '', plural: 'persistentvolumeclaims' }, keyOf(object).name, cause)
}

function sizeOf(spec: JsonObject): bigint {
  return nanosOf(objectAt(objectAt(spec, 'resources'), 'requests').storage)
}

function validateSize(spec: JsonObject, old: JsonObject, status: JsonObject): FieldErrors {
  const size = sizeOf(spec)
  if (size >= sizeOf(old) || size > nanosOf(objectAt(status, 'capacity').storage)) return []
  return [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')]
}
