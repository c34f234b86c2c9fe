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
  tooLong,
} from './common/field-errors.ts'
import { objectAt, sortedEntries, textAt, textsAt } from './common/fields.ts'
import { nanosOf, wholeOf } from './common/quantity.ts'
import { validateNodeSelector } from './pod-spec/scheduling-validation.ts'
import { validateBacksteps, validateHostPath } from './pod-spec/volumes-validation.ts'

/** Complaints about the spec of a PersistentVolume. */
export function validateVolumeSpec(spec: JsonObject): FieldErrors {
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy')
  const className = textAt(spec, 'storageClassName')
  return [
    ...(textsAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...validateAccessModes(spec, 'spec.accessModes'),
    ...validateCapacity(spec, 'spec.capacity'),
    ...oneOf('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']),
    ...(spec.nodeAffinity === undefined ? [] : validateNodes(objectAt(spec, 'nodeAffinity'), 'spec.nodeAffinity')),
    ...validateSource(spec),
    ...validateRecycling(spec),
    ...(className === '' ? [] : invalidFor('spec.storageClassName', className, checkSubdomain(className))),
    ...validateVolumeMode(spec, 'spec.volumeMode'),
    ...validateAttributesClass(spec),
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
/** Of the sources that a cluster still has, in the order of the server; all others stand before the last two. */
const LAST_SOURCES = ['local', 'csi']

export function sourcesOf(spec: JsonObject): readonly string[] {
  const names = Object.keys(spec).filter((name) => isJsonObject(spec[name]) && !NO_SOURCES.has(name))
  return names.sort((left, right) => LAST_SOURCES.indexOf(left) - LAST_SOURCES.indexOf(right))
}

type Check = (source: JsonObject, field: string) => FieldErrors

const SOURCES: Readonly<Record<string, Check>> = {
  hostPath: validateHostPath,
  nfs: validateNfs,
  local: (source, field) => {
    const path = textAt(source, 'path')
    return path === '' ? [required(`${field}.path`)] : validateBacksteps(path, `${field}.path`)
  },
  csi: validateCsi,
}

function validateSource(spec: JsonObject): FieldErrors {
  const [first, ...more] = sourcesOf(spec)
  if (first === undefined) return [required('spec', 'must specify a volume type')]
  const isAnywhere = first === 'local' && spec.nodeAffinity === undefined
  return [
    ...(SOURCES[first]?.(objectAt(spec, first), `spec.${first}`) ?? []),
    ...(isAnywhere ? [required('spec.nodeAffinity', 'Local volume requires node affinity')] : []),
    ...more.map((name) => forbidden(`spec.${name}`, 'may not specify more than 1 volume type')),
  ]
}

function validateNfs(source: JsonObject, field: string): FieldErrors {
  const path = textAt(source, 'path')
  return [
    ...(textAt(source, 'server') === '' ? [required(`${field}.server`)] : []),
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...(path.startsWith('/') ? [] : [invalid(`${field}.path`, path, 'must be an absolute path')]),
  ]
}

const LONGEST_DRIVER = 63
const SECRETS = ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand']

function validateCsi(source: JsonObject, field: string): FieldErrors {
  const driver = textAt(source, 'driver')
  const place = `${field}.driver`
  return [
    ...(driver === '' ? [required(place)] : invalidFor(place, driver, checkSubdomain(driver.toLowerCase()))),
    ...(driver.length > LONGEST_DRIVER ? [tooLong(place, LONGEST_DRIVER)] : []),
    ...(textAt(source, 'volumeHandle') === '' ? [required(`${field}.volumeHandle`)] : []),
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

/** Whoever empties a volume must not empty the node. */
function validateRecycling(spec: JsonObject): FieldErrors {
  const isRoot = spec.hostPath !== undefined && posix.join(textAt(objectAt(spec, 'hostPath'), 'path'), '/') === '/'
  if (!isRoot || spec.persistentVolumeReclaimPolicy !== 'Recycle') return []
  return [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
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
