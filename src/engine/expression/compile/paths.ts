import type { PathNode, SyntaxNode } from '../syntax-tree.ts'
import { addMark, hasMark, isListValue, isSequence, MARK, markSequence, sequenceOf, type Value } from '../value.ts'
import type { Code, Compiler } from './code.ts'
import { compileFilters } from './filters.ts'
import type { Frame } from './frame.ts'
import { compileGroup } from './groups.ts'
import { compilePlainPath } from './plain-path.ts'
import { settle } from './settle.ts'
import { compileSort } from './sorting.ts'
import type { Tuple } from './tuple.ts'
import { compileTupleStep, type TupleStep } from './tuple-steps.ts'

/** A step that maps a list to a list, bindings aside. */
type Step = (frame: Frame, items: readonly Value[]) => readonly Value[]

/** `a.b[c].d`, with all that can hang on a path. */
export function compilePath(node: PathNode, compiler: Compiler): Code {
  const general = compileGeneralPath(node, compiler)
  return compilePlainPath(node, compiler, general) ?? general
}

function compileGeneralPath(node: PathNode, compiler: Compiler): Code {
  const startsAtVariable = node.steps[0]?.type === 'variable'
  const walk = compileSteps(node, compiler)
  const group = node.group === undefined ? undefined : compileGroup(node.group, compiler)
  const keepSingleton = node.keepSingletonArray === true
  return (frame, input) => {
    const start = isListValue(input) && !startsAtVariable ? input : sequenceOf(input)
    const found = walk(frame, start)
    const result = keepSingleton ? keepList(found.value) : found.value
    return settle(group === undefined ? result : group(frame, found.tuples ?? result), node.keepArray === true)
  }
}

/** Where a path ended: its value, and the tuples behind it if names were bound on the way. */
interface PathEnd {
  readonly value: readonly Value[]
  readonly tuples?: Value
}

function compileSteps(node: PathNode, compiler: Compiler): (frame: Frame, start: readonly Value[]) => PathEnd {
  const firstTuple = node.steps.findIndex((step) => step.tuple === true)
  const plainCount = firstTuple < 0 ? node.steps.length : firstTuple
  const last = node.steps.length - 1
  const plain = node.steps.slice(0, plainCount).map((step, index) => compileStep(step, compiler, { index, last }))
  const bound = node.steps.slice(plainCount).map((step) => compileTupleStep(step, compiler))
  return (frame, start) => {
    let here = start
    for (const step of plain) {
      here = step(frame, here)
      if (here.length === 0) return { value: here }
    }
    return bound.length === 0
      ? { value: here }
      : walkTuples(bound, frame, { items: here, keepTuples: node.tuple === true })
  }
}

function walkTuples(
  steps: readonly TupleStep[],
  frame: Frame,
  from: { items: readonly Value[]; keepTuples: boolean },
): PathEnd {
  const walked = steps.reduce<readonly Tuple[] | undefined>(
    (tuples, step) => step(frame, { items: from.items, tuples }),
    undefined,
  )
  const tuples = walked as readonly Tuple[]
  const bound = tuples as unknown as readonly Value[]
  if (from.keepTuples) return { value: bound, tuples: bound }
  const { budget } = frame.run
  budget.step(bound.length)
  budget.allocate(8 * bound.length)
  return { value: markSequence(tuples.map((tuple) => tuple['@'])), tuples: bound }
}

function keepList(value: readonly Value[]): Value {
  if (isSequence(value)) return addMark(value, MARK.keepSingleton)
  return hasMark(value, MARK.constructed) ? addMark(sequenceOf(value), MARK.keepSingleton) : value
}

function compileStep(step: SyntaxNode, compiler: Compiler, at: { index: number; last: number }): Step {
  if (step.type === 'sort') {
    const sort = compileSort(step, compiler)
    const filters = compileFilters(step.stages, compiler)
    if (filters === undefined) return sort as Step
    return (frame, items) => filters(frame, sort(frame, items)) as readonly Value[]
  }
  const code = compiler.compile(step)
  // An array constructor that begins a path is made once, not once for each item of a list.
  if (at.index === 0 && step.consarray === true) return (frame, items) => itemsOf(frame, code(frame, items))
  const filters = compileFilters(step.stages, compiler)
  const evaluate: Code = filters === undefined ? code : (frame, item) => filters(frame, code(frame, item))
  const isLast = at.index === at.last
  return (frame, items) => mapItems(frame, items, { evaluate, isLast })
}

/** What the steps after a beginning go through: of a text its characters, as the library has it, of what is not a list nothing. */
function itemsOf({ run }: Frame, value: Value): readonly Value[] {
  if (isListValue(value)) return value
  if (typeof value !== 'string') return sequenceOf()
  run.budget.allocate(8 * value.length)
  return sequenceOf(...value.split(''))
}

function mapItems(frame: Frame, items: readonly Value[], step: { evaluate: Code; isLast: boolean }): readonly Value[] {
  const { budget } = frame.run
  const results: Value[] = []
  for (const item of items) {
    budget.step()
    const result = step.evaluate(frame, item)
    if (result !== undefined) results.push(result)
  }
  const [only] = results
  if (step.isLast && results.length === 1 && isListValue(only) && !isSequence(only)) return only
  return flattenOnce(results, budget)
}

function flattenOnce(results: readonly Value[], budget: Frame['run']['budget']): readonly Value[] {
  const flat = sequenceOf()
  for (const result of results) {
    if (!isListValue(result) || hasMark(result, MARK.constructed)) flat.push(result)
    else {
      budget.step(result.length)
      for (const item of result) flat.push(item)
    }
  }
  budget.allocate(8 * flat.length)
  return flat
}
