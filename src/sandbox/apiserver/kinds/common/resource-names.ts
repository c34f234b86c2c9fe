import { checkLabelKey } from '../../write/names.ts'
import { type FieldErrors, invalid, invalidFor } from './field-errors.ts'

const OF_CONTAINERS = new Set(['cpu', 'memory', 'ephemeral-storage'])
/** Whole numbers of things. */
export const COUNTED = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
])
const STANDARD = new Set([
  ...COUNTED,
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'storage',
  'requests.storage',
])

/** The name of anything that can be counted or measured. */
export function validateResourceName(name: string, field: string): FieldErrors {
  const malformed = invalidFor(field, name, checkLabelKey(name))
  const isKnown = name.includes('/') || /^(?:requests\.)?hugepages-/.test(name) || STANDARD.has(name)
  if (malformed.length > 0 || isKnown) return malformed
  return [invalid(field, name, 'must be a standard resource type or fully qualified')]
}

/** The name of what a container can ask for. */
export function validateContainerResource(name: string, field: string): FieldErrors {
  return [...validateResourceName(name, field), ...validateOfContainers(name, field)]
}

function validateOfContainers(name: string, field: string): FieldErrors {
  if (name.split('/').length === 1) {
    const isKnown = name.startsWith('hugepages-') || OF_CONTAINERS.has(name)
    return isKnown ? [] : [invalid(field, name, 'must be a standard resource for containers')]
  }
  if (isNative(name) || isExtended(name)) return []
  return [invalid(field, name, "doesn't follow extended resource name standard")]
}

/** Of Kubernetes itself. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Of a device or the like: whole numbers, limit equal to request. A quota must be able to limit it. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && checkLabelKey(`requests.${name}`).length === 0
}

/** Whether there are only whole amounts of it. */
export function isCounted(name: string): boolean {
  return COUNTED.has(name) || isExtended(name)
}

/** Whether a node may promise more of it than it has. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-')
}
