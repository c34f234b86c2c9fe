import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { checkLabel, checkSubdomain } from '../../write/names.ts'
import {
  type FieldErrors,
  forbidden,
  inRange,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { numberAt, objectAt, sortedEntries, textAt, textsAt } from '../common/fields.ts'
import { validateBacksteps, validateDescendingPath } from './path-validation.ts'

/** Complaints about one source of a volume. `volume` is the name of the volume. */
export type SourceCheck = (source: JsonObject, field: string, volume: string) => FieldErrors

/** One `Required` for each of the fields that is not there, or empty. */
export function requiredTexts(source: JsonObject, field: string, ...names: readonly string[]): FieldErrors {
  return names.filter((name) => textAt(source, name) === '').map((name) => required(`${field}.${name}`))
}

/** What a reference to a Secret must say, where there is one. */
function requiredOfSecret(source: JsonObject, field: string, ...names: readonly string[]): FieldErrors {
  return source.secretRef === undefined
    ? []
    : requiredTexts(objectAt(source, 'secretRef'), `${field}.secretRef`, ...names)
}

function texts(...names: readonly string[]): SourceCheck {
  return (source, field) => requiredTexts(source, field, ...names)
}

/** Of the sources that pods and PersistentVolumes have alike, in the order of the server. */
export const COMMON_SOURCES = {
  hostPath: validateHostPath,
  gcePersistentDisk: (source, field) => {
    // The server names this source otherwise.
    const place = field.replace(/gcePersistentDisk$/, 'persistentDisk')
    return [...requiredTexts(source, place, 'pdName'), ...validatePartition(source, place)]
  },
  awsElasticBlockStore: (source, field) => [
    ...requiredTexts(source, field, 'volumeID'),
    ...validatePartition(source, field),
  ],
  nfs: validateNfs,
  flocker: validateFlocker,
  quobyte: validateQuobyte,
  rbd: (source, field) => [...requiredMonitors(source, field), ...requiredTexts(source, field, 'image')],
  cephfs: requiredMonitors,
  fc: validateFibreChannel,
  flexVolume: validateFlexVolume,
  vsphereVolume: texts('volumePath'),
  photonPersistentDisk: texts('pdID'),
  portworxVolume: texts('volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: texts('gateway', 'system', 'volumeName'),
} satisfies Readonly<Record<string, SourceCheck>>

/** How pods name them; their Secrets are in the namespace of the pod. */
export const POD_SOURCES = {
  iscsi: (source, field, volume) => [
    ...validateIscsi(source, field, 'must be valid format starting with iqn, eui, or naa'),
    ...validateInitiatorLength(source, `${field.replace(/\.iscsi$/, '')}.name`, { volume, value: volume }),
  ],
  glusterfs: texts('endpoints', 'path'),
  cinder: (source, field) => [...requiredTexts(source, field, 'volumeID'), ...requiredOfSecret(source, field, 'name')],
  azureFile: texts('secretName', 'shareName'),
  storageos: (source, field) => [...validateStorageOs(source, field), ...requiredOfSecret(source, field, 'name')],
  gitRepo: (source, field) => [
    ...requiredTexts(source, field, 'repository'),
    ...validateDescendingPath(textAt(source, 'directory'), `${field}.directory`),
  ],
  csi: (source, field) => {
    const secret = objectAt(source, 'nodePublishSecretRef')
    const name = textAt(secret, 'name')
    const place = `${field}.nodePublishSecretRef.name`
    return [
      ...validateDriver(textAt(source, 'driver'), `${field}.driver`),
      ...(source.nodePublishSecretRef !== undefined && name === '' ? [required(place)] : []),
      ...(name === '' ? [] : invalidFor(`${field}.name`, name, checkSubdomain(name))),
    ]
  },
} satisfies Readonly<Record<string, SourceCheck>>

/** How PersistentVolumes name them; their Secrets have a namespace. */
export const PERSISTENT_SOURCES = {
  iscsi: (source, field, volume) => [
    ...requiredTexts(source, field, 'targetPortal'),
    ...validateInitiatorLength(source, `${field}.targetportal`, { volume, value: textAt(source, 'targetPortal') }),
    ...validateIscsi({ ...source, targetPortal: 'given' }, field, 'must be valid format'),
    ...requiredOfSecret(source, field, 'name'),
  ],
  glusterfs: (source, field) => [
    ...requiredTexts(source, field, 'endpoints', 'path'),
    ...validateEndpointsNamespace(source.endpointsNamespace, `${field}.endpointsNamespace`),
  ],
  cinder: (source, field) => [
    ...requiredTexts(source, field, 'volumeID'),
    ...requiredOfSecret(source, field, 'name', 'namespace'),
  ],
  azureFile: (source, field) => [
    ...requiredTexts(source, field, 'secretName', 'shareName'),
    ...(source.secretNamespace === '' ? [required(`${field}.secretNamespace`)] : []),
  ],
  storageos: (source, field) => [
    ...validateStorageOs(source, field),
    ...requiredOfSecret(source, field, 'name', 'namespace'),
  ],
} satisfies Readonly<Record<string, SourceCheck>>

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

function validateHostPath(source: JsonObject, field: string): FieldErrors {
  const path = textAt(source, 'path')
  if (path === '') return [required(`${field}.path`)]
  return [
    ...validateBacksteps(path, `${field}.path`),
    ...oneOf(`${field}.type`, textAt(source, 'type'), HOST_PATH_TYPES),
  ]
}

function validatePartition(source: JsonObject, field: string): FieldErrors {
  const partition = numberAt(source, 'partition')
  if (partition >= 0 && partition <= 255) return []
  return [invalid(`${field}.partition`, partition, 'must be between 1 and 255, inclusive')]
}

function validateNfs(source: JsonObject, field: string): FieldErrors {
  const path = textAt(source, 'path')
  return [
    ...requiredTexts(source, field, 'server', 'path'),
    ...(path.startsWith('/') ? [] : [invalid(`${field}.path`, path, 'must be an absolute path')]),
  ]
}

function validateFlocker(source: JsonObject, field: string): FieldErrors {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')]
  const both = 'datasetName and datasetUUID can not be specified simultaneously'
  return [
    ...(name === '' && uuid === '' ? [required(field, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && uuid !== '' ? [invalid(field, 'resource', both)] : []),
    ...(name.includes('/') ? [invalid(`${field}.datasetName`, name, "must not contain '/'")] : []),
  ]
}

const PAIRS = 'must be a host:port pair or multiple pairs separated by commas'

function validateQuobyte(source: JsonObject, field: string): FieldErrors {
  const registry = textAt(source, 'registry')
  const isTooLong = textAt(source, 'tenant').length >= 65
  const place = `${field}.registry`
  const wrong = registry.split(',').filter((pair) => !/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair))
  return [
    ...(registry === '' ? [required(place, PAIRS)] : []),
    ...(registry !== '' && isTooLong
      ? [required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')]
      : []),
    ...(registry !== '' && !isTooLong ? wrong.map(() => invalid(place, registry, PAIRS)) : []),
    ...requiredTexts(source, field, 'volume'),
  ]
}

function requiredMonitors(source: JsonObject, field: string): FieldErrors {
  return textsAt(source, 'monitors').length === 0 ? [required(`${field}.monitors`)] : []
}

function validateFibreChannel(source: JsonObject, field: string): FieldErrors {
  const [names, ids] = [textsAt(source, 'targetWWNs'), textsAt(source, 'wwids')]
  const { lun } = source
  const place = `${field}.targetWWNs`
  const both = 'targetWWNs and wwids can not be specified simultaneously'
  return [
    ...(names.length === 0 && ids.length === 0
      ? [required(place, 'must specify either targetWWNs or wwids, but not both')]
      : []),
    ...(names.length > 0 && ids.length > 0 ? [invalid(place, [...names], both)] : []),
    ...(names.length > 0 && lun === undefined
      ? [required(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
    ...(names.length > 0 && typeof lun === 'number' ? inRange(`${field}.lun`, lun, [0, 255]) : []),
  ]
}

function validateFlexVolume(source: JsonObject, field: string): FieldErrors {
  const reserved = sortedEntries(objectAt(source, 'options')).filter(([key]) =>
    /\.(?:kubernetes|k8s)\.io$/.test(`.${key.split('/')[0]}`.toLowerCase()),
  )
  return [
    ...requiredTexts(source, field, 'driver'),
    ...reserved.map(([key]) =>
      invalid(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
  ]
}

const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

function validateAzureDisk(source: JsonObject, field: string): FieldErrors {
  const kind = textAt(source, 'kind')
  const uri = textAt(source, 'diskURI')
  const place = `${field}.diskURI`
  const isManaged = kind === 'Managed'
  return [
    ...requiredTexts(source, field, 'diskName', 'diskURI'),
    ...oneOf(`${field}.cachingMode`, textAt(source, 'cachingMode'), ['None', 'ReadOnly', 'ReadWrite']),
    ...oneOf(`${field}.kind`, kind, ['Dedicated', 'Managed', 'Shared']),
    ...(isManaged && !uri.startsWith('/subscriptions/') ? [notSupported(place, uri, [MANAGED_DISK])] : []),
    ...(!isManaged && !uri.startsWith('https://') ? [notSupported(place, uri, [BLOB_DISK])] : []),
  ]
}

const NAME_FORMS: readonly RegExp[] = [
  /^iqn.*iqn\.\d{4}-\d{2}\.[\dA-Za-z.-]+:[^,;*&$|\s]+$|^iqn\.\d{4}-\d{2}\.[\dA-Za-z.-]+:[^,;*&$|\s]+$/,
  /^eui.[\dA-Za-z]{16}$/,
  /^naa.[\dA-Za-z]{32}$/,
]

/** `start` is what the server says of a name that begins with none of the three words. */
function validateIscsi(source: JsonObject, field: string, start: string): FieldErrors {
  const lun = numberAt(source, 'lun')
  const isSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true
  const { initiatorName } = source
  return [
    ...requiredTexts(source, field, 'targetPortal', 'iqn'),
    ...validateIscsiName(textAt(source, 'iqn'), `${field}.iqn`, start),
    ...inRange(`${field}.lun`, lun, [0, 255]),
    ...(isSecret && source.secretRef === undefined ? [required(`${field}.secretRef`)] : []),
    ...(typeof initiatorName === 'string' ? validateIscsiName(initiatorName, `${field}.initiatorname`, start) : []),
  ]
}

function validateIscsiName(name: string, field: string, start: string): FieldErrors {
  if (name === '' && field.endsWith('.iqn')) return []
  if (!/^(?:iqn|eui|naa)/.test(name)) return [invalid(field, name, start)]
  return NAME_FORMS.some((form) => form.test(name)) ? [] : [invalid(field, name, 'must be valid format')]
}

function validateInitiatorLength(
  { initiatorName, targetPortal }: JsonObject,
  field: string,
  { volume, value }: { readonly volume: string; readonly value: string },
): FieldErrors {
  if (initiatorName === undefined || `${volume}:${targetPortal ?? ''}`.length <= 64) return []
  const text =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
  return [invalid(field, value, text)]
}

function validateEndpointsNamespace(namespace: JsonValue | undefined, field: string): FieldErrors {
  if (typeof namespace !== 'string') return []
  if (namespace !== '') return invalidFor(field, namespace, checkLabel(namespace))
  return [invalid(field, '', 'if the endpointnamespace is set, it must be a valid namespace name')]
}

function validateStorageOs(source: JsonObject, field: string): FieldErrors {
  const [name, namespace] = [textAt(source, 'volumeName'), textAt(source, 'volumeNamespace')]
  return [
    ...(name === '' ? [required(`${field}.volumeName`)] : invalidFor(`${field}.volumeName`, name, checkLabel(name))),
    ...(namespace === '' ? [] : invalidFor(`${field}.volumeNamespace`, namespace, checkLabel(namespace))),
  ]
}

const LONGEST_DRIVER = 63

export function validateDriver(driver: string, field: string): FieldErrors {
  if (driver === '') return [required(field)]
  return [
    ...(driver.length > LONGEST_DRIVER ? [tooLong(field, LONGEST_DRIVER)] : []),
    ...invalidFor(field, driver, checkSubdomain(driver.toLowerCase())),
  ]
}

/** In which order the server looks at sources, and how it calls the others when there are several. */
export interface SourceOrder {
  readonly checks: Readonly<Record<string, SourceCheck>>
  readonly names: Readonly<Record<string, string>>
}

/** Complaints about the sources of a volume: the first is looked at, all others are too many. */
export function validateSources(volume: JsonObject, field: string, { checks, names }: SourceOrder): FieldErrors {
  const [first, ...more] = Object.keys(checks).filter((name) => volume[name] !== undefined)
  if (first === undefined) return [required(field, 'must specify a volume type')]
  return [
    ...(checks[first]?.(objectAt(volume, first), `${field}.${first}`, textAt(volume, 'name')) ?? []),
    ...more.map((name) => forbidden(`${field}.${names[name] ?? name}`, 'may not specify more than 1 volume type')),
  ]
}
