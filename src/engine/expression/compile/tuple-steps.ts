import type { Stage, SyntaxNode } from '../syntax-tree.ts'
import { addMark, hasMark, isListValue, MARK, type Value } from '../value.ts'
import type { Code, Compiler } from './code.ts'
import { compileFilter } from './filters.ts'
import type { Frame } from './frame.ts'
import { compileSort } from './sorting.ts'
import { frameOf, type Tuple, tupleOf } from './tuple.ts'

/** A step of a path that binds names, or follows one that does. */
export type TupleStep = (frame: Frame, from: TupleInput) => readonly Tuple[]

/** `tuples` is undefined at the first such step: it begins with the items that the path has reached. */
interface TupleInput {
  readonly items: readonly Value[]
  readonly tuples: readonly Tuple[] | undefined
}

/** What a tuple takes for each of its names. */
const TUPLE_BYTES = 48

export function compileTupleStep(step: SyntaxNode, compiler: Compiler): TupleStep {
  const stages = (step.stages ?? []).map((stage) => compileStage(stage, compiler))
  const expand = step.type === 'sort' ? compileTupleSort(step, compiler) : compileExpansion(step, compiler)
  return (frame, from) => stages.reduce((tuples, stage) => stage(frame, tuples), expand(frame, from))
}

function compileTupleSort(step: SyntaxNode & { type: 'sort' }, compiler: Compiler): TupleStep {
  const sort = compileSort(step, compiler)
  return (frame, { items, tuples }) => {
    if (tuples !== undefined) return asTuples(sort(frame, tuples as unknown as Value))
    const sorted = sort(frame, items) as readonly Value[]
    return tupleList(sorted.map((item, index) => bindIndex(tupleOf({ '@': item }), step.index, index)))
  }
}

function compileExpansion(step: SyntaxNode, compiler: Compiler): TupleStep {
  const code = compiler.compile(step)
  return (frame, { items, tuples }) => {
    const { budget } = frame.run
    const from = tuples ?? items.map((item) => tupleOf({ '@': item }))
    const expanded = tupleList([])
    for (const tuple of from) {
      budget.step()
      const result = code(frameOf(frame, tuple), tuple['@'])
      if (result === undefined) continue
      const found = isListValue(result) ? result : [result]
      const names = Object.keys(tuple).length
      budget.step(found.length * names)
      budget.allocate(found.length * TUPLE_BYTES * names)
      found.forEach((item, index) => {
        const isTuple = hasMark(found, MARK.tuples)
        expanded.push(isTuple ? tupleOf(tuple, item as unknown as Tuple) : extend(step, tuple, { item, index }))
      })
    }
    return expanded
  }
}

/** The tuple of one item that a step found. */
function extend(step: SyntaxNode, tuple: Tuple, found: { item: Value; index: number }): Tuple {
  const extended = tupleOf(tuple)
  if (step.focus === undefined) extended['@'] = found.item
  else extended[step.focus] = found.item
  bindIndex(extended, step.index, found.index)
  if (step.ancestor !== undefined) extended[step.ancestor.label] = tuple['@']
  return extended
}

function bindIndex(tuple: Tuple, name: string | undefined, index: number): Tuple {
  if (name !== undefined) tuple[name] = index
  return tuple
}

function compileStage(stage: Stage, compiler: Compiler): (frame: Frame, tuples: readonly Tuple[]) => readonly Tuple[] {
  if (stage.type === 'index') {
    return (frame, tuples) => {
      frame.run.budget.step(tuples.length)
      for (const [index, tuple] of tuples.entries()) bindIndex(tuple, stage.value, index)
      return tuples
    }
  }
  const filter: Code = compileFilter(stage.expr, compiler)
  return (frame, tuples) => asTuples(filter(frame, tuples as unknown as Value))
}

function tupleList(tuples: Tuple[]): Tuple[] {
  return addMark(addMark(tuples, MARK.sequence), MARK.tuples)
}

/** Tuples are kept in lists of values where filters and sorting see them. */
function asTuples(value: Value): readonly Tuple[] {
  return value as unknown as readonly Tuple[]
}
