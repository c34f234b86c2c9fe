import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel, checkLabelKey, checkLabelValue, checkSubdomain, type NameCheck } from '../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  immutable,
  invalid,
  invalidFor,
  notSupported,
  required,
  tooMany,
} from './common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from './common/fields.ts'
import { checkEndpointIP, checkIP, isIPv4 } from './common/formats.ts'
import type { KindContext } from './kind-rules.ts'

/** What a slice may say. Endpoints that were stored are not judged again. */
export function validateEndpointSlice(
  object: KubeObject,
  old: KubeObject | undefined,
  context: KindContext,
): FieldErrors {
  const isKept = old !== undefined && jsonEquals(context.stored(object).endpoints, old.endpoints)
  return [
    ...validateType(textAt(object, 'addressType')),
    ...validatePorts(itemsAt(object, 'ports')),
    ...(isKept ? [] : validateEndpoints(object)),
    ...(old ? immutable('addressType', object.addressType, old.addressType) : []),
  ]
}

function validateType(type: string): FieldErrors {
  const types = ['FQDN', 'IPv4', 'IPv6']
  if (type === '') return [required('addressType')]
  return types.includes(type) ? [] : [notSupported('addressType', type, types)]
}

function validatePorts(ports: readonly JsonObject[]): FieldErrors {
  if (ports.length > 20_000) return [tooMany('ports', ports.length, 20_000)]
  const names = new Set<string>()
  return ports.flatMap((port, index) => {
    const name = textAt(port, 'name')
    const field = `ports[${index}]`
    const isTaken = names.has(name)
    names.add(name)
    return [
      ...(name === '' ? [] : invalidFor(`${field}.name`, name, checkLabel(name))),
      ...(isTaken ? [duplicate(`${field}.name`, name)] : []),
      ...validateProtocols(port, field),
    ]
  })
}

function validateProtocols(port: JsonObject, field: string): FieldErrors {
  const protocol = textAt(port, 'protocol')
  const protocols = ['SCTP', 'TCP', 'UDP']
  return [
    ...(protocols.includes(protocol) ? [] : [notSupported(`${field}.protocol`, protocol, protocols)]),
    ...checked(port.appProtocol, `${field}.appProtocol`, checkLabelKey),
  ]
}

function checked(value: JsonObject[string], field: string, check: NameCheck): FieldErrors {
  return typeof value === 'string' ? invalidFor(field, value, check(value)) : []
}

function validateEndpoints(object: KubeObject): FieldErrors {
  const endpoints = itemsAt(object, 'endpoints')
  if (endpoints.length > 1000) return [tooMany('endpoints', endpoints.length, 1000)]
  return endpoints.flatMap((endpoint, index) => {
    const field = `endpoints[${index}]`
    return [
      ...validateAddresses(textAt(object, 'addressType'), textsAt(endpoint, 'addresses'), `${field}.addresses`),
      ...checked(endpoint.nodeName, `${field}.nodeName`, checkSubdomain),
      ...checked(endpoint.hostname, `${field}.hostname`, checkLabel),
      ...validateHints(objectAt(endpoint, 'hints'), `${field}.hints`),
    ]
  })
}

function validateAddresses(type: string, addresses: readonly string[], field: string): FieldErrors {
  return [
    ...(addresses.length === 0 ? [required(field, 'must contain at least 1 address')] : []),
    ...(addresses.length > 100 ? [tooMany(field, addresses.length, 100)] : []),
    ...addresses.flatMap((address, at) => {
      const place = `${field}[${at}]`
      if (type === 'FQDN') return invalidFor(place, address, checkSubdomain(address))
      return type === 'IPv4' || type === 'IPv6' ? validateAddress(type, address, { field, place }) : []
    }),
  ]
}

function validateAddress(
  type: string,
  address: string,
  { field, place }: { readonly field: string; readonly place: string },
): FieldErrors {
  const malformed = invalidFor(place, address, checkIP(address))
  if (malformed.length > 0) return malformed
  const isOther = isIPv4(address) !== (type === 'IPv4')
  return [
    ...(isOther ? [invalid(field, address, `must be an ${type} address`)] : []),
    ...invalidFor(place, address, checkEndpointIP(address)),
  ]
}

function validateHints(hints: JsonObject, field: string): FieldErrors {
  const zones = itemsAt(hints, 'forZones')
  if (zones.length > 8) return [tooMany(`${field}.forZones`, zones.length, 8)]
  const nodes = itemsAt(hints, 'forNodes')
  return [
    ...validateNames(zones, `${field}.forZones`, checkLabelValue),
    ...(nodes.length > 8
      ? [tooMany(`${field}.forNodes`, nodes.length, 8)]
      : validateNames(nodes, `${field}.forNodes`, checkSubdomain)),
  ]
}

function validateNames(items: readonly JsonObject[], field: string, check: NameCheck): FieldErrors {
  const names = items.map((item) => textAt(item, 'name'))
  return names.flatMap((name, index) => {
    const place = `${field}[${index}].name`
    const isTaken = names.indexOf(name) < index
    return [...(isTaken ? [duplicate(place, name)] : []), ...invalidFor(place, name, check(name))]
  })
}
