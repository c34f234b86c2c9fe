import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel, checkLabelKey, checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, inRange, invalidFor, oneOf, required } from './common/field-errors.ts'
import { itemsAt, mapItems, numberAt, textAt, withDefaults } from './common/fields.ts'
import { checkEndpointIP, checkIP } from './common/formats.ts'
import { shorten } from './endpoint-slice.ts'

import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'Endpoints' }

export const endpoints: KindRules = {
  gvk,
  warnings: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  applyDefaults: (object) =>
    mapItems(object, 'subsets', (subset) =>
      mapItems(subset, 'ports', (port) => withDefaults(port, { protocol: 'TCP' })),
    ),
  validate: (object) =>
    itemsAt(object, 'subsets').flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`)),
  createOnUpdate: true,
  columns: columnsOf(gvk, { Endpoints: (object) => shorten(addressesOf(object), '<none>') }),
}

function addressesOf(object: KubeObject): readonly string[] {
  return itemsAt(object, 'subsets').flatMap((subset) => {
    const ips = itemsAt(subset, 'addresses').map((address) => textAt(address, 'ip'))
    const ports = itemsAt(subset, 'ports')
    if (ports.length === 0) return ips
    return ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${numberAt(port, 'port')}`))
  })
}

function validateSubset(subset: JsonObject, field: string): FieldErrors {
  const lists = ['addresses', 'notReadyAddresses']
  if (lists.every((list) => itemsAt(subset, list).length === 0)) {
    return [required(field, 'must specify `addresses` or `notReadyAddresses`')]
  }
  const ports = itemsAt(subset, 'ports')
  return [
    ...lists.flatMap((list) =>
      itemsAt(subset, list).flatMap((address, index) => validateAddress(address, `${field}.${list}[${index}]`)),
    ),
    ...ports.flatMap((port, index) => validatePort(port, `${field}.ports[${index}]`, ports.length > 1)),
  ]
}

function validateAddress(address: JsonObject, field: string): FieldErrors {
  const [ip, hostname] = [textAt(address, 'ip'), textAt(address, 'hostname')]
  const { nodeName } = address
  return [
    ...invalidFor(`${field}.ip`, ip, checkIP(ip)),
    ...(hostname === '' ? [] : invalidFor(`${field}.hostname`, hostname, checkLabel(hostname))),
    ...(typeof nodeName === 'string' ? invalidFor(`${field}.nodeName`, nodeName, checkSubdomain(nodeName)) : []),
    ...invalidFor(`${field}.ip`, ip, checkEndpointIP(ip)),
  ]
}

function validatePort(port: JsonObject, field: string, needsName: boolean): FieldErrors {
  const name = textAt(port, 'name')
  const { appProtocol } = port
  return [
    ...(needsName && name === '' ? [required(`${field}.name`)] : []),
    ...(name === '' ? [] : invalidFor(`${field}.name`, name, checkLabel(name))),
    ...inRange(`${field}.port`, numberAt(port, 'port'), [1, 65535]),
    ...oneOf(`${field}.protocol`, textAt(port, 'protocol'), ['SCTP', 'TCP', 'UDP']),
    ...(typeof appProtocol === 'string'
      ? invalidFor(`${field}.appProtocol`, appProtocol, checkLabelKey(appProtocol))
      : []),
  ]
}
