import type { PathNode, Stage, SyntaxNode } from '../syntax-tree.ts'
import { childrenOf } from '../tree-shape.ts'
import { inferField } from './infer-field.ts'
import type { Inference, Place } from './inference.ts'
import { ANY, canBe, isAlways, itemsOf, listOf, optional, sequenceOf, type Type } from './type.ts'

/** Where a path has come to: what each context holds, and whether there may be, or are, several contexts. */
interface Way {
  readonly value: Type
  readonly many: 'no' | 'perhaps' | 'yes'
}

/** The type of a path: names, filters and constructors one after the other. */
export function inferPath(node: PathNode, place: Place, inference: Inference): Type {
  if (node.steps.some(bindsItsItems)) return ANY
  let way: Way = { value: place.focus, many: 'no' }
  for (const [index, step] of node.steps.entries()) {
    const next =
      index === 0 && !isRelative(step) ? firstStep(step, place, inference) : stepOn(way, step, { place, inference })
    if (next === undefined) return ANY
    way = next
  }
  const keepsList = node.keepSingletonArray === true || node.keepArray === true
  return endOf(way, { keepsList, last: node.steps.at(-1) as SyntaxNode })
}

/** Steps that give names to their items (`@`, `#`, `%`) see more than this inference keeps. */
function bindsItsItems(step: SyntaxNode): boolean {
  const { tuple, focus, index, ancestor, type } = step
  if (tuple === true || focus !== undefined || index !== undefined || ancestor !== undefined || type === 'parent')
    return true
  return (step.stages ?? []).some((stage) => stage.type === 'index') || childrenOf(step).some(bindsItsItems)
}

/** A first step that is not a name stands on its own. */
function isRelative({ type }: SyntaxNode): boolean {
  return type === 'name' || type === 'wildcard' || type === 'descendant' || type === 'sort'
}

function firstStep(step: SyntaxNode, place: Place, inference: Inference): Way {
  const { stages, ...plain } = step
  return { value: applyStages(inference.infer(plain as SyntaxNode, place), stages, { place, inference }), many: 'no' }
}

interface Walk {
  readonly place: Place
  readonly inference: Inference
}

function stepOn(way: Way, step: SyntaxNode, walk: Walk): Way | undefined {
  const focus = itemsOf(way.value)
  const many = manyAfter(way)
  const inner = { ...walk, place: { ...walk.place, focus } }
  const value = contextValue(step, focus, inner)
  if (value === undefined) return undefined
  const kept = way.value.optional || value.optional ? optional(value) : value
  return { value: applyStages(kept, step.stages, inner), many }
}

function manyAfter({ value, many }: Way): Way['many'] {
  if (many === 'yes' || isAlways(value, 'list') || value.collapses) return 'yes'
  return canBe(value, 'list') ? 'perhaps' : many
}

function contextValue(step: SyntaxNode, focus: Type, { place, inference }: Walk): Type | undefined {
  if (step.type === 'name') return inferField(focus, step, inference)
  if (step.type === 'sort') {
    for (const { expression } of step.terms) inference.infer(expression, place)
    return undefined
  }
  const isPlain = step.type === 'function' || step.type === 'block' || step.type === 'variable'
  if (!isPlain && !(step.type === 'unary' && step.value === '{')) return undefined
  const { stages: _stages, ...plain } = step
  const value = inference.infer(plain as SyntaxNode, place)
  // A list made in brackets stays one within the list of the path; a list that was found is laid out in it.
  return step.type === 'block' && canBe(value, 'list') ? undefined : value
}

/** The filters behind a step or a value. */
export function applyStages(value: Type, stages: readonly Stage[] | undefined, { place, inference }: Walk): Type {
  let here = value
  for (const stage of stages ?? []) if (stage.type === 'filter') here = filtered(here, stage.expr, { place, inference })
  return here
}

function filtered(value: Type, filter: SyntaxNode, { place, inference }: Walk): Type {
  const item = itemsOf(value)
  const answer = inference.infer(filter, { ...place, focus: item, guarded: true })
  if (isIndex(filter)) return optional(item)
  const isCondition = isAlways(answer, 'boolean', 'text')
  return sequenceOf(item, isCondition && isAlways(value, 'list'))
}

/** `[0]`, `[-1]`. */
function isIndex(filter: SyntaxNode): boolean {
  if (filter.type === 'unary' && filter.value === '-') return filter.expression.type === 'number'
  return filter.type === 'number'
}

interface End {
  readonly keepsList: boolean
  readonly last: SyntaxNode
}

function endOf({ value, many }: Way, { keepsList, last }: End): Type {
  if (value.shapes === undefined) return ANY
  if (keepsList) return optionalAs(listOf(itemsOf(value)), value.optional || many !== 'no')
  const isList = isAlways(value, 'list')
  // What a step computes may be a sequence, which is laid out in that of the path.
  if (many === 'no') return isList && last.type !== 'name' ? sequenceOf(itemsOf(value), false) : value
  // A path that ends at a list is not said to collapse, though it may when several lists have one item between them.
  return sequenceOf(itemsOf(value), many === 'yes' && !isList)
}

function optionalAs(type: Type, isOptional: boolean): Type {
  return isOptional ? optional(type) : type
}
