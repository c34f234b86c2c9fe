import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabelKey, checkSubdomain } from '../write/names.ts'
import {
  asStruct,
  duplicate,
  type FieldErrors,
  immutable,
  invalid,
  invalidFor,
  notNegative,
  oneOf,
  required,
} from './common/field-errors.ts'
import { itemsAt, numberAt, objectAt, sortedEntries, textAt, textsAt } from './common/fields.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { nanosOf } from './common/quantity.ts'
import { validateDriver } from './pod-spec/volume-sources.ts'

const SHORTEST_TOKEN = 600
const LONGEST_TOKEN = 2 ** 32
const SHORTEST_PERIOD = 10

export function validateCsiDriver(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  const errors = validateDriverSpec(spec)
  if (!old) return errors
  const before = objectAt(old, 'spec')
  return [
    ...errors,
    ...immutable('spec.attachedRequired', spec.attachRequired, before.attachRequired),
    ...immutable('spec.volumeLifecycleModes', spec.volumeLifecycleModes, before.volumeLifecycleModes),
  ]
}

function validateDriverSpec(spec: JsonObject): FieldErrors {
  const { serviceAccountTokenInSecrets: inSecrets, nodeAllocatableUpdatePeriodSeconds: period } = spec
  const tokens = itemsAt(spec, 'tokenRequests')
  const noTokens = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
  return [
    ...oneOf('spec.fsGroupPolicy', textAt(spec, 'fsGroupPolicy'), ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...validateTokens(tokens, 'spec.tokenRequests'),
    ...textsAt(spec, 'volumeLifecycleModes').flatMap((mode) =>
      oneOf('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']),
    ),
    ...(typeof period === 'number' && period < SHORTEST_PERIOD
      ? [invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds')]
      : []),
    ...(inSecrets !== undefined && tokens.length === 0
      ? [invalid('spec.serviceAccountTokenInSecrets', inSecrets, noTokens)]
      : []),
  ]
}

function validateTokens(requests: readonly JsonObject[], field: string): FieldErrors {
  const audiences = requests.map((request) => textAt(request, 'audience'))
  return requests.flatMap((request, index) => {
    const audience = textAt(request, 'audience')
    if (audiences.indexOf(audience) < index) return [duplicate(`${field}[${index}].audience`, audience)]
    const { expirationSeconds: seconds } = request
    if (typeof seconds !== 'number') return []
    const place = `${field}[${index}].expirationSeconds`
    return [
      ...(seconds < SHORTEST_TOKEN ? [invalid(place, seconds, 'may not specify a duration less than 10 minutes')] : []),
      ...(seconds > LONGEST_TOKEN
        ? [invalid(place, seconds, 'may not specify a duration larger than 2^32 seconds')]
        : []),
    ]
  })
}

const LONGEST_NODE_ID = 256

export function validateCsiNode(object: KubeObject, old?: KubeObject): FieldErrors {
  const drivers = itemsAt(objectAt(object, 'spec'), 'drivers')
  const names = drivers.map((driver) => textAt(driver, 'name'))
  return [
    ...drivers.flatMap((driver, index) => [
      ...validateNodeDriver(driver, `spec.drivers[${index}]`, names.indexOf(textAt(driver, 'name')) < index),
      ...validateTopologyKeys(textsAt(driver, 'topologyKeys'), `spec.drivers[${index}]`),
    ]),
    ...(old ? changedDrivers(drivers, itemsAt(objectAt(old, 'spec'), 'drivers')) : []),
  ]
}

function validateNodeDriver(driver: JsonObject, field: string, isRepeated: boolean): FieldErrors {
  const [name, id] = [textAt(driver, 'name'), textAt(driver, 'nodeID')]
  const tooLong = `must be ${LONGEST_NODE_ID} characters or less`
  return [
    ...validateDriver(name, `${field}.name`),
    ...(id === '' ? [required(`${field}.nodeID`)] : []),
    ...(id.length > LONGEST_NODE_ID ? [invalid(`${field}.nodeID`, id, tooLong)] : []),
    ...notNegative(`${field}.allocatable.count`, objectAt(driver, 'allocatable').count),
    ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
  ]
}

/** The server names the driver, and not the key. */
function validateTopologyKeys(keys: readonly string[], field: string): FieldErrors {
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(field)] : []),
    ...(keys.indexOf(key) < index ? [duplicate(field, key)] : []),
    ...invalidFor(field, key, checkLabelKey(key)),
  ])
}

/** Of a driver that stays, only what a node can take may change. */
function changedDrivers(drivers: readonly JsonObject[], old: readonly JsonObject[]): FieldErrors {
  return old.flatMap((before) =>
    drivers
      .filter((driver) => textAt(driver, 'name') === textAt(before, 'name'))
      .filter((driver) => !jsonEquals(goDriver(driver), goDriver(before)))
      .map((driver) => asStruct(invalid('spec.drivers', goDriver(driver), 'field is immutable'))),
  )
}

function goDriver(driver: JsonObject): JsonObject {
  const { topologyKeys = null } = driver
  return {
    Name: textAt(driver, 'name'),
    NodeID: textAt(driver, 'nodeID'),
    TopologyKeys: topologyKeys,
    Allocatable: null,
  }
}

export function validateCsiStorageCapacity(object: KubeObject, old?: KubeObject): FieldErrors {
  const className = textAt(object, 'storageClassName')
  const { nodeTopology, capacity } = object
  const isNegative = typeof capacity === 'string' && nanosOf(capacity) < 0n
  return [
    ...validateLabelSelector(objectAt(object, 'nodeTopology'), 'nodeTopology'),
    ...invalidFor('storageClassName', className, checkSubdomain(className)),
    ...(isNegative ? [invalid('capacity', capacity, 'must be greater than or equal to 0')] : []),
    ...(old ? immutable('nodeTopology', nodeTopology, old.nodeTopology).map(asSelector) : []),
    ...(old ? immutable('storageClassName', object.storageClassName, old.storageClassName) : []),
  ]
}

/** Selectors are printed as they are declared. */
function asSelector(error: FieldErrors[number]): FieldErrors[number] {
  const { value } = error
  if (!isJsonObject(value)) return error
  const matchLabels = value.matchLabels && Object.fromEntries(sortedEntries(objectAt(value, 'matchLabels')))
  const expressions = itemsAt(value, 'matchExpressions').map(({ key, operator, values }) => ({ key, operator, values }))
  return asStruct({
    ...error,
    value: { ...(matchLabels && { matchLabels }), ...(expressions.length > 0 && { matchExpressions: expressions }) },
  })
}

const LONGEST_METADATA = 256 * 1024
const LONGEST_ERROR = 1024

/** What the status of a VolumeAttachment says of itself. */
export function validateAttachmentStatus(status: JsonObject): FieldErrors {
  const size = Object.entries(objectAt(status, 'attachmentMetadata')).reduce(
    (sum, entry) => sum + Buffer.byteLength(entry.join('')),
    0,
  )
  const tooMuch = { type: 'TooLong' as const, detail: `may not be more than ${LONGEST_METADATA} bytes` }
  return [
    ...(size > LONGEST_METADATA ? [{ ...tooMuch, field: 'status.attachmentMetadata' }] : []),
    ...['attachError', 'detachError'].flatMap((name) => {
      const error = objectAt(status, name)
      const code = numberAt(error, 'errorCode')
      return [
        // The server names another limit than the one it keeps.
        ...(textAt(error, 'message').length > LONGEST_ERROR ? [{ ...tooMuch, field: `status.${name}.message` }] : []),
        ...(code < 0 ? [invalid(`status.${name}.errorCode`, code, 'must be between 0 and 2147483647, inclusive')] : []),
      ]
    }),
  ]
}
