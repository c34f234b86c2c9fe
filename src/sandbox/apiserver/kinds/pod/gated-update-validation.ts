import { isJsonObject, type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import { asStruct, type FieldErrors, invalid } from '../common/field-errors.ts'
import { itemsAt, objectAt, sortedEntries } from '../common/fields.ts'
import { goSelectorTerm, goSelectorTerms } from '../common/node-selector-struct.ts'

/** The node selection of a pod with scheduling gates can still change, but only so that fewer nodes fit. */
export function validateGatedUpdate(spec: JsonObject, old: JsonObject): FieldErrors {
  return [...validateNodeSelector(spec, old), ...validateNodeAffinity(spec, old)]
}

function validateNodeSelector(spec: JsonObject, old: JsonObject): FieldErrors {
  const selector = objectAt(spec, 'nodeSelector')
  if (sortedEntries(objectAt(old, 'nodeSelector')).every(([key, value]) => selector[key] === value)) return []
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  return [invalid('spec.nodeSelector', spec.nodeSelector, detail)]
}

const TERMS = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'

/** Terms are alternatives: their number stays, and each may only demand more. */
function validateNodeAffinity(spec: JsonObject, old: JsonObject): FieldErrors {
  const before = itemsAt(requiredNodes(old), 'nodeSelectorTerms')
  const now = itemsAt(requiredNodes(spec), 'nodeSelectorTerms')
  if (before.length === 0) return []
  if (before.length !== now.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    return [asStruct(invalid(TERMS, goSelectorTerms(requiredNodes(spec)), detail))]
  }
  return before.flatMap((term, index) => {
    const changed = now[index] ?? {}
    if (hasOnlyAdditions(changed, term)) return []
    const detail = 'only additions are allowed (no mutations or deletions)'
    return [asStruct(invalid(`${TERMS}[${index}]`, goSelectorTerm(changed), detail))]
  })
}

function requiredNodes(spec: JsonObject): JsonObject {
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = objectAt(
    objectAt(spec, 'affinity'),
    'nodeAffinity',
  )
  return isJsonObject(required) ? required : {}
}

const LISTS = ['matchExpressions', 'matchFields']

/** A term without requirements matches nothing: with some, it would match more. */
function hasOnlyAdditions(term: JsonObject, old: JsonObject): boolean {
  const count = (each: JsonObject): number => LISTS.reduce((sum, list) => sum + itemsAt(each, list).length, 0)
  if (count(old) === 0) return count(term) === 0
  return LISTS.every((list) => {
    const before = itemsAt(old, list).map(withValues)
    return jsonEquals(itemsAt(term, list).slice(0, before.length).map(withValues), before)
  })
}

/** No values are the same whether they are empty or not there. */
function withValues({ values = [], ...requirement }: JsonObject): JsonObject {
  return { ...requirement, values }
}
