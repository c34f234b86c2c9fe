import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { keepStatus, withoutField } from '../common/strategies.ts'
import { isExternallyAccessible, needsClusterIP, needsHealthCheckPort, needsNodePorts } from './service-traits.ts'

/**
 * An update keeps the addresses and ports that the server once chose when it does not mention them, and drops those that
 * the new type has no use for.
 */
export function keepAllocated(object: KubeObject, old: KubeObject): KubeObject {
  const before = objectAt(old, 'spec')
  const spec = keepValues(dropUseless(objectAt(object, 'spec'), before), before)
  const kept = { ...keepStatus(object, old), spec }
  if (spec.type === 'LoadBalancer') return kept
  return { ...kept, status: { ...objectAt(kept, 'status'), loadBalancer: {} } }
}

/** Which fields a type has no use for; they go if the update leaves them as they were. */
const USELESS: readonly { fields: readonly string[]; isUsed: (spec: JsonObject) => boolean }[] = [
  { fields: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'], isUsed: needsClusterIP },
  { fields: ['healthCheckNodePort'], isUsed: needsHealthCheckPort },
  {
    fields: ['allocateLoadBalancerNodePorts', 'loadBalancerClass'],
    isUsed: (spec) => spec.type === 'LoadBalancer',
  },
  { fields: ['externalTrafficPolicy'], isUsed: isExternallyAccessible },
]

function dropUseless(given: JsonObject, old: JsonObject): JsonObject {
  let spec = given
  for (const { fields, isUsed } of USELESS) {
    if (!isUsed(old) || isUsed(given)) continue
    const unchanged = fields.filter((field) => jsonEquals(given[field], old[field]))
    for (const field of unchanged) spec = withoutField(spec, field)
  }
  if (!needsNodePorts(old) || needsNodePorts(spec) || !sameNodePorts(spec, old)) return withoutInternalPolicy(spec)
  const ports = itemsAt(spec, 'ports').map((port) => withoutField(port, 'nodePort'))
  return withoutInternalPolicy({ ...spec, ports })
}

function withoutInternalPolicy(spec: JsonObject): JsonObject {
  return needsClusterIP(spec) ? spec : withoutField(spec, 'internalTrafficPolicy')
}

function sameNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const numbers = (each: JsonObject): number[] =>
    itemsAt(each, 'ports')
      .map((port) => numberAt(port, 'nodePort'))
      .filter((number) => number !== 0)
  const before = numbers(old)
  return numbers(spec).every((number) => before.includes(number))
}

function keepValues(given: JsonObject, old: JsonObject): JsonObject {
  let spec = given
  if (needsClusterIP(spec) && needsClusterIP(old)) spec = keepClusterIPs(spec, old)
  if (needsNodePorts(spec) && needsNodePorts(old)) spec = { ...spec, ports: keepNodePorts(spec, old) }
  const port = numberAt(spec, 'healthCheckNodePort') || old.healthCheckNodePort
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(old)) spec = { ...spec, healthCheckNodePort: port }
  return spec
}

function keepClusterIPs(spec: JsonObject, old: JsonObject): JsonObject {
  const single = textAt(spec, 'clusterIP')
  const plural = textsAt(spec, 'clusterIPs')
  if (single === '' && plural.length === 0) {
    return { ...spec, clusterIP: old.clusterIP, clusterIPs: old.clusterIPs }
  }
  if (single !== textAt(old, 'clusterIP') && jsonEquals(plural, textsAt(old, 'clusterIPs'))) {
    return single === '' ? { ...spec, clusterIP: old.clusterIP } : { ...spec, clusterIPs: [single] }
  }
  return spec
}

/** By name of the port: its number may have changed. */
function keepNodePorts(spec: JsonObject, old: JsonObject): readonly JsonObject[] {
  const before = new Map(itemsAt(old, 'ports').map((port) => [textAt(port, 'name'), numberAt(port, 'nodePort')]))
  const ports = itemsAt(spec, 'ports')
  const used = new Set(ports.map((port) => numberAt(port, 'nodePort')))
  return ports.map((port) => {
    const nodePort = before.get(textAt(port, 'name')) ?? 0
    return numberAt(port, 'nodePort') !== 0 || nodePort === 0 || used.has(nodePort) ? port : { ...port, nodePort }
  })
}
