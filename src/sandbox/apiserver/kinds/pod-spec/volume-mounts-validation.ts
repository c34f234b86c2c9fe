import type { JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, invalid, notFound, notSupported, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { validateBacksteps, validateDescendingPath } from './path-validation.ts'

/** The volumes of a pod that are valid, by their names. */
export type Volumes = ReadonlyMap<string, JsonObject>

/** Complaints about `volumeMounts` and `volumeDevices` of a container. */
export function validateVolumeUses(container: JsonObject, field: string, volumes: Volumes): FieldErrors {
  const mounts = itemsAt(container, 'volumeMounts').map(
    (mount): Use => [textAt(mount, 'name'), textAt(mount, 'mountPath')],
  )
  const devices = itemsAt(container, 'volumeDevices').map(
    (device): Use => [textAt(device, 'name'), textAt(device, 'devicePath')],
  )
  return [
    ...validateMounts(container, `${field}.volumeMounts`, { volumes, others: devices }),
    ...validateDevices(devices, `${field}.volumeDevices`, { volumes, others: mounts }),
  ]
}

/** Of a volume: its name, and where in the container it is. */
type Use = readonly [name: string, path: string]

interface Surroundings {
  readonly volumes: Volumes
  /** What else the container has of volumes. */
  readonly others: readonly Use[]
}

function validateMounts(container: JsonObject, field: string, { volumes, others }: Surroundings): FieldErrors {
  const paths = new Set<string>()
  return itemsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const place = `${field}[${index}]`
    const use: Use = [textAt(mount, 'name'), textAt(mount, 'mountPath')]
    const [name, path] = use
    const isTaken = paths.has(path)
    paths.add(path)
    return [
      ...(name === '' ? [required(`${place}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${place}.name`, name)]),
      ...(path === '' ? [required(`${place}.mountPath`)] : []),
      ...(isTaken ? [invalid(`${place}.mountPath`, path, 'must be unique')] : []),
      ...validateNoOverlap(use, { place, path: 'mountPath', list: 'volumeDevices' }, others),
      ...validateSubPaths(mount, field, place),
      ...validatePropagation(mount, container, `${field}.mountPropagation`),
      ...validateRecursion(mount, `${field}.recursiveReadOnly`),
    ]
  })
}

/** The server names the list here, not the mount. */
function validateSubPaths(mount: JsonObject, field: string, place: string): FieldErrors {
  const [path, expression] = [textAt(mount, 'subPath'), textAt(mount, 'subPathExpr')]
  const both = 'subPathExpr and subPath are mutually exclusive'
  return [
    ...validateDescendingPath(path, `${field}.subPath`),
    ...(path !== '' && expression !== '' ? [invalid(`${place}.subPathExpr`, expression, both)] : []),
    ...validateDescendingPath(expression, `${field}.subPathExpr`),
  ]
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None']

function validatePropagation({ mountPropagation }: JsonObject, container: JsonObject, field: string): FieldErrors {
  if (mountPropagation === undefined) return []
  const isPrivileged = objectAt(container, 'securityContext').privileged === true
  const text = 'Bidirectional mount propagation is available only to privileged containers'
  return [
    ...(PROPAGATIONS.includes(String(mountPropagation)) ? [] : [notSupported(field, mountPropagation, PROPAGATIONS)]),
    ...(mountPropagation === 'Bidirectional' && !isPrivileged ? [forbidden(field, text)] : []),
  ]
}

const RECURSIONS = ['Disabled', 'Enabled', 'IfPossible']

function validateRecursion(mount: JsonObject, field: string): FieldErrors {
  const { recursiveReadOnly: recursion, readOnly, mountPropagation: propagation } = mount
  if (recursion === undefined || recursion === 'Disabled') return []
  if (!RECURSIONS.includes(String(recursion))) return [notSupported(field, recursion, RECURSIONS)]
  const isPropagated = propagation !== undefined && propagation !== 'None'
  return [
    ...(readOnly === true ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(isPropagated ? [forbidden(field, 'may only be specified when mountPropagation is None or not specified')] : []),
  ]
}

function validateDevices(devices: readonly Use[], field: string, { volumes, others }: Surroundings): FieldErrors {
  const names = new Set<string>()
  const paths = new Set<string>()
  return devices.flatMap((use, index) => {
    const [name, path] = use
    const place = `${field}[${index}]`
    const volume = volumes.get(name)
    const isBlock = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined
    const leadsUp = path !== '' && validateBacksteps(path, '').length > 0
    const errors = [
      ...(name === '' ? [required(`${place}.name`)] : []),
      ...(names.has(name) ? [invalid(`${place}.name`, name, 'must be unique')] : []),
      ...(volume && !isBlock ? [invalid(`${place}.name`, name, NOT_BLOCK)] : []),
      ...(volume ? [] : [notFound(`${place}.name`, name)]),
      ...(path === '' ? [required(`${place}.devicePath`)] : []),
      ...(paths.has(path) ? [invalid(`${place}.devicePath`, path, 'must be unique')] : []),
      ...(leadsUp ? [invalid(`${place}.devicePath`, path, "can not contain backsteps ('..')")] : []),
      ...validateNoOverlap(use, { place, path: 'devicePath', list: 'volumeMounts' }, others),
    ]
    if (!leadsUp) paths.add(path)
    if (name !== '') names.add(name)
    return errors
  })
}

const NOT_BLOCK = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'

interface Overlap {
  readonly place: string
  /** The field with the path. */
  readonly path: string
  /** The other list. */
  readonly list: string
}

function validateNoOverlap(
  [name, path]: Use,
  { place, path: pathField, list }: Overlap,
  others: readonly Use[],
): FieldErrors {
  const isNamed = others.some(([other]) => other === name)
  const isThere = others.some(([, other]) => other === path)
  return [
    ...(isNamed ? [invalid(`${place}.name`, name, `must not already exist in ${list}`)] : []),
    ...(isThere ? [invalid(`${place}.${pathField}`, path, `must not already exist as a path in ${list}`)] : []),
  ]
}
