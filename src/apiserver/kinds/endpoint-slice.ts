import { type JsonObject, jsonEquals } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { duplicate, type FieldErrors, immutable, invalid, invalidFor, oneOf, required } from './common/field-errors.ts'
import { itemsAt, mapItems, textAt, textsAt, withDefaults } from './common/fields.ts'
import { checkEndpointIP, checkIP, checkPortName, isIPv4 } from './common/formats.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' }

export const endpointSlice: KindRules = {
  gvk,
  applyDefaults,
  warnings: ({ addressType }) => (addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
  validate: (object, old) => [
    ...(old ? immutable('addressType', object.addressType, old.addressType) : []),
    ...validateType(textAt(object, 'addressType')),
    ...validatePorts(object),
    ...(old && jsonEquals(object.endpoints, old.endpoints) ? [] : validateEndpoints(object)),
  ],
  generationFields: [['endpoints'], ['ports'], ['addressType'], ['metadata', 'labels'], ['metadata', 'annotations']],
  columns: columnsOf(gvk, {
    AddressType: (object) => textAt(object, 'addressType'),
    Ports: (object) =>
      shorten(
        itemsAt(object, 'ports').map(({ port, name }) => String(port ?? name)),
        '<unset>',
      ),
    Endpoints: (object) =>
      shorten(
        itemsAt(object, 'endpoints').flatMap((each) => textsAt(each, 'addresses')),
        '<unset>',
      ),
  }),
}

function applyDefaults(object: KubeObject): KubeObject {
  const lists = {
    endpoints: itemsAt(object, 'endpoints').length === 0 ? null : object.endpoints,
    ports: itemsAt(object, 'ports').length === 0 ? null : object.ports,
  }
  const withPorts = mapItems({ ...object, ...lists }, 'ports', (port) =>
    withDefaults(port, { name: '', protocol: 'TCP' }),
  )
  return mapItems(withPorts, 'endpoints', (endpoint) => withDefaults(endpoint, { conditions: {} }))
}

function validateType(type: string): FieldErrors {
  return type === '' ? [required('addressType')] : oneOf('addressType', type, ['FQDN', 'IPv4', 'IPv6'])
}

function validatePorts(object: KubeObject): FieldErrors {
  const names = new Set<string>()
  return itemsAt(object, 'ports').flatMap((port, index) => {
    const name = textAt(port, 'name')
    const field = `ports[${index}]`
    const isTaken = names.has(name)
    names.add(name)
    return [
      ...(name === '' ? [] : invalidFor(`${field}.name`, name, checkPortName(name))),
      ...(isTaken ? [duplicate(`${field}.name`, name)] : []),
      ...oneOf(`${field}.protocol`, textAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP']),
    ]
  })
}

function validateEndpoints(object: KubeObject): FieldErrors {
  return itemsAt(object, 'endpoints').flatMap((endpoint, index) => validateEndpoint(object, endpoint, index))
}

function validateEndpoint(object: KubeObject, endpoint: JsonObject, index: number): FieldErrors {
  const field = `endpoints[${index}].addresses`
  const addresses = textsAt(endpoint, 'addresses')
  if (addresses.length === 0) return [required(field, 'must contain at least 1 address')]
  const type = textAt(object, 'addressType')
  return addresses.flatMap((address, at) => {
    const place = `${field}[${at}]`
    if (type === 'FQDN') return invalidFor(place, address, checkSubdomain(address))
    const malformed = invalidFor(place, address, checkIP(address))
    if (malformed.length > 0) return malformed
    const isOther = isIPv4(address) !== (type === 'IPv4')
    return [
      ...(isOther ? [invalid(field, address, `must be an ${type} address`)] : []),
      ...invalidFor(place, address, checkEndpointIP(address)),
    ]
  })
}

/** The first three of a list, and how many more there are. */
export function shorten(texts: readonly string[], none: string): string {
  const first = texts.slice(0, 3).join(',')
  return texts.length > 3 ? `${first} + ${texts.length - 3} more...` : first || none
}
