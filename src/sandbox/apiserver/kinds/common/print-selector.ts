import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from './fields.ts'
import { validateLabelSelector } from './label-selectors.ts'

/** `app=web,tier in (a,b)`, or `<none>`. The map of labels of older kinds is a selector, too. */
export function printSelector(selector: JsonObject): string {
  const isPlain = selector.matchLabels === undefined && selector.matchExpressions === undefined
  if (isPlain) return printLabels(selector)
  if (validateLabelSelector(selector, '').length > 0) return '<error>'
  const equalities = sortedEntries(objectAt(selector, 'matchLabels')).map(
    ([key, value]) => [key, `${key}=${value}`] as const,
  )
  const requirements = [...equalities, ...itemsAt(selector, 'matchExpressions').map(printRequirement)]
  const texts = requirements
    .sort(([left], [right]) => (left < right ? -1 : Number(left > right)))
    .map(([, text]) => text)
  return texts.join(',') || '<none>'
}

/** `a=b,c=d`, or `<none>`. */
export function printLabels(labels: JsonObject): string {
  const pairs = sortedEntries(labels).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.join(',')
}

function printRequirement(requirement: JsonObject): readonly [string, string] {
  const key = textAt(requirement, 'key')
  const values = [...textsAt(requirement, 'values')].sort().join(',')
  switch (requirement.operator) {
    case 'Exists':
      return [key, key]
    case 'DoesNotExist':
      return [key, `!${key}`]
    default:
      return [key, `${key} ${requirement.operator === 'In' ? 'in' : 'notin'} (${values})`]
  }
}
