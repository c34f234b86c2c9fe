import type { JsonObject } from '../../../core/base/json.ts'
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
import { itemsAt, objectAt, textAt, textsAt } from './common/fields.ts'
import { isIPv4 } from './common/formats.ts'
import { checkCidr } from './common/ip-ranges.ts'
import { TAINT_EFFECTS } from './pod-spec/scheduling-validation.ts'

export function validateNode(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  const taints = validateTaints(itemsAt(spec, 'taints'), 'metadata.taints')
  const errors = [...taints, ...validateRanges(textsAt(spec, 'podCIDRs'), 'spec.podCIDRs')]
  // The server looks at taints once more for an update.
  return old
    ? [...errors, ...validateChanges(spec, objectAt(old, 'spec')), ...taints, ...validateSameId(spec, old)]
    : errors
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
  const families = ranges.map((range) => (isIPv4(range.split('/')[0] ?? '') ? 4 : 6))
  const isPair = ranges.length === 2 && families[0] !== families[1]
  const twice = 'may specify no more than one CIDR for each IP family'
  return [
    ...ranges.flatMap((range, index) => invalidFor(`${field}[${index}]`, range, checkCidr(range))),
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
