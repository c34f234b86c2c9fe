import { toBoolean } from '../builtins/booleans.ts'
import type { Stage, SyntaxNode } from '../syntax-tree.ts'
import { addMark, hasMark, isListValue, MARK, sequenceOf, type Value } from '../value.ts'
import type { Budget } from './budget.ts'
import type { Code, Compiler } from './code.ts'
import type { Frame } from './frame.ts'
import { isNumeric } from './numeric.ts'
import { frameOf, type Tuple } from './tuple.ts'

/** `[predicate]` on a value: the frame is that of the place, the input the value to filter. */
export function compileFilter(predicate: SyntaxNode, compiler: Compiler): Code {
  if (predicate.type === 'number') return pickAt(Math.floor(Number(predicate.value)))
  const keeps = compiler.compile(predicate)
  return (frame, value) => {
    const items = isListValue(value) ? value : sequenceOf(value)
    const tuples = hasMark(items, MARK.tuples)
    const kept = sequenceOf()
    if (tuples) addMark(kept, MARK.tuples)
    const { budget } = frame.run
    items.forEach((item, index) => {
      budget.step()
      const verdict = tuples ? keepsTuple(keeps, frame, item as unknown as Tuple) : keeps(frame, item)
      for (let times = timesKept(verdict, { index, size: items.length, budget }); times > 0; times -= 1) kept.push(item)
    })
    budget.allocate(8 * kept.length)
    return kept
  }
}

/** The filters of a step, one after the other; `undefined` when there are none. */
export function compileFilters(stages: readonly Stage[] | undefined, compiler: Compiler): Code | undefined {
  if (stages === undefined) return undefined
  const filters = stages.filter((stage) => stage.type === 'filter').map(({ expr }) => compileFilter(expr, compiler))
  const [only] = filters
  if (only !== undefined && filters.length === 1) return only
  return (frame, value) => filters.reduce((filtered, filter) => filter(frame, filtered), value)
}

function pickAt(position: number): Code {
  return (frame, value) => {
    frame.run.budget.step()
    const items = isListValue(value) ? value : sequenceOf(value)
    const item = items[position < 0 ? items.length + position : position]
    if (isListValue(item)) return item
    const picked = item === undefined ? sequenceOf() : sequenceOf(item)
    return hasMark(items, MARK.tuples) ? addMark(picked, MARK.tuples) : picked
  }
}

function keepsTuple(keeps: Code, frame: Frame, tuple: Tuple): Value {
  return keeps(frameOf(frame, tuple), tuple['@'])
}

/** A number is the position to keep, a list of numbers several (each as often as it is named), all else true or false. */
function timesKept(verdict: Value, at: { index: number; size: number; budget: Budget }): number {
  if (isNumeric(verdict)) return isAt(verdict, at) ? 1 : 0
  if (!isListValue(verdict)) return toBoolean(verdict, at.budget) ? 1 : 0
  at.budget.step(verdict.length)
  if (!areNumbers(verdict)) return toBoolean(verdict, at.budget) ? 1 : 0
  let times = 0
  for (const position of verdict) if (isAt(position, at)) times += 1
  return times
}

/** Every item is looked at: an infinite one is an error, also after an item that is not a number. */
function areNumbers(items: readonly Value[]): items is readonly number[] {
  return items.filter((item) => !isNumeric(item)).length === 0
}

function isAt(position: number, { index, size }: { index: number; size: number }): boolean {
  const floor = Math.floor(position)
  return (floor < 0 ? size + floor : floor) === index
}
