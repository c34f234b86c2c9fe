import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { joinErrors } from '../access/rbac.ts'
import { itemsAt, mapItems, objectAt, sortedEntries, textAt } from '../kinds/common/fields.ts'
import { compareQuantities, nanosOf } from '../kinds/common/quantity.ts'
import { amountsOfContainers } from '../kinds/pod-spec/container-amounts.ts'
import { withMeta } from '../write/object-meta.ts'
import { type AdmissionAttributes, refuse } from './attributes.ts'

const LIMIT_RANGE = { group: '', version: 'v1', kind: 'LimitRange' }
const NOTE = 'kubernetes.io/limit-ranger'

/** A new pod with the requests and limits that its namespace has for containers that say none. */
export function withDefaultLimits(attributes: AdmissionAttributes): KubeObject | undefined {
  let { object } = attributes
  if (!object || !takesAnew(attributes)) return object
  for (const limits of limitsOf(attributes)) object = withDefaults(object, limits)
  return object
}

/**
 * Containers, pods and claims stay within the limits of their namespace.
 *
 * @throws ApiError 403
 */
export function checkLimits(attributes: AdmissionAttributes): void {
  const { object, resource, subresource, operation } = attributes
  const isClaim = resource.table === '/persistentvolumeclaims' && subresource === '' && operation !== 'DELETE'
  if (!object || !(takesAnew(attributes) || isClaim)) return
  for (const limits of limitsOf(attributes)) {
    const errors = isClaim ? claimErrors(object, limits) : podErrors(object, limits)
    if (errors.length > 0) throw refuse(attributes, joinErrors(errors))
  }
}

/** A pod that is new, or is given other resources. */
function takesAnew({ operation, resource, subresource }: AdmissionAttributes): boolean {
  return resource.table === '/pods' && subresource === (operation === 'CREATE' ? '' : 'resize')
}

function limitsOf({ state, namespace }: AdmissionAttributes): readonly (readonly JsonObject[])[] {
  return state.objects.list(LIMIT_RANGE, { namespace }).map((range) => itemsAt(objectAt(range, 'spec'), 'limits'))
}

function withDefaults(pod: KubeObject, limits: readonly JsonObject[]): KubeObject {
  const own = limits.filter((limit) => limit.type === 'Container')
  const requests = Object.assign({}, ...own.map((limit) => objectAt(limit, 'defaultRequest'))) as JsonObject
  const maxima = Object.assign({}, ...own.map((limit) => objectAt(limit, 'default'))) as JsonObject
  const notes: string[] = []
  const complete =
    (what: string) =>
    (container: JsonObject): JsonObject => {
      const resources = objectAt(container, 'resources')
      const named = `${what} ${textAt(container, 'name')}`
      const filled = {
        limits: filledIn(objectAt(resources, 'limits'), maxima),
        requests: filledIn(objectAt(resources, 'requests'), requests),
      }
      if (filled.requests.added !== '') notes.push(`${filled.requests.added} request for ${named}`)
      if (filled.limits.added !== '') notes.push(`${filled.limits.added} limit for ${named}`)
      if (filled.requests.added === '' && filled.limits.added === '') return container
      return { ...container, resources: { ...resources, limits: filled.limits.value, requests: filled.requests.value } }
    }
  const spec = mapItems(objectAt(pod, 'spec'), 'containers', complete('container'))
  const changed = { ...pod, spec: mapItems(spec, 'initContainers', complete('init container')) }
  if (notes.length === 0) return pod
  const annotations = { ...pod.metadata.annotations, [NOTE]: `LimitRanger plugin set: ${notes.join('; ')}` }
  return withMeta(changed, { annotations })
}

function filledIn(given: JsonObject, defaults: JsonObject): { readonly value: JsonObject; readonly added: string } {
  const added = Object.keys(defaults).filter((name) => given[name] === undefined)
  return { value: { ...defaults, ...given }, added: added.sort().join(', ') }
}

function podErrors(pod: KubeObject, limits: readonly JsonObject[]): readonly string[] {
  const spec = objectAt(pod, 'spec')
  const containers = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].map(amountsOf)
  return limits.flatMap((limit) => {
    if (limit.type === 'Pod') return violations(limit, wholePod(spec))
    return limit.type === 'Container' ? containers.flatMap((each) => violations(limit, each)) : []
  })
}

function violations(limit: JsonObject, amounts: Amounts): readonly string[] {
  return [...below(limit, amounts), ...above(limit, amounts), ...disproportion(limit, amounts)]
}

interface Amounts {
  readonly requests: JsonObject
  readonly limits: JsonObject
}

/** What a pod takes at its most; what it says of itself counts more than what its containers say. */
export function wholePod(spec: JsonObject): Amounts {
  const own = amountsOf(spec)
  return {
    requests: { ...amountsOfContainers(spec, 'requests'), ...podLevel(own.requests) },
    limits: { ...amountsOfContainers(spec, 'limits'), ...podLevel(own.limits) },
  }
}

function podLevel(amounts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => SAID_BY_PODS.has(name)))
}

const SAID_BY_PODS = new Set(['cpu', 'memory'])

function below(limit: JsonObject, { requests, limits }: Amounts): readonly string[] {
  return sortedEntries(objectAt(limit, 'min')).flatMap(([name, least]) => {
    const text = `minimum ${name} usage per ${limit.type} is ${least}`
    if (requests[name] === undefined) return [`${text}.  No request is specified`]
    if (compareQuantities(requests[name], least) < 0) return [`${text}, but request is ${requests[name]}`]
    const isLow = limits[name] !== undefined && compareQuantities(limits[name], least) < 0
    return isLow ? [`${text}, but limit is ${limits[name]}`] : []
  })
}

function above(limit: JsonObject, { requests, limits }: Amounts): readonly string[] {
  return sortedEntries(objectAt(limit, 'max')).flatMap(([name, most]) => {
    const text = `maximum ${name} usage per ${limit.type} is ${most}`
    if (limits[name] === undefined) return [`${text}.  No limit is specified`]
    if (compareQuantities(limits[name], most) > 0) return [`${text}, but limit is ${limits[name]}`]
    const isHigh = requests[name] !== undefined && compareQuantities(requests[name], most) > 0
    return isHigh ? [`${text}, but request is ${requests[name]}`] : []
  })
}

function disproportion(limit: JsonObject, { requests, limits }: Amounts): readonly string[] {
  return sortedEntries(objectAt(limit, 'maxLimitRequestRatio')).flatMap(([name, most]) => {
    const text = `${name} max limit to request ratio per ${limit.type} is ${most}, but`
    const [request, maximum] = [nanosOf(requests[name]), nanosOf(limits[name])]
    if (request === 0n) return [`${text} no request is specified or request is 0`]
    if (maximum === 0n) return [`${text} no limit is specified or limit is 0`]
    const isHigh = maximum * BILLION > nanosOf(most) * request
    return isHigh ? [`${text} provided ratio is ${(Number(maximum) / Number(request)).toFixed(6)}`] : []
  })
}

const BILLION = 1_000_000_000n

function amountsOf(container: JsonObject): Amounts {
  const resources = objectAt(container, 'resources')
  return { requests: objectAt(resources, 'requests'), limits: objectAt(resources, 'limits') }
}

function claimErrors(claim: KubeObject, limits: readonly JsonObject[]): readonly string[] {
  const { requests } = amountsOf(objectAt(claim, 'spec'))
  const both = { requests, limits: requests }
  return limits
    .filter((limit) => limit.type === 'PersistentVolumeClaim')
    .flatMap((limit) => [...below(limit, both), ...above(limit, both)])
    .map((text) => text.replace('but limit is', 'but request is').replace('No limit is', 'No request is'))
}
