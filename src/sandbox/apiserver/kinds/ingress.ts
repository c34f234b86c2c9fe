import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel, checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { defaultClass } from './common/default-class.ts'
import { type FieldErrors, inRange, invalid, invalidFor, notSupported, required } from './common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { checkPortName, isIPv4, isIPv6 } from './common/formats.ts'
import { specAndStatus } from './common/strategies.ts'
import { isDefaultIngressClass, validateParametersReference } from './ingress-class.ts'
import type { KindContext, KindRules } from './kind-rules.ts'
import { balancerAddresses } from './service/service-columns.ts'
import { validateBalancerAddresses } from './service/status-validation.ts'

const gvk = { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' }

export const ingress: KindRules = {
  gvk,
  ...specAndStatus({ loadBalancer: {} }),
  validateStatusUpdate: validateBalancerAddresses,
  applyDefaults: (object) => withDefaults(object, { spec: {}, status: { loadBalancer: {} } }),
  prepareForCreate: (object, context) => withDefaultClass({ ...object, status: { loadBalancer: {} } }, context),
  validate: (object, old) => [...validateSpec(object, old), ...(old ? [] : validateOldClass(object))],
  warnings: (object, old) => (old ? [] : oldClassWarnings(object)),
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    Class: (object) => textAt(objectAt(object, 'spec'), 'ingressClassName') || '<none>',
    Hosts: hostsOf,
    Address: (object) => balancerAddresses(objectAt(object, 'status')).join(','),
    Ports: (object) => (itemsAt(objectAt(object, 'spec'), 'tls').length > 0 ? '80, 443' : '80'),
  }),
}

const INGRESS_CLASS = { group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass' }
/** In which Ingresses named their class before they had a field for it. */
const OLD_CLASS = 'kubernetes.io/ingress.class'

/** An Ingress that names no class gets the one that is marked as default. */
function withDefaultClass(object: KubeObject, { objects }: KindContext): KubeObject {
  const spec = objectAt(object, 'spec')
  if (spec.ingressClassName !== undefined || oldClassOf(object) !== undefined) return object
  const ingressClassName = defaultClass(objects.list(INGRESS_CLASS), isDefaultIngressClass)
  return ingressClassName === undefined ? object : { ...object, spec: { ...spec, ingressClassName } }
}

function oldClassOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[OLD_CLASS]
}

function validateOldClass(object: KubeObject): FieldErrors {
  const old = oldClassOf(object)
  const { ingressClassName = old } = objectAt(object, 'spec')
  if (old === undefined || ingressClassName === old) return []
  return [invalid(`annotations.${OLD_CLASS}`, old, 'must match `ingressClassName` when both are specified')]
}

function oldClassWarnings(object: KubeObject): readonly string[] {
  if (oldClassOf(object) === undefined || objectAt(object, 'spec').ingressClassName !== undefined) return []
  return [`annotation "${OLD_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`]
}

function hostsOf(object: KubeObject): string {
  const rules = itemsAt(objectAt(object, 'spec'), 'rules')
  const hosts = rules.map((rule) => textAt(rule, 'host')).filter((host) => host !== '')
  if (hosts.length === 0) return '*'
  const first = hosts.slice(0, 3).join(',')
  return hosts.length > 3 ? `${first} + ${rules.length - 3} more...` : first
}

function validateSpec(object: KubeObject, old: KubeObject | undefined): FieldErrors {
  const spec = objectAt(object, 'spec')
  const rules = itemsAt(spec, 'rules')
  const { defaultBackend, ingressClassName: className } = spec
  const isEmpty = rules.length === 0 && defaultBackend === undefined
  return [
    ...(isEmpty ? [invalid('spec', null, 'either `defaultBackend` or `rules` must be specified')] : []),
    ...(isJsonObject(defaultBackend) ? validateBackend(defaultBackend, 'spec.defaultBackend') : []),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...itemsAt(spec, 'tls').flatMap((tls, index) => validateTls(tls, `spec.tls[${index}]`, old)),
    ...(typeof className === 'string' ? invalidFor('spec.ingressClassName', className, checkSubdomain(className)) : []),
  ]
}

/** An Ingress that was stored with the name of no Secret may keep such names. */
function validateTls(tls: JsonObject, field: string, old: KubeObject | undefined): FieldErrors {
  const stored = itemsAt(objectAt(old, 'spec'), 'tls').map((each) => textAt(each, 'secretName'))
  const mayBeWrong = stored.some((name) => name !== '' && checkSubdomain(name).length > 0)
  const name = textAt(tls, 'secretName')
  return [
    ...textsAt(tls, 'hosts').flatMap((host, index) => validateDomain(host, `${field}.hosts[${index}]`)),
    ...(name === '' || mayBeWrong ? [] : invalidFor(`${field}.secretName`, name, checkSubdomain(name))),
  ]
}

function validateRule(rule: JsonObject, field: string): FieldErrors {
  const host = textAt(rule, 'host')
  const paths = itemsAt(objectAt(rule, 'http'), 'paths')
  const isEmpty = isJsonObject(rule.http) && paths.length === 0
  return [
    ...(host === '' ? [] : validateHost(host, `${field}.host`)),
    ...(isEmpty ? [required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, index) => validatePath(path, `${field}.http.paths[${index}]`)),
  ]
}

const WILDCARD =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

function validateHost(host: string, field: string): FieldErrors {
  const isAddress = isIPv4(host) || isIPv6(host)
  return [
    ...(isAddress ? [invalid(field, host, 'must be a DNS name, not an IP address')] : []),
    ...validateDomain(host, field),
  ]
}

function validateDomain(host: string, field: string): FieldErrors {
  if (!host.includes('*')) return invalidFor(field, host, checkSubdomain(host))
  const fits = host.startsWith('*.') && checkSubdomain(host.slice(2)).length === 0
  return fits ? [] : [invalid(field, host, WILDCARD)]
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix']
const FORBIDDEN_PARTS = ['//', '/./', '/../', '%2f', '%2F']
const FORBIDDEN_ENDS = ['/..', '/.']

function validatePath(path: JsonObject, field: string): FieldErrors {
  const { pathType } = path
  if (pathType === undefined || pathType === null) return [required(`${field}.pathType`, 'pathType must be specified')]
  return [
    ...(PATH_TYPES.includes(String(pathType)) ? [] : [notSupported(`${field}.pathType`, pathType, PATH_TYPES)]),
    ...validatePathText(textAt(path, 'path'), String(pathType), `${field}.path`),
    ...validateBackend(objectAt(path, 'backend'), `${field}.backend`),
  ]
}

function validatePathText(path: string, pathType: string, field: string): FieldErrors {
  if (!PATH_TYPES.includes(pathType) || (pathType === 'ImplementationSpecific' && path === '')) return []
  const absolute = path.startsWith('/') ? [] : [invalid(field, path, 'must be an absolute path')]
  if (pathType === 'ImplementationSpecific') return absolute
  const parts = FORBIDDEN_PARTS.filter((part) => path.includes(part))
  const ends = FORBIDDEN_ENDS.filter((end) => path.endsWith(end))
  return [
    ...absolute,
    ...parts.map((part) => invalid(field, path, `must not contain '${part}'`)),
    ...ends.map((end) => invalid(field, path, `cannot end with '${end}'`)),
  ]
}

function validateBackend({ service, resource }: JsonObject, field: string): FieldErrors {
  if (isJsonObject(service) && isJsonObject(resource)) {
    return [invalid(field, '', 'cannot set both resource and service backends')]
  }
  if (isJsonObject(resource)) return validateParametersReference(resource, `${field}.resource`)
  if (!isJsonObject(service)) return [invalid(field, '', 'resource or service backend is required')]
  const name = textAt(service, 'name')
  const place = `${field}.service.name`
  return [
    ...(name === '' ? [required(place)] : invalidFor(place, name, checkLabel(name))),
    ...validatePort(objectAt(service, 'port'), field),
  ]
}

function validatePort({ name, number }: JsonObject, field: string): FieldErrors {
  const place = `${field}.service.port`
  if (typeof name === 'string' && typeof number === 'number') {
    return [invalid(field, '', 'cannot set both port name & port number')]
  }
  if (typeof name === 'string') return invalidFor(`${place}.name`, name, checkPortName(name))
  if (typeof number === 'number') return inRange(`${place}.number`, number, [1, 65535])
  return [required(field, 'port name or number is required')]
}
