import type { JsonObject } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { checkLabelKey } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, invalidFor } from './common/field-errors.ts'
import { mapField, objectAt, sortedEntries, textsAt, withDefaults } from './common/fields.ts'
import { canonicalResources } from './common/quantity.ts'
import { specAndStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { isExtended, validateNotNegative, validateWhole } from './pod-spec/resources-validation.ts'

const gvk = { group: '', version: 'v1', kind: 'ResourceQuota' }

export const resourceQuota: KindRules = {
  gvk,
  ...specAndStatus(),
  applyDefaults: (object) => {
    const complete = withDefaults(object, { spec: {}, status: {} })
    return mapField(complete, 'spec', (spec) => mapField(spec, 'hard', canonicalResources))
  },
  validate: (object) => validateSpec(objectAt(object, 'spec')),
  columns: columnsOf(gvk, {
    Request: (object) => usesOf(object, (name) => !name.startsWith('limits.')),
    Limit: (object) => usesOf(object, (name) => name.startsWith('limits.')),
  }),
}

function usesOf(object: KubeObject, isShown: (name: string) => boolean): string {
  const { hard, used } = {
    hard: objectAt(objectAt(object, 'status'), 'hard'),
    used: objectAt(objectAt(object, 'status'), 'used'),
  }
  const shown = sortedEntries(hard).filter(([name]) => isShown(name))
  return shown.map(([name, value]) => `${name}: ${used[name] ?? 0}/${value}`).join(', ')
}

const STANDARD = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'services.loadbalancers',
  'services.nodeports',
])
/** Of those, the numbers of objects. */
const COUNTED = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.loadbalancers',
  'services.nodeports',
])
const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
])

function validateSpec(spec: JsonObject): FieldErrors {
  const scopes = textsAt(spec, 'scopes')
  const unknown = scopes.some((scope) => !SCOPES.has(scope))
  return [
    ...sortedEntries(objectAt(spec, 'hard')).flatMap(([name, value]) => [
      ...validateName(name, `spec.hard[${name}]`),
      ...validateNotNegative(value, `spec.hard[${name}]`),
      ...(isCounted(name) ? validateWhole(value, `spec.hard[${name}]`) : []),
    ]),
    ...(unknown ? [invalid('spec.scopes', [...scopes], 'unsupported scope')] : []),
  ]
}

function isCounted(name: string): boolean {
  return COUNTED.has(name) || (isExtended(name) && !name.startsWith('requests.'))
}

function validateName(name: string, field: string): FieldErrors {
  const malformed = invalidFor(field, name, checkLabelKey(name))
  const isKnown = STANDARD.has(name) || /hugepages-|^requests\./.test(name) || name.includes('/')
  if (malformed.length > 0 || isKnown) return malformed
  return [
    invalid(field, name, 'must be a standard resource type or fully qualified'),
    invalid(field, name, 'must be a standard resource for quota'),
  ]
}
