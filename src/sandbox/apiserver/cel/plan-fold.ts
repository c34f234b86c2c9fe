import { CelRuntimeError, noSuchOverload } from './cel-error.ts'
import type { CallExpr, FoldExpr } from './expr.ts'
import type { Frame, Locals, Planner, Step } from './plan.ts'
import { attempt } from './plan-logic.ts'
import { CelList, CelMap, type CelValue, GrowingList, typeNameOf } from './values.ts'

/** What macros over lists and maps become. Errors of a step are kept, as a later one may make up for them. */
export function planFold(expr: FoldExpr, planner: Planner, locals: Locals): Step {
  const accuSlot = Math.max(-1, ...locals.values()) + 1
  const [first, second] = [accuSlot + 1, accuSlot + 2]
  const outer = new Map([...locals, [expr.accu, accuSlot] as const])
  const names = [expr.variable, expr.variable2 ?? '#unused']
  const inner = new Map([...outer, [names[0] as string, first] as const, [names[1] as string, second] as const])
  const range = planner.plan(expr.range, locals)
  const init = planner.plan(expr.init, locals)
  const condition = expr.condition.kind === 'literal' ? undefined : planner.plan(expr.condition, inner)
  const step = planner.plan(expr.step, inner)
  const result = planner.plan(expr.result, outer)
  const pairs = expr.variable2 === undefined ? itemsOf : pairsOf
  return (frame) => {
    const items = pairs(range(frame))
    frame.locals[accuSlot] = expr.init.kind === 'list' && expr.accu === '@result' ? new GrowingList() : init(frame)
    for (const [a, b] of items) {
      frame.locals[first] = a
      frame.locals[second] = b
      if (condition && condition(frame) !== true) break
      frame.locals[accuSlot] = attempt(step, frame)
      if (!condition && frame.locals[accuSlot] instanceof CelRuntimeError) break
    }
    return result(frame)
  }
}

/** `accu + [item]` in a macro: the list is no one else's, and grows in place. */
export function planAppend(expr: CallExpr, planner: Planner, locals: Locals): Step | undefined {
  const [accu, list] = expr.args
  const slot = accu?.kind === 'ident' && accu.name === '@result' ? locals.get(accu.name) : undefined
  if (expr.name !== '_+_' || slot === undefined || list?.kind !== 'list' || !list.items[0]) return undefined
  const item = planner.plan(list.items[0].value, locals)
  return (frame) => {
    const value = item(frame)
    return append(frame, slot, value)
  }
}

function append(frame: Frame, slot: number, value: CelValue): CelValue {
  frame.spend(APPEND_COST)
  const list = frame.locals[slot]
  if (list instanceof CelRuntimeError) throw list
  if (!(list instanceof GrowingList)) throw noSuchOverload()
  list.push(value)
  return list
}

/** The accumulator, the call of `+` and the list of one item. */
const APPEND_COST = 12

function* itemsOf(range: CelValue): Iterable<readonly [CelValue, CelValue]> {
  if (range instanceof CelList) for (const item of range) yield [item, null]
  else if (range instanceof CelMap) for (const key of range.keys()) yield [key, null]
  else throw new CelRuntimeError(`got '${goTypeOf(range)}', expected iterable type`)
}

function* pairsOf(range: CelValue): Iterable<readonly [CelValue, CelValue]> {
  if (range instanceof CelList) {
    for (let index = 0; index < range.size; index++) yield [BigInt(index), range.at(index)]
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) yield [key, range.get(key) as CelValue]
  } else throw new CelRuntimeError(`unsupported comprehension range type: ${goTypeOf(range)}`)
}

function goTypeOf(value: CelValue): string {
  const name = typeNameOf(value).replace(/_type$|^.*\./, '')
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
