import type { JsonObject } from '../../../../core/base/json.ts'
import { asStruct, type FieldErrors, invalid, invalidFor } from '../common/field-errors.ts'
import { itemsAt, textAt } from '../common/fields.ts'
import { checkIP, isIPv4, isIPv6 } from '../common/formats.ts'

/** `podIPs` and `hostIPs` of a status: at most one address of each family. What was there before may stay. */
export function validateAddresses(status: JsonObject, old: JsonObject): FieldErrors {
  const [host] = itemsAt(status, 'hostIPs')
  const ip = textAt(host, 'ip')
  const isFirst = host === undefined || ip === textAt(status, 'hostIP')
  return [
    ...validateFamilies(status, old, 'podIPs'),
    ...(isFirst ? [] : [invalid('status.hostIPs[0].ip', ip, 'must be equal to `hostIP`')]),
    ...validateFamilies(status, old, 'hostIPs'),
  ]
}

function validateFamilies(status: JsonObject, old: JsonObject, name: string): FieldErrors {
  const field = `status.${name}`
  const known = itemsAt(old, name).map((each) => textAt(each, 'ip'))
  const addresses = itemsAt(status, name).map((each) => textAt(each, 'ip'))
  return [
    ...addresses.flatMap((ip, index) => (known.includes(ip) ? [] : invalidFor(`${field}[${index}]`, ip, checkIP(ip)))),
    ...(addresses.length > 1 ? validateDualStack(addresses, field) : []),
  ]
}

function validateDualStack(addresses: readonly string[], field: string): FieldErrors {
  const unreadable = addresses.findIndex((ip) => !isIPv4(ip) && !isIPv6(ip))
  const isDual = unreadable < 0 && addresses.some(isIPv4) && addresses.some(isIPv6)
  const shown = addresses.map((ip) => ({ IP: ip }))
  const cause = `failed to check for dual stack with error:invalid IP[${unreadable}]: ${addresses[unreadable]}`
  return [
    ...(unreadable < 0 ? [] : [{ type: 'Internal' as const, field, detail: cause }]),
    ...(isDual && addresses.length === 2
      ? []
      : [asStruct(invalid(field, shown, 'may specify no more than one IP for each IP family'))]),
  ]
}
