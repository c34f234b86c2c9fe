import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabel, checkLabelKey, checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, invalid, invalidFor, notFound, notSupported, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { checkConfigKey, checkEnvironmentName } from '../common/formats.ts'
import { allContainers } from './all-containers.ts'
import { validateBacksteps } from './path-validation.ts'
import { validateResourceFieldRef } from './resource-field-validation.ts'

/** `env` and `envFrom` of a container. */
export function validateEnvironment(container: JsonObject, field: string): FieldErrors {
  const variables = itemsAt(container, 'env')
  return [
    ...variables.flatMap((variable, index) => validateVariable(variable, `${field}.env[${index}]`)),
    ...validateEnvFrom(container, `${field}.envFrom`),
  ]
}

function validateVariable(variable: JsonObject, field: string): FieldErrors {
  const name = textAt(variable, 'name')
  return [
    ...(name === '' ? [required(`${field}.name`)] : invalidFor(`${field}.name`, name, checkEnvironmentName(name))),
    ...validateValueFrom(variable, `${field}.valueFrom`),
  ]
}

const SOURCES: Readonly<Record<string, (source: JsonObject, field: string) => FieldErrors>> = {
  fieldRef: (source, field) => validateFieldRef(source, field, ENVIRONMENT_FIELDS),
  resourceFieldRef: validateResourceFieldRef,
  configMapKeyRef: validateKeyRef,
  secretKeyRef: validateKeyRef,
  fileKeyRef: validateFileKeyRef,
}

function validateValueFrom(variable: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(variable.valueFrom)) return []
  const valueFrom = objectAt(variable, 'valueFrom')
  const given = Object.entries(SOURCES).filter(([name]) => valueFrom[name] !== undefined)
  const errors = given.flatMap(([name, validate]) => validate(objectAt(valueFrom, name), `${field}.${name}`))
  return [...errors, ...validateCount(given.length, { field, hasValue: textAt(variable, 'value') !== '' })]
}

function validateCount(count: number, { field, hasValue }: { field: string; hasValue: boolean }): FieldErrors {
  if (count === 0) {
    const list = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    return [invalid(field, '', `must specify one of: ${list}`)]
  }
  if (hasValue) return [invalid(field, '', 'may not be specified when `value` is not empty')]
  return count > 1 ? [invalid(field, '', 'may not have more than one field specified at a time')] : []
}

function validateKeyRef(source: JsonObject, field: string): FieldErrors {
  const name = textAt(source, 'name')
  const key = textAt(source, 'key')
  return [
    ...invalidFor(`${field}.name`, name, checkSubdomain(name)),
    ...(key === '' ? [required(`${field}.key`)] : invalidFor(`${field}.key`, key, checkConfigKey(key))),
  ]
}

/** A variable in a file, which a container before has written into a volume. */
function validateFileKeyRef(source: JsonObject, field: string): FieldErrors {
  const [key, volume, path] = ['key', 'volumeName', 'path'].map((name) => textAt(source, name)) as [
    string,
    string,
    string,
  ]
  return [
    ...(key === '' ? [required(`${field}.key`)] : invalidFor(`${field}.key`, key, checkEnvironmentName(key))),
    ...(volume === ''
      ? [required(`${field}.volumeName`)]
      : invalidFor(`${field}.volumeName`, volume, checkLabel(volume))),
    ...(path === '' ? [required(`${field}.path`)] : validateBacksteps(path, `${field}.path`)),
  ]
}

/** Files with variables lie in volumes of the pod that are empty when it starts. */
export function validateVariableFiles(spec: JsonObject, field: string): FieldErrors {
  const volumes = new Map(itemsAt(spec, 'volumes').map((volume) => [textAt(volume, 'name'), volume]))
  return allContainers(spec, field).flatMap(([container, place]) =>
    itemsAt(container, 'env').flatMap((variable, index) => {
      const { fileKeyRef } = objectAt(variable, 'valueFrom')
      if (!isJsonObject(fileKeyRef)) return []
      const name = textAt(fileKeyRef, 'volumeName')
      const volume = volumes.get(name)
      const where = `${place}.env[${index}].valueFrom.fileKeyRef.volumeName`
      if (volume === undefined) return [notFound(where, name)]
      return volume.emptyDir === undefined ? [invalid(where, name, 'referenced volume must be of type emptyDir')] : []
    }),
  )
}

const ENVIRONMENT_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
/** What a downward volume can show. */
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]
const CONVERTIBLE = new Set([
  ...ENVIRONMENT_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

/** A reference to a field of the pod; `fields` are those the place can show. */
export function validateFieldRef(source: JsonObject, field: string, fields: readonly string[]): FieldErrors {
  const path = textAt(source, 'fieldPath')
  if (path === '') return [required(`${field}.fieldPath`)]
  const version = textAt(source, 'apiVersion')
  if (version !== 'v1' && version !== '') {
    return [invalid(`${field}.fieldPath`, path, `error converting fieldPath: unsupported pod version: ${version}`)]
  }
  const [, base, key] = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(path) ?? []
  if (base !== undefined && key !== undefined) {
    const name = base === 'metadata.labels' ? key : key.toLowerCase()
    return invalidFor(field, name, checkLabelKey(name))
  }
  if (!CONVERTIBLE.has(path)) {
    const cause = /^.+\['.*'\]$/.test(path) ? 'does not support subscript' : 'not supported'
    return [invalid(`${field}.fieldPath`, path, `error converting fieldPath: field label ${cause}: ${path}`)]
  }
  return fields.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, fields)]
}

function validateEnvFrom(container: JsonObject, field: string): FieldErrors {
  return itemsAt(container, 'envFrom').flatMap((source, index) => {
    const place = `${field}[${index}]`
    const prefix = textAt(source, 'prefix')
    const given = ['configMapRef', 'secretRef'].filter((name) => source[name] !== undefined)
    return [
      ...(prefix === '' ? [] : invalidFor(`${place}.prefix`, prefix, checkEnvironmentName(prefix))),
      ...given.flatMap((name) => validateObjectName(objectAt(source, name), `${place}.${name}.name`)),
      ...(given.length === 0 ? [invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`')] : []),
      ...(given.length > 1 ? [invalid(field, '', 'may not have more than one field specified at a time')] : []),
    ]
  })
}

function validateObjectName(reference: JsonObject, field: string): FieldErrors {
  const name = textAt(reference, 'name')
  return name === '' ? [required(field)] : invalidFor(field, name, checkSubdomain(name))
}
