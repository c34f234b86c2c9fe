import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import {
  type FieldErrors,
  forbidden,
  inRange,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from './common/field-errors.ts'
import { itemsAt, mapItems, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { checkCidr, isRange, isStrictlyWithin } from './common/ip-ranges.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { printSelector } from './common/print-selector.ts'
import type { KindRules } from './kind-rules.ts'
import { validatePortReference } from './pod-spec/probes-validation.ts'

const gvk = { group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy' }

export const networkPolicy: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) => ({ ...object, spec: specDefaults(objectAt(object, 'spec')) }),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
  generationFields: [['spec']],
  countsEmpty: true,
  columns: columnsOf(gvk, {
    'Pod-Selector': (object) => printSelector(objectAt(objectAt(object, 'spec'), 'podSelector')),
  }),
}

function specDefaults(given: JsonObject): JsonObject {
  let spec = withDefaults(given, { podSelector: {} })
  for (const list of ['ingress', 'egress']) {
    spec = mapItems(spec, list, (rule) => mapItems(rule, 'ports', (port) => withDefaults(port, { protocol: 'TCP' })))
  }
  const types = itemsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
  return textsAt(spec, 'policyTypes').length > 0 ? spec : { ...spec, policyTypes: types }
}

const TYPES = ['Ingress', 'Egress']

function validateSpec(spec: JsonObject): FieldErrors {
  return [
    ...validateLabelSelector(objectAt(spec, 'podSelector'), 'spec.podSelector'),
    ...validateRules(spec, { list: 'ingress', peers: 'from' }),
    ...validateRules(spec, { list: 'egress', peers: 'to' }),
    ...validateTypes(textsAt(spec, 'policyTypes')),
  ]
}

function validateTypes(types: readonly string[]): FieldErrors {
  const field = 'spec.policyTypes'
  if (types.length > TYPES.length) return [invalid(field, [...types], 'may not specify more than two policyTypes')]
  return types.flatMap((type, index) => (TYPES.includes(type) ? [] : [notSupported(`${field}[${index}]`, type, TYPES)]))
}

function validateRules(spec: JsonObject, { list, peers }: { list: string; peers: string }): FieldErrors {
  return itemsAt(spec, list).flatMap((rule, index) => {
    const field = `spec.${list}[${index}]`
    return [
      ...itemsAt(rule, 'ports').flatMap((port, at) => validatePort(port, `${field}.ports[${at}]`)),
      ...itemsAt(rule, peers).flatMap((peer, at) => validatePeer(peer, `${field}.${peers}[${at}]`)),
    ]
  })
}

function validatePort({ port, endPort, protocol }: JsonObject, field: string): FieldErrors {
  return [
    ...oneOf(`${field}.protocol`, String(protocol), ['TCP', 'UDP', 'SCTP']),
    ...(typeof port === 'number' ? validatePortReference(port, `${field}.port`) : []),
    ...(typeof endPort === 'number' ? validateEndPort(endPort, port, `${field}.endPort`) : []),
    ...(typeof port === 'string' ? validatePortReference(port, `${field}.port`) : []),
  ]
}

function validateEndPort(endPort: number, port: JsonValue | undefined, field: string): FieldErrors {
  if (port === undefined) return [invalid(field, endPort, 'may not be specified when `port` is not specified')]
  if (typeof port !== 'number') return [invalid(field, endPort, 'may not be specified when `port` is non-numeric')]
  // The server shows the other port here.
  const isBefore = endPort < port
  return [
    ...(isBefore ? [invalid(field, port, 'must be greater than or equal to `port`')] : []),
    ...inRange(field, endPort, [1, 65535]),
  ]
}

function validatePeer(peer: JsonObject, field: string): FieldErrors {
  if (Object.keys(peer).length === 0) return [required(field, 'must specify a peer')]
  const isMixed = peer.ipBlock !== undefined && Object.keys(peer).length > 1
  return [
    ...validateLabelSelector(objectAt(peer, 'podSelector'), `${field}.podSelector`),
    ...validateLabelSelector(objectAt(peer, 'namespaceSelector'), `${field}.namespaceSelector`),
    ...(peer.ipBlock === undefined ? [] : validateBlock(objectAt(peer, 'ipBlock'), `${field}.ipBlock`)),
    ...(isMixed ? [forbidden(field, 'may not specify both ipBlock and another peer')] : []),
  ]
}

function validateBlock(block: JsonObject, field: string): FieldErrors {
  const cidr = textAt(block, 'cidr')
  if (cidr === '') return [required(`${field}.cidr`)]
  return [
    ...invalidFor(`${field}.cidr`, cidr, checkCidr(cidr)),
    ...(isRange(cidr) ? textsAt(block, 'except') : []).flatMap((range, index) => {
      const place = `${field}.except[${index}]`
      return [
        ...invalidFor(place, range, checkCidr(range)),
        ...(isStrictlyWithin(cidr, range) === false
          ? [invalid(place, range, 'must be a strict subset of `cidr`')]
          : []),
      ]
    }),
  ]
}
