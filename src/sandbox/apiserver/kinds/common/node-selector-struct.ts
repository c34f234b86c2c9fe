import type { JsonArray, JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, textAt } from './fields.ts'

/** `nodeSelectorTerms` as the server prints its own structs. */
export function goSelectorTerms(selector: JsonObject): JsonArray | null {
  const terms = itemsAt(selector, 'nodeSelectorTerms').map(goSelectorTerm)
  return terms.length > 0 ? terms : null
}

export function goSelectorTerm(term: JsonObject): JsonObject {
  return {
    MatchExpressions: goRequirements(term, 'matchExpressions'),
    MatchFields: goRequirements(term, 'matchFields'),
  }
}

function goRequirements(term: JsonObject, name: string): JsonArray | null {
  const requirements = itemsAt(term, name).map((each) => ({
    Key: textAt(each, 'key'),
    Operator: textAt(each, 'operator'),
    Values: each.values ?? null,
  }))
  return requirements.length > 0 ? requirements : null
}
