import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { objectAt, withDefaults } from '../common/fields.ts'
import { isOvercommitAllowed } from '../common/resource-names.ts'
import { amountsOfContainers } from '../pod-spec/container-amounts.ts'

/**
 * A pod that says in part what it may have as a whole: its limits of huge pages are those of its containers, and its
 * requests what its containers ask for, or else its limits.
 */
export function podLevelDefaults(spec: JsonObject): JsonObject {
  if (!isJsonObject(spec.resources)) return spec
  const limited = withHugePageLimits(spec, spec.resources)
  const resources = withRequests(spec, limited)
  return resources === spec.resources ? spec : { ...spec, resources }
}

function withHugePageLimits(spec: JsonObject, resources: JsonObject): JsonObject {
  const { limits = {}, requests = {} } = resources as { limits?: JsonObject; requests?: JsonObject }
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return resources
  const missing = Object.entries(amountsOfContainers(spec, 'limits')).filter(
    ([name]) => isHugePages(name) && requests[name] === undefined && limits[name] === undefined,
  )
  return missing.length === 0 ? resources : { ...resources, limits: { ...limits, ...Object.fromEntries(missing) } }
}

function withRequests(spec: JsonObject, resources: JsonObject): JsonObject {
  const limits = objectAt(resources, 'limits')
  if (Object.keys(limits).length === 0) return resources
  const asked = Object.entries(amountsOfContainers(spec, 'requests')).filter(
    ([name]) => isOfPods(name) && isOvercommitAllowed(name),
  )
  const limited = Object.entries(limits).filter(([name]) => isOfPods(name))
  const requests = objectAt(resources, 'requests')
  const complete = withDefaults(withDefaults(requests, Object.fromEntries(asked)), Object.fromEntries(limited))
  return complete === requests ? resources : { ...resources, requests: complete }
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Whether a pod can have it as a whole. */
function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}
