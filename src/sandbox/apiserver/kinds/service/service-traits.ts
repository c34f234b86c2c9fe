import type { JsonObject } from '../../../../core/base/json.ts'
import { textAt, textsAt } from '../common/fields.ts'

/** Without an address of its own: DNS answers with the pods. */
export function isHeadless(spec: JsonObject): boolean {
  return spec.clusterIP === 'None' || textsAt(spec, 'clusterIPs')[0] === 'None'
}

export function needsClusterIP(spec: JsonObject): boolean {
  return spec.type !== 'ExternalName'
}

/** Whether ports of the node lead to it. */
export function needsNodePorts(spec: JsonObject): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer'
}

/** Whether the load balancer asks a port of its own which nodes have pods. */
export function needsHealthCheckPort(spec: JsonObject): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}

export function isExternallyAccessible(spec: JsonObject): boolean {
  const hasExternalIP = textAt(spec, 'type') === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0
  return needsNodePorts(spec) || hasExternalIP
}
