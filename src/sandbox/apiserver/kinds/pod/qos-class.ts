import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, objectAt, sortedEntries } from '../common/fields.ts'
import { compareQuantities, nanosOf } from '../common/quantity.ts'

const COMPUTE = ['cpu', 'memory']

/** How sure a pod can be of its resources: `Guaranteed`, `Burstable` or `BestEffort`. */
export function qosClassOf(spec: JsonObject): string {
  const containers = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')]
  // What a pod says of itself counts instead.
  const resources = spec.resources === undefined ? containers.map(resourcesOf) : [resourcesOf(spec)]
  if (!resources.some(asksForCompute)) return 'BestEffort'
  return resources.every(isExact) ? 'Guaranteed' : 'Burstable'
}

function resourcesOf(holder: JsonObject): JsonObject {
  return objectAt(holder, 'resources')
}

function asksForCompute(resources: JsonObject): boolean {
  const amounts = [...sortedEntries(objectAt(resources, 'limits')), ...sortedEntries(objectAt(resources, 'requests'))]
  return amounts.some(([name, value]) => COMPUTE.includes(name) && nanosOf(value) > 0n)
}

/** Both resources limited, and requests equal to limits. */
function isExact(resources: JsonObject): boolean {
  const limits = objectAt(resources, 'limits')
  const requests = objectAt(resources, 'requests')
  return COMPUTE.every((name) => {
    if (limits[name] === undefined || nanosOf(limits[name]) === 0n) return false
    return requests[name] === undefined || compareQuantities(requests[name], limits[name]) === 0
  })
}
