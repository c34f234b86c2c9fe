import { CelRuntimeError, noSuchOverload } from './cel-error.ts'
import type { Overload } from './environment.ts'
import type { CallExpr } from './expr.ts'
import type { Locals, Planner, Step } from './plan.ts'
import { type CelValue, hasType, typeNameOf } from './values.ts'

/** A call of a function: the overload is known from the types, or found by the values when they are dynamic. */
export function planCall(expr: CallExpr, planner: Planner, locals: Locals): Step {
  const { checked } = planner
  const operands = expr.target && !checked.isNamespaced(expr) ? [expr.target, ...expr.args] : expr.args
  const args = operands.map((arg) => planner.plan(arg, locals))
  const overloads = checked.overloadsOf(expr)
  return (frame) => {
    frame.spend(1)
    const values = args.map((arg) => arg(frame))
    return findOverload(expr.name, overloads, values).run(values, frame)
  }
}

function findOverload(name: string, overloads: readonly Overload[], values: readonly CelValue[]): Overload {
  for (const overload of overloads) {
    if (overload.args.every((type, at) => hasType(values[at] as CelValue, type))) return overload
  }
  // The real server names the types only for functions that extensions declare.
  if (name === 'size') throw new CelRuntimeError('no such overload: size')
  const isBare = name.startsWith('_') || PLAIN.has(name)
  throw isBare
    ? noSuchOverload()
    : new CelRuntimeError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`)
}

const PLAIN = new Set(['contains', 'endsWith', 'find', 'findAll', 'matches', 'startsWith', '-_', '!_'])
