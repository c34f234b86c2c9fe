import { isJsonObject, type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import { checkLabelKey, checkLabelValue, checkSubdomain } from '../../write/names.ts'
import {
  asStruct,
  duplicate,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  oneOf,
  required,
  tooLong,
  tooMany,
} from '../common/field-errors.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from '../common/fields.ts'
import { asGoStruct } from '../common/go-struct.ts'
import { validateNodeSelector } from '../pod-spec/scheduling-validation.ts'
import { DEVICE_TAINT_EFFECTS } from './claim-spec.ts'
import { type ItemCheck, validateList, validateNamed } from './lists.ts'
import { validateConditionName, validateLabelName, validateQualifiedName } from './names-validation.ts'

const MOST_ATTRIBUTES = 32
const MOST_TAINTS = 16
const MOST_COUNTERS = 32
const MOST_CONSUMPTIONS = 2
const MOST_CONDITIONS = 4
const LONGEST_VALUE = 64

interface DeviceOptions {
  /** Each device says for itself on which nodes it is. */
  readonly perDevice: boolean
  /** The device of this name before. */
  readonly old: JsonObject | undefined
}

export function validateDevice(device: JsonObject, field: string, { perDevice, old }: DeviceOptions): FieldErrors {
  const [attributes, capacity] = [objectAt(device, 'attributes'), objectAt(device, 'capacity')]
  const size = sortedEntries(attributes).length + sortedEntries(capacity).length
  const tooLarge = `the total number of attributes and capacities must not exceed ${MOST_ATTRIBUTES}`
  const sameTaints = old !== undefined && jsonEquals(old.taints, device.taints)
  const isShared = device.allowMultipleAllocations === true
  return [
    ...validateLabelName(textAt(device, 'name'), `${field}.name`),
    ...(size > MOST_ATTRIBUTES ? [invalid(field, size, tooLarge)] : []),
    ...validateMap(attributes, `${field}.attributes`, validateQualifiedName, validateAttribute),
    ...validateMap(capacity, `${field}.capacity`, validateQualifiedName, (value, at) =>
      isShared || value.requestPolicy === undefined
        ? []
        : [forbidden(`${at}.requestPolicy`, 'allowMultipleAllocations must be true')],
    ),
    ...(sameTaints ? [] : validateList(itemsAt(device, 'taints'), MOST_TAINTS, `${field}.taints`, validateTaint)),
    ...validateNamed(device, 'consumesCounters', {
      most: MOST_CONSUMPTIONS,
      field,
      key: 'counterSet',
      check: (consumption, at) => validateCounters(consumption, 'counterSet', at),
    }),
    ...validateNodes(device, field, perDevice),
    ...validateConditions(device, field),
  ]
}

function validateMap(
  map: JsonObject,
  field: string,
  checkKey: (key: string, field: string) => FieldErrors,
  check: ItemCheck<JsonObject>,
): FieldErrors {
  return sortedEntries(map).flatMap(([key, value]) => [
    ...checkKey(key, field),
    ...check(isJsonObject(value) ? value : {}, `${field}[${key}]`),
  ])
}

const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/
const VALUES = ['IntValue', 'BoolValue', 'StringValue', 'VersionValue']
const LISTS = ['IntValues', 'BoolValues', 'StringValues', 'VersionValues']

function validateAttribute(attribute: JsonObject, field: string): FieldErrors {
  const { int, bool, string, version } = attribute
  const set = [int, bool, string, version].filter((value) => value !== undefined)
  const named = { IntValue: int, BoolValue: bool, StringValue: string, VersionValue: version }
  const shown = set.length === 0 ? '' : asGoStruct(named, [...VALUES, ...LISTS], null)
  const badVersion = 'must be a string compatible with semver.org spec 2.0.0'
  return [
    ...(typeof string === 'string' ? validateLength(string, `${field}.string`) : []),
    ...(typeof version === 'string' && !SEMVER.test(version) ? [invalid(`${field}.version`, version, badVersion)] : []),
    ...(typeof version === 'string' ? validateLength(version, `${field}.version`) : []),
    ...(set.length === 1 ? [] : [asStruct(invalid(field, shown, 'exactly one value must be specified'))]),
  ]
}

function validateLength(value: string, field: string): FieldErrors {
  return Buffer.byteLength(value) > LONGEST_VALUE ? [tooLong(field, LONGEST_VALUE)] : []
}

function validateTaint(taint: JsonObject, field: string): FieldErrors {
  const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')]
  const place = `${field}.effect`
  return [
    ...invalidFor(`${field}.key`, key, checkLabelKey(key)),
    ...invalidFor(`${field}.value`, value, checkLabelValue(value)),
    ...(effect === '' ? [required(place)] : oneOf(place, effect, DEVICE_TAINT_EFFECTS)),
  ]
}

export function validateCounterSet(set: JsonObject, field: string): FieldErrors {
  return validateCounters(set, 'name', field)
}

/** Counters of a set, or what a device takes of one; `name` is the field with the name of the set. */
function validateCounters(object: JsonObject, name: string, field: string): FieldErrors {
  const set = textAt(object, name)
  const counters = objectAt(object, 'counters')
  const size = sortedEntries(counters).length
  const place = `${field}.counters`
  return [
    ...(set === '' ? [required(`${field}.${name}`)] : validateLabelName(set, `${field}.${name}`)),
    ...(size === 0 ? [required(place)] : []),
    ...(size > MOST_COUNTERS
      ? [tooMany(place, size, MOST_COUNTERS)]
      : validateMap(counters, place, validateLabelName, () => [])),
  ]
}

const ONE_OF =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'

function validateNodes(device: JsonObject, field: string, perDevice: boolean): FieldErrors {
  const { nodeName, nodeSelector, allNodes } = device
  const isAny = [nodeName, nodeSelector, allNodes].some((value) => value !== undefined)
  const text =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
  if (!perDevice) return isAny ? [invalid(field, null, text)] : []
  const set = [nodeName && 'nodeName', nodeSelector && 'nodeSelector', allNodes && 'allNodes'].filter(Boolean)
  return [
    ...(typeof nodeName === 'string' ? validateNodeName(nodeName, `${field}.nodeName`) : []),
    ...(isJsonObject(nodeSelector) ? validateNodeSelector(nodeSelector, `${field}.nodeSelector`) : []),
    ...(allNodes === false ? [invalid(`${field}.allNodes`, false, 'must be either unset or set to true')] : []),
    ...(set.length === 0 ? [required(field, ONE_OF)] : []),
    ...(set.length > 1 ? [invalid(field, `{${set.map((name) => `\`${name}\``).join(', ')}}`, ONE_OF)] : []),
  ]
}

function validateNodeName(name: string, field: string): FieldErrors {
  return name === '' ? [invalid(field, '', 'must not be empty')] : invalidFor(field, name, checkSubdomain(name))
}

/** Conditions that a device waits for before its pod is bound, and those that end the wait. */
function validateConditions(device: JsonObject, field: string): FieldErrors {
  const [wanted, failed] = ['bindingConditions', 'bindingFailureConditions'] as const
  const [good, bad] = [textsAt(device, wanted), textsAt(device, failed)]
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions'
  return [
    ...validateList(good, MOST_CONDITIONS, `${field}.${wanted}`, validateConditionName),
    ...validateList(bad, MOST_CONDITIONS, `${field}.${failed}`, validateConditionName),
    ...repeatedIn(good, `${field}.${wanted}`),
    ...bad.flatMap((condition, index) => [
      ...(bad.indexOf(condition) < index ? [duplicate(`${field}.${failed}[${index}]`, condition)] : []),
      ...(good.includes(condition) ? [invalid(`${field}.${failed}[${index}]`, condition, overlap)] : []),
    ]),
    ...(good.length === 0 && bad.length > 0 ? [missing(wanted, failed, field)] : []),
    ...(bad.length === 0 && good.length > 0 ? [missing(failed, wanted, field)] : []),
  ]
}

function repeatedIn(conditions: readonly string[], field: string): FieldErrors {
  return conditions.flatMap((condition, index) =>
    conditions.indexOf(condition) < index ? [duplicate(`${field}[${index}]`, condition)] : [],
  )
}

function missing(name: string, used: string, field: string) {
  return invalid(`${field}.${name}`, null, `${name} are required to use ${used}`)
}
