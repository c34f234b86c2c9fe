import { isJsonArray, isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, mapField, mapItems, textsAt } from '../common/fields.ts'

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

/**
 * The spec of a new pod, whose affinities and spread constraints look for the values of its own labels: those that
 * `matchLabelKeys` and `mismatchLabelKeys` name.
 */
export function withLabelKeys(spec: JsonObject, labels: JsonObject): JsonObject {
  const select = (term: JsonObject): JsonObject => withOwnLabels(term, labels)
  const spread = mapItems(spec, 'topologySpreadConstraints', select)
  return mapField(spread, 'affinity', (affinity) =>
    ['podAffinity', 'podAntiAffinity'].reduce(
      (both, name) =>
        mapField(both, name, (one) =>
          mapItems(mapItems(one, REQUIRED, select), PREFERRED, (weighted) =>
            mapField(weighted, 'podAffinityTerm', select),
          ),
        ),
      affinity,
    ),
  )
}

function withOwnLabels(term: JsonObject, labels: JsonObject): JsonObject {
  const { labelSelector } = term
  if (!isJsonObject(labelSelector)) return term
  const own = [
    ...requirements(textsAt(term, 'matchLabelKeys'), 'In', labels),
    ...requirements(textsAt(term, 'mismatchLabelKeys'), 'NotIn', labels),
  ]
  if (own.length === 0) return term
  const given = isJsonArray(labelSelector.matchExpressions) ? itemsAt(labelSelector, 'matchExpressions') : []
  return { ...term, labelSelector: { ...labelSelector, matchExpressions: [...given, ...own] } }
}

function requirements(keys: readonly string[], operator: string, labels: JsonObject): readonly JsonObject[] {
  return keys.filter((key) => labels[key] !== undefined).map((key) => ({ key, operator, values: [labels[key] ?? ''] }))
}
