import { isJsonObject, type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { validateConditions } from '../common/conditions.ts'
import {
  asStruct,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { checkInterfaceAddress } from '../common/ip-ranges.ts'
import { validateNodeSelector } from '../pod-spec/scheduling-validation.ts'
import { requestNamesOf, validateReference } from './claim-spec.ts'
import { allocationStruct } from './claim-structs.ts'
import { validateConfiguration, validateData } from './configuration-validation.ts'
import { validateList, validateSet, validateTexts } from './lists.ts'
import { validateDriver, validateLabelName, validatePoolName, validateUid } from './names-validation.ts'

const MOST_CONSUMERS = 256
const MOST_RESULTS = 32

/** Drops the status of devices that are no longer allocated. */
export function withoutReturnedDevices(status: JsonObject, old: JsonObject): JsonObject {
  const { devices: _, ...rest } = status
  const now = allocatedDevices(status)
  const returned = new Set([...allocatedDevices(old)].filter((device) => !now.has(device)))
  const devices = itemsAt(status, 'devices').filter((device) => !returned.has(idOf(device)))
  return devices.length === 0 ? rest : { ...rest, devices }
}

/** Where a device is found; of one that is shared, also the share. */
function deviceStruct(device: JsonObject): JsonObject {
  const [driver, pool, name, share] = ['driver', 'pool', 'device', 'shareID'].map((field) => textAt(device, field))
  return { Driver: driver, Pool: pool, Device: name, ShareID: share }
}

function idOf(device: JsonObject): string {
  return JSON.stringify(deviceStruct(device))
}

function allocatedDevices(status: JsonObject): ReadonlySet<string> {
  return new Set(itemsAt(objectAt(objectAt(status, 'allocation'), 'devices'), 'results').map(idOf))
}

export function validateClaimStatus(
  object: KubeObject,
  old: KubeObject,
  stored: (object: KubeObject) => KubeObject,
): FieldErrors {
  const [status, before] = [objectAt(object, 'status'), objectAt(old, 'status')]
  const isKept = jsonEquals(objectAt(stored(object), 'status').allocation, before.allocation)
  const allocated = allocatedDevices(status)
  return [
    ...validateSet(itemsAt(status, 'reservedFor'), MOST_CONSUMERS, 'status.reservedFor', {
      check: validateConsumer,
      key: (consumer) => textAt(consumer, 'uid'),
    }),
    ...validateSet(itemsAt(status, 'devices'), Number.POSITIVE_INFINITY, 'status.devices', {
      check: (device, field) => validateDevice(device, field, allocated),
      key: deviceStruct,
    }),
    ...validateReservations(status, before, object.metadata.deletionTimestamp !== undefined),
    ...(isKept ? [] : validateAllocation(status, before, requestNamesOf(objectAt(object, 'spec')))),
  ]
}

function validateConsumer(consumer: JsonObject, field: string): FieldErrors {
  return ['resource', 'name', 'uid'].flatMap((name) =>
    textAt(consumer, name) === '' ? [required(`${field}.${name}`)] : [],
  )
}

function validateReservations(status: JsonObject, old: JsonObject, isDeleted: boolean): FieldErrors {
  const field = 'status.reservedFor'
  const consumers = itemsAt(status, 'reservedFor')
  if (consumers.length === 0) return []
  if (status.allocation === undefined) {
    return [forbidden(field, 'may not be specified when `allocated` is not set')]
  }
  const before = itemsAt(old, 'reservedFor')
  const isAdded = consumers.some((consumer) => !before.some((each) => jsonEquals(each, consumer)))
  const text = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
  return isDeleted && isAdded ? [forbidden(field, text)] : []
}

function validateAllocation(status: JsonObject, old: JsonObject, names: ReadonlySet<string>): FieldErrors {
  const { allocation } = status
  const field = 'status.allocation'
  if (!isJsonObject(allocation)) return []
  if (old.allocation !== undefined) {
    return [asStruct(invalid(field, allocationStruct(allocation), 'field is immutable'))]
  }
  const devices = objectAt(allocation, 'devices')
  return [
    ...validateList(itemsAt(devices, 'results'), MOST_RESULTS, `${field}.devices.results`, (result, at) => [
      ...validateReference(textAt(result, 'request'), `${at}.request`, names),
      ...validatePlace(result, at),
    ]),
    ...validateList(itemsAt(devices, 'config'), 2 * MOST_RESULTS, `${field}.devices.config`, (config, at) =>
      validateUsedConfiguration(config, at, names),
    ),
    ...(isJsonObject(allocation.nodeSelector)
      ? validateNodeSelector(allocation.nodeSelector, `${field}.nodeSelector`)
      : []),
  ]
}

function validatePlace(device: JsonObject, field: string): FieldErrors {
  return [
    ...validateDriver(textAt(device, 'driver'), `${field}.driver`),
    ...validatePoolName(textAt(device, 'pool'), `${field}.pool`),
    ...validateLabelName(textAt(device, 'device'), `${field}.device`),
    ...(typeof device.shareID === 'string' ? validateUid(device.shareID, `${field}.shareID`) : []),
  ]
}

function validateUsedConfiguration(config: JsonObject, field: string, names: ReadonlySet<string>): FieldErrors {
  const source = textAt(config, 'source')
  const place = `${field}.source`
  const isKnown = source === 'FromClass' || source === 'FromClaim'
  const unknown = source === '' ? [required(place)] : [notSupported(place, source, ['FromClaim', 'FromClass'])]
  const check = (name: string, at: string): FieldErrors => validateReference(name, at, names)
  return [
    ...(isKnown ? [] : unknown),
    ...validateTexts(config, 'requests', { most: MOST_RESULTS, field, check }),
    ...validateConfiguration(config, field),
  ]
}

function validateDevice(device: JsonObject, field: string, allocated: ReadonlySet<string>): FieldErrors {
  const text = 'must be an allocated device in the claim'
  return [
    ...validatePlace(device, field),
    ...(allocated.has(idOf(device)) ? [] : [asStruct(invalid(field, deviceStruct(device), text))]),
    ...validateConditions(itemsAt(device, 'conditions'), `${field}.conditions`),
    ...(device.data === undefined ? [] : validateData(device.data, `${field}.data`)),
    ...validateNetworkData(objectAt(device, 'networkData'), `${field}.networkData`),
  ]
}

const LONGEST_INTERFACE = 256
const LONGEST_HARDWARE_ADDRESS = 128
const MOST_ADDRESSES = 16

function validateNetworkData(data: JsonObject, field: string): FieldErrors {
  return [
    ...validateLength(textAt(data, 'interfaceName'), LONGEST_INTERFACE, `${field}.interfaceName`),
    ...validateLength(textAt(data, 'hardwareAddress'), LONGEST_HARDWARE_ADDRESS, `${field}.hardwareAddress`),
    ...validateTexts(data, 'ips', {
      most: MOST_ADDRESSES,
      field,
      check: (address, at) => invalidFor(at, address, checkInterfaceAddress(address)),
    }),
  ]
}

function validateLength(text: string, most: number, field: string): FieldErrors {
  return Buffer.byteLength(text) > most ? [tooLong(field, most)] : []
}
