import { posix } from 'node:path'
import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { checkLabel, checkSubdomain } from '../write/names.ts'
import { validateAccessModes, validateVolumeMode } from './common/access-modes.ts'
import {
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from './common/field-errors.ts'
import { objectAt, sortedEntries, textAt, textsAt } from './common/fields.ts'
import { nanosOf, wholeOf } from './common/quantity.ts'
import { validateBacksteps } from './pod-spec/path-validation.ts'
import { validateNodeSelector } from './pod-spec/scheduling-validation.ts'
import {
  COMMON_SOURCES,
  PERSISTENT_SOURCES,
  requiredTexts,
  type SourceOrder,
  validateDriver,
  validateSources,
} from './pod-spec/volume-sources.ts'

/** Complaints about the spec of a PersistentVolume; `volume` is its name. */
export function validateVolumeSpec(spec: JsonObject, volume: string): FieldErrors {
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy')
  const className = textAt(spec, 'storageClassName')
  return [
    ...(textsAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...validateAccessModes(spec, 'spec.accessModes'),
    ...validateCapacity(spec, 'spec.capacity'),
    ...oneOf('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']),
    ...(spec.nodeAffinity === undefined ? [] : validateNodes(objectAt(spec, 'nodeAffinity'), 'spec.nodeAffinity')),
    ...validateSource(spec, volume),
    ...validateRecycling(spec),
    ...(className === '' ? [] : invalidFor('spec.storageClassName', className, checkSubdomain(className))),
    ...validateVolumeMode(spec, 'spec.volumeMode'),
    ...validateAttributesClass(spec),
  ]
}

const INLINE = 'in the context of inline volumes'

/** Complaints about a volume that is no object of its own: it says what it is made of, and little else. */
export function validateInlineVolumeSpec(spec: JsonObject, field: string): FieldErrors {
  const notGiven = (name: string): FieldErrors => [forbidden(`${field}.${name}`, `may not be specified ${INLINE}`)]
  const { persistentVolumeReclaimPolicy: policy = '', volumeMode = 'Filesystem' } = spec
  const onlyRetained = forbidden(`${field}.persistentVolumeReclaimPolicy`, `may only be Retain ${INLINE}`)
  const otherMode = forbidden(`${field}.volumeMode`, `may not specify volumeMode other than Filesystem ${INLINE}`)
  return [
    ...(spec.claimRef === undefined ? [] : notGiven('claimRef')),
    ...(Object.keys(objectAt(spec, 'capacity')).length === 0 ? [] : notGiven('capacity')),
    ...(spec.csi === undefined ? [required(`${field}.csi`, `has to be specified ${INLINE}`)] : []),
    ...(textsAt(spec, 'accessModes').length === 0 ? [required(`${field}.accessModes`)] : []),
    ...validateAccessModes(spec, `${field}.accessModes`),
    ...(policy === '' || policy === 'Retain' ? [] : [onlyRetained]),
    ...(spec.nodeAffinity === undefined ? [] : notGiven('nodeAffinity')),
    ...validateSource({ ...spec, nodeAffinity: undefined }, '', field),
    ...validateRecycling(spec, field),
    ...(textAt(spec, 'storageClassName') === '' ? [] : notGiven('storageClassName')),
    ...(volumeMode === 'Filesystem' ? [] : [otherMode]),
  ]
}

function validateCapacity(spec: JsonObject, field: string): FieldErrors {
  const capacity = objectAt(spec, 'capacity')
  const names = Object.keys(capacity)
  const isStorage = names.length === 1 && names[0] === 'storage'
  return [
    ...(names.length === 0 ? [required(field)] : []),
    ...(isStorage ? [] : [notSupported(field, spec.capacity ?? null, ['storage'])]),
    ...sortedEntries(capacity).flatMap(([name, value]) => {
      const place = `${field}[${name}]`
      const isNegative = nanosOf(value) < 0n
      return [
        ...(isNegative ? [invalid(place, wholeOf(value), 'must be a valid resource quantity')] : []),
        ...(nanosOf(value) > 0n ? [] : [invalid(place, value, 'must be greater than zero')]),
      ]
    }),
  ]
}

function validateNodes(affinity: JsonObject, field: string): FieldErrors {
  const place = `${field}.required`
  if (affinity.required === undefined) return [required(place, 'must specify required node constraints')]
  return validateNodeSelector(objectAt(affinity, 'required'), place)
}

/** Fields of the spec that are objects and no sources. */
const NO_SOURCES = new Set(['capacity', 'claimRef', 'nodeAffinity'])
export function sourcesOf(spec: JsonObject): readonly string[] {
  return Object.keys(spec).filter((name) => isJsonObject(spec[name]) && !NO_SOURCES.has(name))
}

const { hostPath, gcePersistentDisk, awsElasticBlockStore, nfs, flocker, quobyte, rbd, cephfs, fc, flexVolume } =
  COMMON_SOURCES
const { vsphereVolume, photonPersistentDisk, portworxVolume, azureDisk, scaleIO } = COMMON_SOURCES
const { iscsi, glusterfs, cinder, azureFile, storageos } = PERSISTENT_SOURCES

const ORDER: SourceOrder = {
  checks: {
    hostPath,
    gcePersistentDisk,
    awsElasticBlockStore,
    glusterfs,
    flocker,
    nfs,
    rbd,
    quobyte,
    cephfs,
    iscsi,
    cinder,
    fc,
    flexVolume,
    azureFile,
    vsphereVolume,
    photonPersistentDisk,
    portworxVolume,
    azureDisk,
    scaleIO,
    local: (source, field) => {
      const path = textAt(source, 'path')
      return path === '' ? [required(`${field}.path`)] : validateBacksteps(path, `${field}.path`)
    },
    storageos,
    csi: validateCsi,
  },
  names: { cephfs: 'cephFS' },
}

/** `volume` is its name. */
function validateSource(spec: JsonObject, volume: string, field = 'spec'): FieldErrors {
  const homeless = required(`${field}.nodeAffinity`, 'Local volume requires node affinity')
  const local: SourceOrder['checks'][string] = (source, place, name) => [
    ...(ORDER.checks.local?.(source, place, name) ?? []),
    ...(spec.nodeAffinity === undefined ? [homeless] : []),
  ]
  return validateSources({ ...spec, name: volume }, field, { ...ORDER, checks: { ...ORDER.checks, local } })
}

const SECRETS = ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand']

function validateCsi(source: JsonObject, field: string): FieldErrors {
  return [
    ...validateDriver(textAt(source, 'driver'), `${field}.driver`),
    ...requiredTexts(source, field, 'volumeHandle'),
    ...SECRETS.map((use) => `${use}SecretRef`).flatMap((name) =>
      source[name] === undefined ? [] : validateSecret(objectAt(source, name), `${field}.${name}`),
    ),
  ]
}

function validateSecret(reference: JsonObject, field: string): FieldErrors {
  const [name, namespace] = [textAt(reference, 'name'), textAt(reference, 'namespace')]
  const places = { name: `${field}.name`, namespace: `${field}.namespace` }
  return [
    ...(name === '' ? [required(places.name)] : invalidFor(places.name, name, checkSubdomain(name))),
    ...(namespace === ''
      ? [required(places.namespace)]
      : invalidFor(places.namespace, namespace, checkLabel(namespace))),
  ]
}

/** Recycling a volume deletes its files, so the volume must not be the root folder of a node. */
function validateRecycling(spec: JsonObject, field = 'spec'): FieldErrors {
  const path = textAt(objectAt(spec, 'hostPath'), 'path')
  const isRoot = path !== '' && posix.join(path, '/') === '/'
  if (!isRoot || spec.persistentVolumeReclaimPolicy !== 'Recycle') return []
  return [forbidden(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'")]
}

function validateAttributesClass({ volumeAttributesClassName: name, csi }: JsonObject): FieldErrors {
  if (typeof name !== 'string') return []
  const field = 'spec.volumeAttributesClassName'
  const text = 'has to be specified when using volumeAttributesClassName'
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : invalidFor(field, name, checkSubdomain(name))),
    ...(csi === undefined ? [required('spec.csi', text)] : []),
  ]
}
