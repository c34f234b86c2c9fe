import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type Amounts, addAmounts, combineAmounts, maxAmounts } from '../../kinds/common/amounts.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { nanosOf } from '../../kinds/common/quantity.ts'

/** Amounts by the names under which quotas limit them. */
export type Usage = Amounts

/** Resources that quotas count by their plain name, too. */
const PLAIN = new Set([
  '/configmaps',
  '/persistentvolumeclaims',
  '/pods',
  '/replicationcontrollers',
  '/resourcequotas',
  '/secrets',
  '/services',
])

interface Counted {
  readonly group: string
  readonly plural: string
  readonly table: string
}

/** What one object takes of a quota. */
export function usageOf({ group, plural, table }: Counted, object: KubeObject): Usage {
  const count = { [`count/${group === '' ? plural : `${plural}.${group}`}`]: '1' }
  if (table === '/pods') return isOver(object) ? count : { ...count, pods: '1', ...podUsage(objectAt(object, 'spec')) }
  const plain = PLAIN.has(table) ? { ...count, [plural]: '1' } : count
  if (table === '/services') return { ...plain, ...serviceUsage(objectAt(object, 'spec')) }
  return table === '/persistentvolumeclaims' ? { ...plain, ...claimUsage(objectAt(object, 'spec')) } : plain
}

/** A pod that has run to its end takes nothing but its place. */
function isOver(object: KubeObject): boolean {
  const phase = textAt(objectAt(object, 'status'), 'phase')
  return phase === 'Failed' || phase === 'Succeeded'
}

function podUsage(spec: JsonObject): Usage {
  const running = itemsAt(spec, 'containers').map(containerUsage).reduce(addAmounts, {})
  return itemsAt(spec, 'initContainers').map(containerUsage).reduce(maxAmounts, running)
}

/** Requests count by their plain names, too. */
export function containerUsage(container: JsonObject): Usage {
  const resources = objectAt(container, 'resources')
  const usage: Record<string, string> = {}
  for (const [name, value] of Object.entries(objectAt(resources, 'requests'))) {
    if (['cpu', 'memory', 'ephemeral-storage'].includes(name)) usage[name] = String(value)
    usage[`requests.${name}`] = String(value)
  }
  for (const [name, value] of Object.entries(objectAt(resources, 'limits'))) usage[`limits.${name}`] = String(value)
  return usage
}

function serviceUsage(spec: JsonObject): Usage {
  const type = textAt(spec, 'type')
  const ports = itemsAt(spec, 'ports')
  const isBalanced = type === 'LoadBalancer'
  const nodePorts =
    isBalanced && spec.allocateLoadBalancerNodePorts === false ? ports.filter((each) => each.nodePort) : ports
  return {
    'services.nodeports': String(isBalanced || type === 'NodePort' ? nodePorts.length : 0),
    'services.loadbalancers': isBalanced ? '1' : '0',
  }
}

function claimUsage(spec: JsonObject): Usage {
  const requests = objectAt(objectAt(spec, 'resources'), 'requests')
  const { storage: asked = '0' } = requests
  const storage = String(asked)
  const storageClass = textAt(spec, 'storageClassName')
  const prefix = `${storageClass}.storageclass.storage.k8s.io`
  return {
    'requests.storage': storage,
    ...(storageClass !== '' && { [`${prefix}/persistentvolumeclaims`]: '1', [`${prefix}/requests.storage`]: storage }),
  }
}

/** What is more in `left` than in `right`. */
export function growth(left: Usage, right: Usage): Usage {
  const grown = combineAmounts(left, right, (a, b) => (a > b ? a - b : 0n))
  return Object.fromEntries(Object.entries(grown).filter(([, value]) => nanosOf(value) > 0n))
}
