import type { JsonObject } from '../../../../core/base/json.ts'
import { checkLabelValue } from '../../write/names.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from '../common/fields.ts'

type Warnings = readonly string[]

const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
])

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

/** About labels of nodes that have newer names, in the selector and the affinity of a pod. */
export function nodeLabelWarnings(spec: JsonObject, field: string): Warnings {
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity')
  const place = `${field}.affinity.nodeAffinity`
  return [
    ...sortedEntries(objectAt(spec, 'nodeSelector')).flatMap(([key]) => {
      const text = DEPRECATED.get(key)
      return text === undefined ? [] : [`${field}.nodeSelector[${key}]: ${text}`]
    }),
    ...itemsAt(objectAt(affinity, REQUIRED), 'nodeSelectorTerms').flatMap((term, index) =>
      nodeTermWarnings(term, `${place}.${REQUIRED}.nodeSelectorTerms[${index}]`),
    ),
    ...itemsAt(affinity, PREFERRED).flatMap((term, index) => {
      const preference = objectAt(term, 'preference')
      const at = `${place}.${PREFERRED}[${index}].preference`
      return [...nodeTermWarnings(preference, at), ...valueWarnings(preference, at)]
    }),
  ]
}

/** The same about one term of a selector of nodes. */
export function nodeTermWarnings(term: JsonObject, field: string): Warnings {
  return itemsAt(term, 'matchExpressions').flatMap((expression, index) => {
    const key = textAt(expression, 'key')
    const text = DEPRECATED.get(key)
    return text === undefined ? [] : [`${field}.matchExpressions[${index}].key: ${key} is ${text}`]
  })
}

function valueWarnings(term: JsonObject, field: string): Warnings {
  return itemsAt(term, 'matchExpressions').flatMap((expression, index) =>
    textsAt(expression, 'values').flatMap((value, at) =>
      checkLabelValue(value).map(
        (complaint) => `${field}.matchExpressions[${index}].values[${at}]: ${value} is invalid, ${complaint}`,
      ),
    ),
  )
}

const NO_POD = 'a null labelSelector results in matching no pod'

export function spreadWarnings(spec: JsonObject, field: string): Warnings {
  return itemsAt(spec, 'topologySpreadConstraints').flatMap(({ topologyKey, labelSelector }, index) => {
    const key = String(topologyKey)
    const text = DEPRECATED.get(key)
    return [
      ...(text === undefined ? [] : [`${field}[${index}].topologyKey: ${key} is ${text}`]),
      ...(labelSelector === undefined ? [`${field}[${index}].labelSelector: ${NO_POD}`] : []),
    ]
  })
}

/** About terms of an affinity to other pods that select none. */
export function affinityWarnings(affinity: JsonObject, field: string): Warnings {
  return ['podAffinity', 'podAntiAffinity'].flatMap((name) => {
    const terms = objectAt(affinity, name)
    const place = `${field}.${name}`
    return [
      ...itemsAt(terms, REQUIRED).flatMap(({ labelSelector }, index) =>
        labelSelector === undefined ? [`${place}.${REQUIRED}[${index}].labelSelector: ${NO_POD}`] : [],
      ),
      ...itemsAt(terms, PREFERRED).flatMap((term, index) =>
        objectAt(term, 'podAffinityTerm').labelSelector === undefined
          ? [`${place}.${PREFERRED}[${index}].podAffinityTerm.labelSelector: ${NO_POD}`]
          : [],
      ),
    ]
  })
}
