import type { JsonObject } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import { addAmounts } from '../../kinds/common/amounts.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../../kinds/common/fields.ts'
import { compareQuantities } from '../../kinds/common/quantity.ts'
import type { ServedResource } from '../../served-resource.ts'
import type { ServerState } from '../../write/write-request.ts'
import { type AdmissionAttributes, refuse } from '../attributes.ts'
import { containerUsage, growth, type Usage, usageOf } from './usage.ts'

export const RESOURCE_QUOTA = { group: '', version: 'v1', kind: 'ResourceQuota' }
export const QUOTA_TABLE = '/resourcequotas'

/**
 * A change may not take more than the quotas of its namespace leave.
 *
 * @throws ApiError 403
 */
export function checkQuotas(attributes: AdmissionAttributes): void {
  const { state, resource, namespace, object, old, subresource, operation } = attributes
  if (!resource.namespaced || !object || operation === 'DELETE') return
  if (operation === 'UPDATE' ? !mayGrow(resource.table, subresource) : subresource !== '') return
  for (const quota of state.objects.list(RESOURCE_QUOTA, { namespace })) {
    if (!isInScope(quota, resource, object)) continue
    checkConstraints(quota, attributes)
    const hard = objectAt(objectAt(quota, 'spec'), 'hard') as Usage
    const wanted = mask(growth(usageOf(resource, object), old ? usageOf(resource, old) : {}), Object.keys(hard))
    if (Object.keys(wanted).length > 0) checkQuota(quota, { hard, wanted, attributes })
  }
}

/** What an update can make larger. */
function mayGrow(table: string, subresource: string): boolean {
  if (table === '/pods') return subresource === 'resize'
  return subresource === '' && ['/services', '/persistentvolumeclaims'].includes(table)
}

function checkQuota(
  quota: KubeObject,
  {
    hard,
    wanted,
    attributes,
  }: { readonly hard: Usage; readonly wanted: Usage; readonly attributes: AdmissionAttributes },
): void {
  const used = usedOf(attributes.state, quota)
  const total = addAmounts(wanted, mask(used, Object.keys(wanted)))
  const exceeded = Object.keys(wanted).filter((name) => compareQuantities(total[name], hard[name]) > 0)
  if (exceeded.length === 0) return
  const shown = (usage: Usage): string => print(mask(usage, exceeded))
  const amounts = `requested: ${shown(wanted)}, used: ${shown(used)}, limited: ${shown(hard)}`
  throw refuse(attributes, `exceeded quota: ${keyOf(quota).name}, ${amounts}`)
}

/** Whose use is limited has to say what it uses. */
function checkConstraints(quota: KubeObject, attributes: AdmissionAttributes): void {
  const { resource, object } = attributes
  if (resource.table !== '/pods' || !object) return
  const hard = Object.keys(objectAt(objectAt(quota, 'spec'), 'hard')).filter((name) => COMPUTE.has(name))
  const spec = objectAt(object, 'spec')
  const containers = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')]
  const missing = hard.sort().flatMap((name) => {
    const without = containers
      .filter((each) => containerUsage(each)[name] === undefined)
      .map((each) => textAt(each, 'name'))
    return without.length === 0 ? [] : [`${name} for: ${without.sort().join(',')}`]
  })
  if (missing.length === 0) return
  throw refuse(attributes, `failed quota: ${keyOf(quota).name}: must specify ${missing.join('; ')}`)
}

const COMPUTE = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'])

/** What the objects of a namespace take of a quota, all that it limits and the server can count. */
export function usedOf({ store, registry }: ServerState, quota: KubeObject): Usage {
  const { namespace } = keyOf(quota)
  const names = Object.keys(objectAt(objectAt(quota, 'spec'), 'hard'))
  let used: Usage = Object.fromEntries(names.filter(isCountable).map((name) => [name, '0']))
  for (const table of new Set(names.flatMap((name) => tablesOf(name)))) {
    const resource = registry.ofTable(table)
    if (!resource) continue
    for (const { object } of store.table(table).list(namespace)) {
      if (isInScope(quota, resource, object)) used = addAmounts(used, mask(usageOf(resource, object), names))
    }
  }
  return used
}

function isCountable(name: string): boolean {
  return tablesOf(name).length > 0
}

const PLAIN = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
])

/** The tables of the objects that a name of a quota counts. */
function tablesOf(name: string): readonly string[] {
  if (PLAIN.has(name)) return [`/${name}`]
  const [, counted] = /^count\/(.+)$/.exec(name) ?? []
  if (counted !== undefined) {
    const [plural = '', ...group] = counted.split('.')
    return [`${group.join('.')}/${plural}`]
  }
  if (name.startsWith('services.')) return ['/services']
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/')) return ['/persistentvolumeclaims']
  return /^(cpu|memory|ephemeral-storage|(requests|limits)\..+)$/.test(name) ? ['/pods'] : []
}

/** Scopes are about pods alone. */
function isInScope(quota: KubeObject, { table }: ServedResource, object: KubeObject): boolean {
  const spec = objectAt(quota, 'spec')
  const selected = itemsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions')
  const named = textsAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' }))
  const requirements = [...named, ...selected]
  if (requirements.length === 0) return true
  if (table !== '/pods') return false
  const pod = objectAt(object, 'spec')
  return requirements.every((each) => hasScope(pod, each))
}

function hasScope(pod: JsonObject, requirement: JsonObject): boolean {
  const scope = textAt(requirement, 'scopeName')
  const isTerminating = pod.activeDeadlineSeconds !== undefined
  const isBestEffort = [...itemsAt(pod, 'containers'), ...itemsAt(pod, 'initContainers')].every(
    (each) => Object.keys(containerUsage(each)).length === 0,
  )
  if (scope === 'Terminating') return isTerminating
  if (scope === 'NotTerminating') return !isTerminating
  if (scope === 'BestEffort') return isBestEffort
  if (scope === 'NotBestEffort') return !isBestEffort
  return scope === 'PriorityClass' ? hasPriority(pod, requirement) : looksElsewhere(pod)
}

/** Whether a pod wants to be near to, or far from, pods of other namespaces. */
function looksElsewhere(pod: JsonObject): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((field) => {
    const affinity = objectAt(objectAt(pod, 'affinity'), field)
    const preferred = itemsAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution')
    const terms = [
      ...itemsAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.map((each) => objectAt(each, 'podAffinityTerm')),
    ]
    return terms.some((term) => textsAt(term, 'namespaces').length > 0 || term.namespaceSelector !== undefined)
  })
}

function hasPriority(pod: JsonObject, requirement: JsonObject): boolean {
  const name = textAt(pod, 'priorityClassName')
  const isListed = textsAt(requirement, 'values').includes(name)
  const operator = textAt(requirement, 'operator')
  if (operator === 'In') return isListed
  if (operator === 'NotIn') return !isListed
  return (operator === 'Exists') === (name !== '')
}

function mask(usage: Usage, names: readonly string[]): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([name]) => names.includes(name)))
}

function print(usage: Usage): string {
  return Object.keys(usage)
    .sort()
    .map((name) => `${name}=${usage[name]}`)
    .join(',')
}
