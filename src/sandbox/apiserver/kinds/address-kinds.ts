import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkPathSegment, checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { asStruct, type FieldErrors, invalid, invalidFor, required } from './common/field-errors.ts'
import { objectAt, textAt, textsAt } from './common/fields.ts'
import { isIPv4, isIPv6 } from './common/formats.ts'
import { asGoStruct } from './common/go-struct.ts'
import { checkCidr } from './common/ip-ranges.ts'
import { specAndStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { OTHER_CELLS } from './other-cells.ts'

const addressGvk = { group: 'networking.k8s.io', version: 'v1', kind: 'IPAddress' }
const rangeGvk = { group: 'networking.k8s.io', version: 'v1', kind: 'ServiceCIDR' }
const IMMUTABLE = 'field is immutable'

/** An address that something has taken. */
export const ipAddress: KindRules = {
  gvk: addressGvk,
  nameFormat: 'ip-address',
  validate: validateAddress,
  columns: columnsOf(addressGvk, OTHER_CELLS.IPAddress),
}

/** A range of addresses for Services; those of the server itself come from its settings. */
export const serviceCidr: KindRules = {
  gvk: rangeGvk,
  keepsEmpty: true,
  ...specAndStatus(),
  validate: (object, old) => (old ? validateRangeUpdate(object, old) : validateRange(object)),
  columns: columnsOf(rangeGvk, OTHER_CELLS.ServiceCIDR),
}

function validateAddress(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  const gone = old !== undefined && !isJsonObject(spec.parentRef) ? [invalid('spec.parentRef', null, IMMUTABLE)] : []
  if (!isJsonObject(spec.parentRef)) return [required('spec.parentRef'), ...gone]
  const parent = objectAt(spec, 'parentRef')
  const field = 'spec.parentRef'
  const [group, namespace] = [textAt(parent, 'group'), textAt(parent, 'namespace')]
  const changed = old !== undefined && !jsonEquals(parent, objectAt(old, 'spec').parentRef)
  const shown = asGoStruct(parent, ['Group', 'Resource', 'Namespace', 'Name'], '')
  return [
    ...(group === '' ? [] : invalidFor(`${field}.group`, group, checkSubdomain(group))),
    ...['resource', 'name'].flatMap((name) => {
      const value = textAt(parent, name)
      return value === ''
        ? [required(`${field}.${name}`)]
        : invalidFor(`${field}.${name}`, value, checkPathSegment(value))
    }),
    ...(namespace === '' ? [] : invalidFor(`${field}.namespace`, namespace, checkPathSegment(namespace))),
    ...(changed ? [asStruct(invalid(field, shown, IMMUTABLE))] : []),
  ]
}

function validateRange(object: KubeObject): FieldErrors {
  const ranges = textsAt(objectAt(object, 'spec'), 'cidrs')
  const field = 'spec.cidrs'
  if (ranges.length === 0) return [required(field, 'at least one CIDR required')]
  if (ranges.length > 2) {
    return [asStruct(invalid(field, { CIDRs: [...ranges] }, 'may only hold up to 2 values'))]
  }
  const [first, second] = ranges.map(familyOf)
  const twice = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
  return [
    ...ranges.flatMap((range, index) => invalidFor(`${field}[${index}]`, range, checkCidr(range))),
    ...(first !== undefined && first === second ? [invalid(field, [...ranges], twice)] : []),
  ]
}

/** A range stays; one of the other family may join it. */
function validateRangeUpdate(object: KubeObject, old: KubeObject): FieldErrors {
  const spec: JsonObject = objectAt(object, 'spec')
  const ranges = textsAt(spec, 'cidrs')
  const before = textsAt(objectAt(old, 'spec'), 'cidrs')
  const joins = before.length === 1 && ranges.length === 2
  if (ranges.length !== before.length && !joins) return [invalid('spec.cidrs', spec.cidrs, IMMUTABLE)]
  const changed = before.flatMap((range, index) =>
    range === ranges[index] ? [] : [invalid(`spec.cidrs[${index}]`, ranges[index], IMMUTABLE)],
  )
  return joins ? [...changed, ...validateRange(object)] : changed
}

function familyOf(range: string): 4 | 6 | undefined {
  const [address = ''] = range.split('/')
  if (isIPv4(address)) return 4
  return isIPv6(address) ? 6 : undefined
}
