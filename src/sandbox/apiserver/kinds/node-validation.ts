import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabelKey, checkLabelValue } from '../write/names.ts'
import {
  asStruct,
  duplicate,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  oneOf,
  required,
} from './common/field-errors.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from './common/fields.ts'
import { isIPv4 } from './common/formats.ts'
import { checkCidr, isRange } from './common/ip-ranges.ts'
import { nanosOf } from './common/quantity.ts'
import { TAINT_EFFECTS } from './pod-spec/scheduling-validation.ts'

export function validateNode(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  const taints = validateTaints(itemsAt(spec, 'taints'), 'metadata.taints')
  const errors = [
    ...taints,
    ...validateStatus(objectAt(object, 'status')),
    ...validateRanges(textsAt(spec, 'podCIDRs'), 'spec.podCIDRs'),
  ]
  // The server looks at most of it once more for an update.
  return old ? [...errors, ...validateNodeUpdate(object, old)] : errors
}

/** Complaints about a change, through the endpoint of the status, too. */
export function validateNodeUpdate(object: KubeObject, old: KubeObject): FieldErrors {
  const [spec, status] = [objectAt(object, 'spec'), objectAt(object, 'status')]
  return [
    ...validateStatus(status),
    ...validateAddresses(itemsAt(status, 'addresses'), 'status.addresses'),
    ...validateChanges(spec, objectAt(old, 'spec')),
    ...validateTaints(itemsAt(spec, 'taints'), 'metadata.taints'),
    ...validateSameId(spec, old),
  ]
}

function validateStatus(status: JsonObject): FieldErrors {
  return [
    ...['capacity', 'allocatable'].flatMap((list) =>
      sortedEntries(objectAt(status, list)).flatMap(([name, value]) => validateAmount(value, `status.${list}.${name}`)),
    ),
    ...validateFeatures(textsAt(status, 'declaredFeatures'), 'status.declaredFeatures'),
  ]
}

function validateAmount(value: JsonValue, field: string): FieldErrors {
  return nanosOf(value) < 0n ? [invalid(field, value, 'must be greater than or equal to 0')] : []
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/
const MALFORMED =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"

/** Each once, in order. */
function validateFeatures(features: readonly string[], field: string): FieldErrors {
  return features.flatMap((feature, index) => {
    const place = `${field}[${index}]`
    const { [index - 1]: previous } = features
    const isLong = Buffer.byteLength(feature) > 253
    const problem = isLong ? 'must be no more than 253 characters' : FEATURE.test(feature) ? '' : MALFORMED
    return [
      ...(previous === feature ? [duplicate(place, feature)] : []),
      ...(previous !== undefined && previous > feature
        ? [invalid(place, feature, 'list must be sorted alphabetically')]
        : []),
      ...(problem === ''
        ? []
        : [invalid(place, feature, `invalid feature name ${JSON.stringify(feature)}: ${problem}`)]),
    ]
  })
}

function validateAddresses(addresses: readonly JsonObject[], field: string): FieldErrors {
  const seen = new Set<string>()
  return addresses.flatMap((address, index) => {
    const shown = { Type: textAt(address, 'type'), Address: textAt(address, 'address') }
    const identity = JSON.stringify(shown)
    const isRepeated = seen.has(identity)
    seen.add(identity)
    return isRepeated ? [asStruct(duplicate(`${field}[${index}]`, shown))] : []
  })
}

/** The server takes them for a part of the metadata. */
function validateTaints(taints: readonly JsonObject[], field: string): FieldErrors {
  const seen = new Set<string>()
  return taints.flatMap((taint, index) => {
    const place = `${field}[${index}]`
    const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')]
    const complaints = checkLabelValue(value).join(';')
    const identity = JSON.stringify([key, effect])
    const isRepeated = seen.has(identity)
    seen.add(identity)
    return [
      ...invalidFor(`${place}.key`, key, checkLabelKey(key)),
      ...(complaints === '' ? [] : [invalid(`${place}.value`, value, complaints)]),
      ...(effect === '' ? [required(`${place}.effect`)] : oneOf(`${place}.effect`, effect, TAINT_EFFECTS)),
      ...(isRepeated ? [repeated(taint, place)] : []),
    ]
  })
}

function repeated(taint: JsonObject, field: string): ReturnType<typeof duplicate> {
  const { timeAdded = null } = taint
  const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')]
  const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }
  return { ...asStruct(duplicate(field, shown)), detail: 'taints must be unique by key and effect pair' }
}

function validateRanges(ranges: readonly string[], field: string): FieldErrors {
  const unread = ranges.length < 2 ? -1 : ranges.findIndex((range) => !isRange(range))
  const cause = `with error:invalid CIDR[${unread}]: <nil> (invalid CIDR address: ${ranges[unread]})`
  const families = ranges.map((range) => (isIPv4(range.split('/')[0] ?? '') ? 4 : 6))
  const isPair = unread === -1 && ranges.length === 2 && families[0] !== families[1]
  const twice = 'may specify no more than one CIDR for each IP family'
  return [
    ...ranges.flatMap((range, index) => invalidFor(`${field}[${index}]`, range, checkCidr(range))),
    ...(unread === -1
      ? []
      : [{ type: 'Internal' as const, field, detail: `invalid PodCIDRs. failed to check with dual stack ${cause}` }]),
    ...(ranges.length < 2 || isPair ? [] : [invalid(field, [...ranges], twice)]),
  ]
}

const ONLY_ONCE = (name: string): string => `node updates may not change ${name} except from "" to valid`

function validateChanges(spec: JsonObject, old: JsonObject): FieldErrors {
  const [ranges, before] = [textsAt(spec, 'podCIDRs'), textsAt(old, 'podCIDRs')]
  const wrong = forbidden('spec.podCIDRs', ONLY_ONCE('podCIDR'))
  const changed = before.filter((range, index) => range !== ranges[index]).map(() => wrong)
  const [id, oldId] = [textAt(spec, 'providerID'), textAt(old, 'providerID')]
  return [
    ...(before.length > 0 && before.length !== ranges.length ? [wrong] : changed),
    ...(oldId !== '' && id !== oldId ? [forbidden('spec.providerID', ONLY_ONCE('providerID'))] : []),
  ]
}

function validateSameId(spec: JsonObject, old: KubeObject): FieldErrors {
  const isSame = textAt(spec, 'externalID') === textAt(objectAt(old, 'spec'), 'externalID')
  return isSame ? [] : [forbidden('spec.externalID', 'may not be updated')]
}
