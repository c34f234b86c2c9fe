import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from '../../kinds/common/fields.ts'

/** Whether a pod with this spec may run on a node, by its `nodeSelector` and the affinity that it requires. */
export function selectsNode(spec: JsonObject, node: KubeObject): boolean {
  const { labels = {} } = node.metadata
  const wanted = sortedEntries(objectAt(spec, 'nodeSelector'))
  if (wanted.some(([key, value]) => labels[key] !== value)) return false
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity')
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = affinity
  if (required === undefined) return true
  const terms = itemsAt(objectAt({ required }, 'required'), 'nodeSelectorTerms')
  return terms.some((term) => matchesTerm(term, node))
}

/** A term that says nothing selects nothing. */
function matchesTerm(term: JsonObject, { metadata }: KubeObject): boolean {
  const expressions = itemsAt(term, 'matchExpressions')
  const fields = itemsAt(term, 'matchFields')
  if (expressions.length + fields.length === 0) return false
  const { labels = {}, name } = metadata
  return (
    expressions.every((each) => matches(each, labels[textAt(each, 'key')])) &&
    fields.every((each) => matches(each, textAt(each, 'key') === 'metadata.name' ? name : undefined))
  )
}

type Operator = (value: string | undefined, values: readonly string[]) => boolean

const OPERATORS: Readonly<Record<string, Operator>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [limit]) => Number(value) > Number(limit),
  Lt: (value, [limit]) => Number(value) < Number(limit),
}

function matches(expression: JsonObject, value: string | undefined): boolean {
  return OPERATORS[textAt(expression, 'operator')]?.(value, textsAt(expression, 'values')) === true
}
