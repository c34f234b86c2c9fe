import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { checkLabel, checkLabelKey, checkSubdomain } from '../../write/names.ts'
import {
  duplicate,
  type FieldErrors,
  forbidden,
  inRange,
  invalid,
  invalidFor,
  oneOf,
  required,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { checkEndpointIP, checkIP, isIPv6 } from '../common/formats.ts'
import { checkCidr } from '../common/ip-ranges.ts'
import { validateLabels } from '../common/label-selectors.ts'
import { validatePortReference } from '../pod-spec/probes-validation.ts'
import { isExternallyAccessible, isHeadless, needsHealthCheckPort } from './service-traits.ts'

/** Complaints about a Service, its addresses aside. */
export function validateService(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  return [
    ...(old ? [...validateSameIP(spec, objectAt(old, 'spec')), ...validateSameCheck(spec, objectAt(old, 'spec'))] : []),
    ...validateByType(spec),
    ...validatePorts(spec),
    ...validateLabels(objectAt(spec, 'selector'), 'spec.selector'),
    ...validateAffinity(spec),
    ...textsAt(spec, 'externalIPs').flatMap((ip, at) => validateExternalIP(ip, `spec.externalIPs[${at}]`)),
    ...oneOf('spec.type', textAt(spec, 'type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...validateNodePorts(spec),
    ...validateUniqueNodePorts(spec),
    ...validateUniquePorts(spec),
    ...validateLoadBalancer(spec, old && objectAt(old, 'spec')),
    ...validateTraffic(spec),
  ]
}

function validateExternalIP(ip: string, field: string): FieldErrors {
  const complaints = checkIP(ip)
  return invalidFor(field, ip, complaints.length > 0 ? complaints : checkEndpointIP(ip))
}

function validateSameIP(spec: JsonObject, old: JsonObject): FieldErrors {
  const ips = textsAt(spec, 'clusterIPs')
  const [before] = textsAt(old, 'clusterIPs')
  if (spec.type === 'ExternalName' || before === undefined || before === ips[0]) return []
  return [invalid('spec.clusterIPs[0]', [...ips], 'may not change once set')]
}

function validateSameCheck(spec: JsonObject, old: JsonObject): FieldErrors {
  const isSame = spec.healthCheckNodePort === old.healthCheckNodePort
  if (isSame || !needsHealthCheckPort(spec) || !needsHealthCheckPort(old)) return []
  return [forbidden('spec.healthCheckNodePort', 'field is immutable')]
}

function validateByType(spec: JsonObject): FieldErrors {
  const type = textAt(spec, 'type')
  if (type === 'ExternalName') return validateExternalName(spec)
  const none = itemsAt(spec, 'ports').length === 0 && !isHeadless(spec) ? [required('spec.ports')] : []
  if (!isHeadless(spec) || (type !== 'LoadBalancer' && type !== 'NodePort')) return none
  return [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
}

function validateExternalName(spec: JsonObject): FieldErrors {
  const only = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter((name) => spec[name] !== undefined)
  const name = textAt(spec, 'externalName').replace(/\.$/, '')
  return [
    ...only.map((field) => forbidden(`spec.${field}`, 'may not be set for ExternalName services')),
    ...(name === '' ? [required('spec.externalName')] : invalidFor('spec.externalName', name, checkSubdomain(name))),
  ]
}

function validatePorts(spec: JsonObject): FieldErrors {
  const ports = itemsAt(spec, 'ports')
  const names = new Set<string>()
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`
    const protocol = textAt(port, 'protocol')
    const { appProtocol } = port
    return [
      ...validatePortName(textAt(port, 'name'), { field: `${field}.name`, names, isNeeded: ports.length > 1 }),
      ...inRange(`${field}.port`, numberAt(port, 'port'), [1, 65535]),
      ...oneOf(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
      ...validatePortReference(port.targetPort, `${field}.targetPort`),
      ...(typeof appProtocol === 'string'
        ? invalidFor(`${field}.appProtocol`, appProtocol, checkLabelKey(appProtocol))
        : []),
    ]
  })
}

interface PortNameRule {
  readonly field: string
  readonly names: Set<string>
  readonly isNeeded: boolean
}

function validatePortName(name: string, { field, names, isNeeded }: PortNameRule): FieldErrors {
  if (name === '') return isNeeded ? [required(field)] : []
  const malformed = invalidFor(field, name, checkLabel(name))
  if (names.has(name)) return [...malformed, duplicate(field, name)]
  names.add(name)
  return malformed
}

function validateAffinity(spec: JsonObject): FieldErrors {
  const { timeoutSeconds } = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP')
  const place = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds'
  const isWrong = typeof timeoutSeconds === 'number' && (timeoutSeconds <= 0 || timeoutSeconds > 86400)
  return [
    ...oneOf('spec.sessionAffinity', textAt(spec, 'sessionAffinity'), ['ClientIP', 'None']),
    ...(isWrong ? [invalid(place, timeoutSeconds, 'must be greater than 0 and less than 86400')] : []),
  ]
}

/**
 * Complaints that keep the server from choosing addresses: they stand alone, and one step's before those of the next. One
 * family of addresses is all there is.
 */
export function validateAddresses(spec: JsonObject): FieldErrors {
  if (spec.type === 'ExternalName') return []
  const steps = [validateAddressFields, validateAddressCounts, validateFamilies]
  for (const validate of steps) {
    const errors = validate(spec)
    if (errors.length > 0) return errors
  }
  return []
}

const FAMILIES = ['IPv4', 'IPv6']
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** Each field for itself. */
function validateAddressFields(spec: JsonObject): FieldErrors {
  const single = textAt(spec, 'clusterIP')
  const ips = textsAt(spec, 'clusterIPs')
  const families = textsAt(spec, 'ipFamilies')
  const { ipFamilyPolicy: policy } = spec
  const text = single === '' ? 'must be empty when `clusterIP` is not specified' : 'first value must match `clusterIP`'
  return [
    ...(single === (ips[0] ?? '') ? [] : [invalid('spec.clusterIPs', [...ips], text)]),
    ...families.flatMap((family, at) => [
      ...oneOf(`spec.ipFamilies[${at}]`, family, FAMILIES),
      ...(families.indexOf(family) < at ? [duplicate(`spec.ipFamilies[${at}]`, family)] : []),
    ]),
    ...(typeof policy === 'string' ? oneOf('spec.ipFamilyPolicy', policy, POLICIES) : []),
    ...validateIPs(ips, families, isHeadless(spec)),
  ]
}

function validateIPs(ips: readonly string[], families: readonly string[], headless: boolean): FieldErrors {
  const field = 'spec.clusterIPs'
  const isFirstNone = ips[0] === 'None'
  const wrong = [
    ...(isFirstNone && ips.length > 1 ? [invalid(field, [...ips], "'None' must be the first and only value")] : []),
    ...ips.flatMap((ip, at) => (at === 0 && isFirstNone ? [] : invalidFor(`${field}[${at}]`, ip, checkIP(ip)))),
  ]
  const tooMany = ips.length > 2 ? [invalid(field, [...ips], 'may only hold up to 2 values')] : []
  if (wrong.length > 0) return [...wrong, ...tooMany]
  const isDual = ips.length > 1 && new Set(ips.map(isIPv6)).size === 1
  const fits = headless ? [] : ips.slice(0, families.length)
  return [
    ...tooMany,
    ...(isDual ? [invalid(field, [...ips], 'may specify no more than one IP for each IP family')] : []),
    ...fits.flatMap((ip, at) => {
      if ((families[at] === 'IPv6') === isIPv6(ip)) return []
      return [invalid(`${field}[${at}]`, ip, `expected an ${families[at]} value as indicated by \`ipFamilies[${at}]\``)]
    }),
  ]
}

/** Two addresses or families want a policy that allows them. */
function validateAddressCounts(spec: JsonObject): FieldErrors {
  const ips = textsAt(spec, 'clusterIPs')
  const families = textsAt(spec, 'ipFamilies')
  const field = 'spec.ipFamilyPolicy'
  const isSingle = spec.ipFamilyPolicy === 'SingleStack'
  const text = "must be 'RequireDualStack' or 'PreferDualStack' when multiple"
  return [
    ...(isSingle && ips.length === 2 ? [invalid(field, 'SingleStack', `${text} cluster IPs are specified`)] : []),
    ...(isSingle && families.length === 2 ? [invalid(field, 'SingleStack', `${text} IP families are specified`)] : []),
    ...ips.flatMap((ip, at) =>
      at >= families.length && isIPv6(ip)
        ? [invalid(`spec.clusterIPs[${at}]`, [...ips], 'IPv6 is not configured on this cluster')]
        : [],
    ),
  ]
}

function validateFamilies(spec: JsonObject): FieldErrors {
  if (isHeadless(spec) && Object.keys(objectAt(spec, 'selector')).length === 0) return []
  const policy = textAt(spec, 'ipFamilyPolicy')
  const single = 'this cluster is not configured for dual-stack services'
  return [
    ...(policy === 'RequireDualStack' ? [invalid('spec.ipFamilyPolicy', policy, single)] : []),
    ...textsAt(spec, 'ipFamilies').flatMap((family, at) =>
      family === 'IPv4' ? [] : [invalid(`spec.ipFamilies[${at}]`, family, 'not configured on this cluster')],
    ),
  ]
}

function validateNodePorts(spec: JsonObject): FieldErrors {
  if (spec.type !== 'ClusterIP') return []
  return itemsAt(spec, 'ports').flatMap((port, index) => {
    const field = `spec.ports[${index}].nodePort`
    return numberAt(port, 'nodePort') === 0 ? [] : [forbidden(field, "may not be used when `type` is 'ClusterIP'")]
  })
}

function validateUniqueNodePorts(spec: JsonObject): FieldErrors {
  const seen = new Set<string>()
  return itemsAt(spec, 'ports').flatMap((port, index) => {
    const nodePort = numberAt(port, 'nodePort')
    const key = `${port.protocol}/${nodePort}`
    if (nodePort !== 0 && seen.has(key)) return [duplicate(`spec.ports[${index}].nodePort`, nodePort)]
    seen.add(key)
    return []
  })
}

function validateUniquePorts(spec: JsonObject): FieldErrors {
  const seen = new Set<string>()
  return itemsAt(spec, 'ports').flatMap(({ protocol = '', port = 0 }, index) => {
    const key = `${protocol}/${port}`
    // The server prints its internal struct, with the names of Go.
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
    if (seen.has(key)) return [{ ...duplicate(`spec.ports[${index}]`, shown), shown: 'struct' }]
    seen.add(key)
    return []
  })
}

function validateClass({ loadBalancerClass: name = null }: JsonObject, old: JsonObject | undefined): FieldErrors {
  const field = 'spec.loadBalancerClass'
  const complaints = typeof name === 'string' ? invalidFor(field, name, checkLabelKey(name)) : []
  const isChanged = old?.type === 'LoadBalancer' && (old.loadBalancerClass ?? null) !== name
  return [
    ...(isChanged ? [invalid(field, name, 'may not change once set')] : []),
    ...complaints,
    // The server looks at an update once more.
    ...(old ? complaints : []),
  ]
}

function validateLoadBalancer(spec: JsonObject, old: JsonObject | undefined): FieldErrors {
  const ranges = textsAt(spec, 'loadBalancerSourceRanges').map((range) => range.trim())
  const invalidRanges = ranges.flatMap((range, at) =>
    invalidFor(`spec.LoadBalancerSourceRanges[${at}]`, range, checkCidr(range)),
  )
  if (spec.type === 'LoadBalancer') return [...invalidRanges, ...validateClass(spec, old)]
  const given = [
    ...(ranges.length > 0 ? ['LoadBalancerSourceRanges'] : []),
    ...['allocateLoadBalancerNodePorts', 'loadBalancerClass'].filter((name) => spec[name] !== undefined),
  ]
  const text = "may only be used when `type` is 'LoadBalancer'"
  return [...given.map((name) => forbidden(`spec.${name}`, text)), ...invalidRanges]
}

const CHECK_TEXT = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"

const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

function validateTraffic(spec: JsonObject): FieldErrors {
  const { trafficDistribution: distribution } = spec
  const external = textAt(spec, 'externalTrafficPolicy')
  const internal = textAt(spec, 'internalTrafficPolicy')
  const check = numberAt(spec, 'healthCheckNodePort')
  const field = 'spec.externalTrafficPolicy'
  const isUseless = external !== '' && !isExternallyAccessible(spec)
  return [
    ...(isUseless ? [invalid(field, external, 'may only be set for externally-accessible services')] : []),
    ...(isExternallyAccessible(spec) ? oneOf(field, external, ['Cluster', 'Local']) : []),
    ...(check !== 0 && !needsHealthCheckPort(spec) ? [invalid('spec.healthCheckNodePort', check, CHECK_TEXT)] : []),
    ...(check !== 0 && needsHealthCheckPort(spec) ? inRange('spec.healthCheckNodePort', check, [1, 65_535]) : []),
    ...(spec.internalTrafficPolicy === undefined
      ? []
      : oneOf('spec.internalTrafficPolicy', internal, ['Cluster', 'Local'])),
    ...(typeof distribution === 'string' ? oneOf('spec.trafficDistribution', distribution, DISTRIBUTIONS) : []),
  ]
}
