import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, forbidden, invalid, invalidFor, oneOf, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { checkIP, isIPv4, isIPv6 } from '../common/formats.ts'

const FIELD = 'status.loadBalancer.ingress'

/** Addresses of a load balancer; those that were there before are not judged again. */
export function validateServiceStatus(object: KubeObject, old: KubeObject): FieldErrors {
  const ingress = ingressOf(object)
  const isBalanced = textAt(objectAt(object, 'spec'), 'type') === 'LoadBalancer'
  if (!isBalanced && ingress.length > 0) {
    return [forbidden(FIELD, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  return ingress.flatMap((each, index) =>
    validateIngress(each, `${FIELD}[${index}]`, addressesOf(old), (ip, field) => validateMode(each.ipMode, ip, field)),
  )
}

/** The same of an Ingress, whose addresses have no modes. */
export function validateBalancerAddresses(object: KubeObject, old: KubeObject): FieldErrors {
  return ingressOf(object).flatMap((each, index) => validateIngress(each, `${FIELD}[${index}]`, addressesOf(old)))
}

function addressesOf(object: KubeObject): ReadonlySet<string> {
  return new Set(ingressOf(object).map((each) => textAt(each, 'ip')))
}

function ingressOf(object: KubeObject): readonly JsonObject[] {
  return itemsAt(objectAt(objectAt(object, 'status'), 'loadBalancer'), 'ingress')
}

function validateIngress(
  ingress: JsonObject,
  field: string,
  known: ReadonlySet<string>,
  validateOwn: (ip: string, field: string) => FieldErrors = () => [],
): FieldErrors {
  const [ip, hostname] = [textAt(ingress, 'ip'), textAt(ingress, 'hostname')]
  const isAddress = isIPv4(hostname) || isIPv6(hostname)
  return [
    ...(ip === '' || known.has(ip) ? [] : invalidFor(`${field}.ip`, ip, checkIP(ip))),
    ...validateOwn(ip, `${field}.ipMode`),
    ...(hostname === '' ? [] : invalidFor(`${field}.hostname`, hostname, checkSubdomain(hostname))),
    ...(isAddress ? [invalid(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')] : []),
  ]
}

function validateMode(mode: JsonValue | undefined, ip: string, field: string): FieldErrors {
  if (mode === undefined) return ip === '' ? [] : [required(field, 'must be specified when `ip` is set')]
  if (ip === '') return [forbidden(field, 'may not be specified when `ip` is not set')]
  return oneOf(field, String(mode), ['Proxy', 'VIP'])
}
