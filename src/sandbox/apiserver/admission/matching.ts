import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { compileLabelSelector, type LabelSelector } from '../../../core/kube/label-selector.ts'
import type { ServedResource } from '../served-resource.ts'
import { type AdmissionAttributes, inVersion } from './attributes.ts'

/** Which changes a policy, a binding or a webhook is about; the fields of all of them have the same names. */
export interface MatchCriteria {
  readonly namespaceSelector?: JsonValue | undefined
  readonly objectSelector?: JsonValue | undefined
  /** Absent or empty: everything, where `rules` need not be given. */
  readonly rules: readonly JsonObject[]
  readonly excludeRules?: readonly JsonObject[] | undefined
  readonly matchPolicy?: JsonValue | undefined
}

/** `matchResources` of a binding, or `matchConstraints` of a policy. */
export function criteriaOf(match: JsonValue | undefined): MatchCriteria {
  const { namespaceSelector, objectSelector, matchPolicy, ...rules } = isJsonObject(match) ? match : {}
  return {
    namespaceSelector,
    objectSelector,
    matchPolicy,
    rules: objectsOf(rules.resourceRules),
    excludeRules: objectsOf(rules.excludeResourceRules),
  }
}

/** The change in the version that was asked for; `undefined` when it is not meant. */
export function match(attributes: AdmissionAttributes, criteria: MatchCriteria): AdmissionAttributes | undefined {
  if (!matchesNamespace(attributes, criteria.namespaceSelector)) return undefined
  if (!matchesObject(attributes, criteria.objectSelector)) return undefined
  const { rules, excludeRules = [], matchPolicy } = criteria
  if (excludeRules.length > 0 && matchRules(attributes, excludeRules, matchPolicy)) return undefined
  return rules.length === 0 ? attributes : matchRules(attributes, rules, matchPolicy)
}

/** The configuration of admission itself is never up to it. */
const EXEMPT = new Set([
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
])

export function isExempt({ resource }: AdmissionAttributes): boolean {
  return EXEMPT.has(resource.table)
}

function matchesNamespace(attributes: AdmissionAttributes, selector: JsonValue | undefined): boolean {
  const { namespace, resource } = attributes
  if (isEmptySelector(selector) || (namespace === '' && resource.table !== '/namespaces')) return true
  return compileLabelSelector(selector as LabelSelector)(namespaceLabels(attributes))
}

/** None of a namespace that is not there: nothing can be written in that. */
function namespaceLabels({ state, resource, operation, object, namespace, subresource }: AdmissionAttributes): Labels {
  if (resource.table === '/namespaces' && subresource === '' && operation !== 'DELETE') return object?.metadata.labels
  return state.store.get('/namespaces', '', namespace)?.object.metadata.labels
}

type Labels = { readonly [key: string]: string } | undefined

function matchesObject({ object, old }: AdmissionAttributes, selector: JsonValue | undefined): boolean {
  if (isEmptySelector(selector)) return true
  const matches = compileLabelSelector(selector as LabelSelector)
  return [object, old].some((each) => each !== undefined && matches(each.metadata.labels))
}

function isEmptySelector(selector: JsonValue | undefined): boolean {
  if (!isJsonObject(selector)) return true
  const { matchLabels, matchExpressions } = selector
  const hasLabels = isJsonObject(matchLabels) && Object.keys(matchLabels).length > 0
  return !hasLabels && !(isJsonArray(matchExpressions) && matchExpressions.length > 0)
}

function matchRules(
  attributes: AdmissionAttributes,
  rules: readonly JsonObject[],
  matchPolicy: JsonValue | undefined,
): AdmissionAttributes | undefined {
  if (rules.some((rule) => matchesRule(rule, attributes, attributes.resource))) return attributes
  if (matchPolicy !== 'Equivalent') return undefined
  for (const rule of rules) {
    for (const other of equivalents(attributes)) {
      if (matchesRule(rule, attributes, other)) return inVersion(attributes, other)
    }
  }
  return undefined
}

/** Other versions of the resource. */
function* equivalents({ state, resource }: AdmissionAttributes): Iterable<ServedResource> {
  for (const each of state.registry.all()) if (each.table === resource.table && each !== resource) yield each
}

function matchesRule(rule: JsonObject, attributes: AdmissionAttributes, resource: ServedResource): boolean {
  const { operations, apiGroups, apiVersions, resources, resourceNames, scope } = rule
  const names = textsOf(resourceNames)
  return (
    has(operations, attributes.operation) &&
    has(apiGroups, resource.group) &&
    has(apiVersions, resource.version) &&
    textsOf(resources).some((each) => matchesResource(each, resource.plural, attributes.subresource)) &&
    (scope === undefined || scope === '*' || (scope === 'Namespaced') === resource.namespaced) &&
    (names.length === 0 || names.includes(attributes.name))
  )
}

function matchesResource(wanted: string, plural: string, subresource: string): boolean {
  const [resource = '', sub = ''] = wanted.split('/', 2)
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource)
}

function has(list: JsonValue | undefined, value: string): boolean {
  const texts = textsOf(list)
  return texts.includes('*') || texts.includes(value)
}

function textsOf(list: JsonValue | undefined): readonly string[] {
  return isJsonArray(list) ? list.map(String) : []
}

export function objectsOf(list: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(list) ? list.filter(isJsonObject) : []
}
