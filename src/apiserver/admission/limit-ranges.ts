import type { JsonObject } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { joinErrors } from '../access/rbac.ts'
import { itemsAt, mapItems, objectAt, sortedEntries, textAt } from '../kinds/common/fields.ts'
import { compareQuantities } from '../kinds/common/quantity.ts'
import { withMeta } from '../write/object-meta.ts'
import { type AdmissionAttributes, refuse } from './attributes.ts'

const LIMIT_RANGE = { group: '', version: 'v1', kind: 'LimitRange' }
const NOTE = 'kubernetes.io/limit-ranger'

/** A new pod with the requests and limits that its namespace has for containers that say none. */
export function withDefaultLimits(attributes: AdmissionAttributes): KubeObject | undefined {
  let { object } = attributes
  if (!object || !isNewPod(attributes)) return object
  for (const limits of limitsOf(attributes)) object = withDefaults(object, limits)
  return object
}

/**
 * Containers and claims stay within the limits of their namespace.
 *
 * @throws ApiError 403
 */
export function checkLimits(attributes: AdmissionAttributes): void {
  const { object, resource, subresource, operation } = attributes
  const isClaim = resource.table === '/persistentvolumeclaims' && subresource === '' && operation !== 'DELETE'
  if (!object || !(isNewPod(attributes) || isClaim)) return
  for (const limits of limitsOf(attributes)) {
    const errors = isClaim ? claimErrors(object, limits) : containerErrors(object, limits)
    if (errors.length > 0) throw refuse(attributes, joinErrors(errors))
  }
}

function isNewPod({ operation, resource, subresource }: AdmissionAttributes): boolean {
  return operation === 'CREATE' && resource.table === '/pods' && subresource === ''
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

function containerErrors(pod: KubeObject, limits: readonly JsonObject[]): readonly string[] {
  const spec = objectAt(pod, 'spec')
  const containers = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')]
  return limits
    .filter((limit) => limit.type === 'Container')
    .flatMap((limit) => containers.flatMap((each) => [...below(limit, each), ...above(limit, each)]))
}

function below(limit: JsonObject, container: JsonObject): readonly string[] {
  const { requests, limits } = amountsOf(container)
  return sortedEntries(objectAt(limit, 'min')).flatMap(([name, least]) => {
    const text = `minimum ${name} usage per ${limit.type} is ${least}`
    if (requests[name] === undefined) return [`${text}.  No request is specified`]
    if (compareQuantities(requests[name], least) < 0) return [`${text}, but request is ${requests[name]}`]
    const isLow = limits[name] !== undefined && compareQuantities(limits[name], least) < 0
    return isLow ? [`${text}, but limit is ${limits[name]}`] : []
  })
}

function above(limit: JsonObject, container: JsonObject): readonly string[] {
  const { requests, limits } = amountsOf(container)
  return sortedEntries(objectAt(limit, 'max')).flatMap(([name, most]) => {
    const text = `maximum ${name} usage per ${limit.type} is ${most}`
    if (limits[name] === undefined) return [`${text}.  No limit is specified`]
    if (compareQuantities(limits[name], most) > 0) return [`${text}, but limit is ${limits[name]}`]
    const isHigh = requests[name] !== undefined && compareQuantities(requests[name], most) > 0
    return isHigh ? [`${text}, but request is ${requests[name]}`] : []
  })
}

function amountsOf(container: JsonObject): { readonly requests: JsonObject; readonly limits: JsonObject } {
  const resources = objectAt(container, 'resources')
  return { requests: objectAt(resources, 'requests'), limits: objectAt(resources, 'limits') }
}

function claimErrors(claim: KubeObject, limits: readonly JsonObject[]): readonly string[] {
  const { requests } = amountsOf(objectAt(claim, 'spec'))
  const both = { resources: { requests, limits: requests } }
  return limits
    .filter((limit) => limit.type === 'PersistentVolumeClaim')
    .flatMap((limit) => [...below(limit, both), ...above(limit, both)])
    .map((text) => text.replace('but limit is', 'but request is').replace('No limit is', 'No request is'))
}
