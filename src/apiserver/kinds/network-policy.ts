import type { JsonObject, JsonValue } from '../../base/json.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, inRange, invalid, invalidFor, notSupported, oneOf, required } from './common/field-errors.ts'
import { itemsAt, mapItems, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { checkCidr } from './common/formats.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { printSelector } from './common/print-selector.ts'
import type { KindRules } from './kind-rules.ts'
import { validatePortReference } from './pod-spec/probes-validation.ts'

const gvk = { group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy' }

export const networkPolicy: KindRules = {
  gvk,
  applyDefaults: (object) => ({ ...object, spec: specDefaults(objectAt(object, 'spec')) }),
  validate: (object) => validateSpec(objectAt(object, 'spec')),
  generationFields: [['spec']],
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
    ...textsAt(spec, 'policyTypes').flatMap((type, index) =>
      TYPES.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, TYPES)],
    ),
  ]
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
    ...(port === undefined ? [] : validatePortReference(port, `${field}.port`)),
    ...(typeof endPort === 'number' ? validateEndPort(endPort, port, `${field}.endPort`) : []),
  ]
}

function validateEndPort(endPort: number, port: JsonValue | undefined, field: string): FieldErrors {
  if (port === undefined) return [invalid(field, endPort, 'may not be specified when `port` is not specified')]
  if (typeof port !== 'number') return [invalid(field, endPort, 'may not be specified when `port` is non-numeric')]
  // The server shows the other port here.
  if (endPort < port) return [invalid(field, port, 'must be greater than or equal to `port`')]
  return inRange(field, endPort, [1, 65535])
}

function validatePeer(peer: JsonObject, field: string): FieldErrors {
  if (Object.keys(peer).length === 0) return [required(field, 'must specify a peer')]
  const cidr = textAt(objectAt(peer, 'ipBlock'), 'cidr')
  return [
    ...validateLabelSelector(objectAt(peer, 'podSelector'), `${field}.podSelector`),
    ...validateLabelSelector(objectAt(peer, 'namespaceSelector'), `${field}.namespaceSelector`),
    ...(peer.ipBlock === undefined ? [] : invalidFor(`${field}.ipBlock.cidr`, cidr, checkCidr(cidr))),
  ]
}
