import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { columnsOf } from '../common/columns.ts'
import { itemsAt, numberAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { printLabels } from '../common/print-selector.ts'

/** `kubectl get services`. */
export const serviceColumns = columnsOf(
  { group: '', version: 'v1', kind: 'Service' },
  {
    Type: (object) => textAt(objectAt(object, 'spec'), 'type'),
    'Cluster-IP': (object) => textsAt(objectAt(object, 'spec'), 'clusterIPs')[0] ?? '<none>',
    'External-IP': externalIPOf,
    'Port(s)': portsOf,
    Selector: (object) => printLabels(objectAt(objectAt(object, 'spec'), 'selector')),
  },
)

function externalIPOf(object: KubeObject): string {
  const spec = objectAt(object, 'spec')
  const type = textAt(spec, 'type')
  if (type === 'ExternalName') return textAt(spec, 'externalName')
  const balanced = type === 'LoadBalancer' ? balancerAddresses(objectAt(object, 'status')) : []
  const all = [...balanced, ...textsAt(spec, 'externalIPs')]
  if (all.length > 0) return all.join(',')
  return type === 'LoadBalancer' ? '<pending>' : '<none>'
}

/** Addresses or names in the status of a load balancer. */
export function balancerAddresses(status: JsonObject): readonly string[] {
  const ingress = itemsAt(objectAt(status, 'loadBalancer'), 'ingress')
  const addresses = ingress.map((each) => textAt(each, 'ip') || textAt(each, 'hostname'))
  return [...new Set(addresses.filter((address) => address !== ''))].sort()
}

function portsOf(object: KubeObject): string {
  const ports = itemsAt(objectAt(object, 'spec'), 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort')
    const number = nodePort === 0 ? numberAt(port, 'port') : `${numberAt(port, 'port')}:${nodePort}`
    return `${number}/${textAt(port, 'protocol')}`
  })
  return ports.length === 0 ? '<none>' : ports.join(',')
}
