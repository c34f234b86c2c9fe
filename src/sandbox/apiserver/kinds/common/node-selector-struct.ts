import { isJsonArray, type JsonArray, type JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, textAt } from './fields.ts'

/** `nodeSelectorTerms` as the server prints its own structs. */
export function goSelectorTerms(selector: JsonObject): JsonArray | null {
  return isJsonArray(selector.nodeSelectorTerms) ? itemsAt(selector, 'nodeSelectorTerms').map(goSelectorTerm) : null
}

export function goSelectorTerm(term: JsonObject): JsonObject {
  return {
    MatchExpressions: goRequirements(term, 'matchExpressions'),
    MatchFields: goRequirements(term, 'matchFields'),
  }
}

function goRequirements(term: JsonObject, name: string): JsonArray | null {
  if (!isJsonArray(term[name])) return null
  return itemsAt(term, name).map((each) => ({
    Key: textAt(each, 'key'),
    Operator: textAt(each, 'operator'),
    Values: each.values ?? null,
  }))
}
