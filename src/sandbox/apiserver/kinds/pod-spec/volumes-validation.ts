import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { checkLabel } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notFound,
  oneOf,
  required,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { nanosOf } from '../common/quantity.ts'
import { VOLUME_FIELDS, validateFieldRef, validateResourceFieldRef } from './environment-validation.ts'

/** Complaints about the volumes of a pod, and the names that containers can mount. */
export function validateVolumes(spec: JsonObject, field: string): { errors: FieldErrors; names: ReadonlySet<string> } {
  const names = new Set<string>()
  const errors = itemsAt(spec, 'volumes').flatMap((volume, index) => {
    const place = `${field}[${index}]`
    const name = textAt(volume, 'name')
    const found = [
      ...validateSource(volume, place),
      ...(name === '' ? [required(`${place}.name`)] : invalidFor(`${place}.name`, name, checkLabel(name))),
      ...(names.has(name) ? [duplicate(`${place}.name`, name)] : []),
    ]
    if (found.length === 0) names.add(name)
    return found
  })
  return { errors, names }
}

export function validateVolumeMounts(container: JsonObject, field: string, volumes: ReadonlySet<string>): FieldErrors {
  const paths = new Set<string>()
  return itemsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const place = `${field}[${index}]`
    const name = textAt(mount, 'name')
    const path = textAt(mount, 'mountPath')
    const isTaken = paths.has(path)
    paths.add(path)
    return [
      ...(name === '' ? [required(`${place}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${place}.name`, name)]),
      ...(path === '' ? [required(`${place}.mountPath`)] : []),
      ...(isTaken ? [invalid(`${place}.mountPath`, path, 'must be unique')] : []),
      ...validateDescendingPath(textAt(mount, 'subPath'), `${field}.subPath`),
    ]
  })
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']
const MODE = 'must be a number between 0 and 0777 (octal), both inclusive'

type Check = (source: JsonObject, field: string) => FieldErrors

/** In the order of the server: the first source given is looked at, the others are too many. */
const SOURCES: Readonly<Record<string, Check>> = {
  emptyDir: (source, field) =>
    nanosOf(source.sizeLimit) < 0n
      ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  hostPath: validateHostPath,
  secret: (source, field) => [...requiredText(source, 'secretName', field), ...validateKeyedFiles(source, field)],
  nfs: (source, field) => [...requiredText(source, 'server', field), ...requiredText(source, 'path', field)],
  persistentVolumeClaim: (source, field) => requiredText(source, 'claimName', field),
  downwardAPI: (source, field) => validateDownwardFiles(source, field),
  configMap: (source, field) => [...requiredText(source, 'name', field), ...validateKeyedFiles(source, field)],
  projected: (source, field) =>
    itemsAt(source, 'sources').flatMap((each, index) => [
      ...validateProjection(each, `${field}.sources[${index}]`),
      // The server names the volume here, not the source.
      ...(each.serviceAccountToken === undefined
        ? []
        : validateLocalPath(textAt(objectAt(each, 'serviceAccountToken'), 'path'), `${field}.path`)),
    ]),
  csi: (source, field) => requiredText(source, 'driver', field),
  image: (source, field) => oneOf(`${field}.pullPolicy`, textAt(source, 'pullPolicy'), PULL_POLICIES),
}

function validateSource(volume: JsonObject, field: string): FieldErrors {
  const given = Object.keys(volume).filter((name) => name !== 'name' && isJsonObject(volume[name]))
  const known = Object.keys(SOURCES)
  const [first = '', ...more] = given.sort((left, right) => known.indexOf(left) - known.indexOf(right))
  return [
    ...(SOURCES[first]?.(objectAt(volume, first), `${field}.${first}`) ?? []),
    ...more.map((name) => forbidden(`${field}.${name}`, 'may not specify more than 1 volume type')),
  ]
}

function requiredText(source: JsonObject, name: string, field: string): FieldErrors {
  return textAt(source, name) === '' ? [required(`${field}.${name}`)] : []
}

export function validateHostPath(source: JsonObject, field: string): FieldErrors {
  const path = textAt(source, 'path')
  if (path === '') return [required(`${field}.path`)]
  return [
    ...validateBacksteps(path, `${field}.path`),
    ...oneOf(`${field}.type`, textAt(source, 'type'), HOST_PATH_TYPES),
  ]
}

function validateKeyedFiles(source: JsonObject, field: string): FieldErrors {
  return [
    ...validateMode(source.defaultMode, `${field}.defaultMode`),
    ...itemsAt(source, 'items').flatMap((item, index) => validateKeyToPath(item, `${field}.items[${index}]`)),
  ]
}

function validateKeyToPath(item: JsonObject, field: string): FieldErrors {
  return [
    ...requiredText(item, 'key', field),
    ...requiredText(item, 'path', field),
    ...validateDescendingPath(textAt(item, 'path'), `${field}.path`),
    ...validateMode(item.mode, `${field}.mode`),
  ]
}

function validateDownwardFiles(source: JsonObject, field: string): FieldErrors {
  const files = itemsAt(source, 'items').flatMap((file) => [
    ...requiredText(file, 'path', field),
    ...validateDescendingPath(textAt(file, 'path'), `${field}.path`),
    ...validateDownwardSource(file, field),
    ...validateMode(file.mode, `${field}.mode`),
  ])
  return [...validateMode(source.defaultMode, `${field}.defaultMode`), ...files]
}

function validateDownwardSource(file: JsonObject, field: string): FieldErrors {
  const both = file.fieldRef !== undefined && file.resourceFieldRef !== undefined
  if (file.fieldRef !== undefined) {
    const text = 'fieldRef and resourceFieldRef can not be specified simultaneously'
    const errors = validateFieldRef(objectAt(file, 'fieldRef'), `${field}.fieldRef`, VOLUME_FIELDS)
    return both ? [...errors, invalid(field, 'resource', text)] : errors
  }
  if (file.resourceFieldRef === undefined) return [required(field, 'one of fieldRef and resourceFieldRef is required')]
  const reference = objectAt(file, 'resourceFieldRef')
  const place = `${field}.resourceFieldRef`
  // A container can speak of itself, a volume cannot.
  if (textAt(reference, 'containerName') === '') return [required(`${place}.containerName`)]
  return validateResourceFieldRef(reference, place)
}

const PROJECTIONS: Readonly<Record<string, Check>> = {
  secret: (source, field) => [...requiredText(source, 'name', field), ...validateKeyedFiles(source, field)],
  configMap: (source, field) => [...requiredText(source, 'name', field), ...validateKeyedFiles(source, field)],
  downwardAPI: validateDownwardFiles,
  serviceAccountToken: validateTokenTime,
}

function validateProjection(projection: JsonObject, field: string): FieldErrors {
  return Object.entries(PROJECTIONS).flatMap(([name, validate]) =>
    isJsonObject(projection[name]) ? validate(objectAt(projection, name), `${field}.${name}`) : [],
  )
}

const SHORTEST = 10 * 60
const LONGEST = 2 ** 32

function validateTokenTime(source: JsonObject, field: string): FieldErrors {
  const seconds = numberAt(source, 'expirationSeconds')
  const place = `${field}.expirationSeconds`
  return [
    ...(seconds < SHORTEST ? [invalid(place, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > LONGEST ? [invalid(place, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
  ]
}

/** A path within a volume, beside what the kubelet keeps there under names that begin with two dots. */
function validateLocalPath(path: string, field: string): FieldErrors {
  if (path === '') return [required(field)]
  const isReserved = path.startsWith('..') && !path.startsWith('../')
  const errors = validateDescendingPath(path, field)
  return isReserved ? [...errors, invalid(field, path, "must not start with '..'")] : errors
}

function validateMode(mode: JsonValue | undefined, field: string): FieldErrors {
  if (typeof mode !== 'number' || (mode >= 0 && mode <= 0o777)) return []
  return [invalid(field, mode, MODE)]
}

export function validateDescendingPath(path: string, field: string): FieldErrors {
  if (path === '') return []
  const absolute = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []
  return [...absolute, ...validateBacksteps(path, field)]
}

export function validateBacksteps(path: string, field: string): FieldErrors {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : []
}
