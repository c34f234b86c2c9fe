import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { mapField, objectAt, sortedEntries, withDefaults } from './common/fields.ts'
import { canonicalResources, compareQuantities } from './common/quantity.ts'
import { specAndStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { validateQuota, validateQuotaAmounts } from './resource-quota-validation.ts'

const gvk = { group: '', version: 'v1', kind: 'ResourceQuota' }

export const resourceQuota: KindRules = {
  gvk,
  keepsEmpty: true,
  ...specAndStatus(),
  applyDefaults: (object) => {
    const complete = withDefaults(object, { spec: {}, status: {} })
    const withSpec = mapField(complete, 'spec', (spec) => mapField(spec, 'hard', canonicalResources))
    return mapField(withSpec, 'status', (status) =>
      mapField(mapField(status, 'hard', canonicalResources), 'used', canonicalResources),
    )
  },
  validate: (object, old) => validateQuota(objectAt(object, 'spec'), old && objectAt(old, 'spec')),
  validateStatusUpdate: (object) =>
    ['hard', 'used'].flatMap((name) =>
      validateQuotaAmounts(objectAt(objectAt(object, 'status'), name), `status.${name}`),
    ),
  warnings: (object, old) => (old ? [] : warningsOf(objectAt(objectAt(object, 'spec'), 'hard'))),
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

/** Requests that are larger than the limits of the same resource. */
function warningsOf(hard: JsonObject): readonly string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const [limit, full] = [`limits.${name}`, `requests.${name}`]
    const isShort = hard[full] === undefined && (name === 'cpu' || name === 'memory')
    const request = isShort ? name : full
    if (hard[request] === undefined || hard[limit] === undefined) return []
    if (compareQuantities(hard[request], hard[limit]) <= 0) return []
    return [`ResourceQuota ${request} (${hard[request]}) should be less than ${limit} (${hard[limit]})`]
  })
}
