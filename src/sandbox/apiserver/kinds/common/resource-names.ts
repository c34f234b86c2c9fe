import { checkLabelKey } from '../../write/names.ts'
import { type FieldErrors, invalid, invalidFor } from './field-errors.ts'

const STANDARD = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
])
const OF_CONTAINERS = new Set(['cpu', 'memory', 'ephemeral-storage'])

/** The name of anything that can be counted or measured. */
export function validateResourceName(name: string, field: string): FieldErrors {
  const malformed = invalidFor(field, name, checkLabelKey(name))
  const isKnown = name.includes('/') || name.startsWith('hugepages-') || STANDARD.has(name)
  if (malformed.length > 0 || isKnown) return malformed
  return [invalid(field, name, 'must be a standard resource type or fully qualified')]
}

/** The name of what a container can ask for. */
export function validateContainerResource(name: string, field: string): FieldErrors {
  const isKnown = name.includes('/') || name.startsWith('hugepages-') || OF_CONTAINERS.has(name)
  const refused = isKnown ? [] : [invalid(field, name, 'must be a standard resource for containers')]
  return [...validateResourceName(name, field), ...refused]
}

/** Of a device or the like: whole numbers, limit equal to request. */
export function isExtended(name: string): boolean {
  return name.includes('/') && !name.startsWith('kubernetes.io/')
}
