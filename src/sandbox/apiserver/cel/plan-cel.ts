import { CelRuntimeError } from './cel-error.ts'
import type { CheckedExpr } from './checked-expr.ts'
import type { CelEnvironment } from './environment.ts'
import type { CallExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from './expr.ts'
import { charged, type Frame, type Locals, type Planner, type Step } from './plan.ts'
import { planCall } from './plan-call.ts'
import { planAppend, planFold } from './plan-fold.ts'
import { OPERATORS } from './plan-logic.ts'
import { fieldOf, hasField } from './select.ts'
import { CelList, CelMapOf, CelOptional, CelTypeValue, type CelValue } from './values.ts'

/** Turns a checked expression into closures. */
export function planCel(checked: CheckedExpr, environment: CelEnvironment): Step {
  const planner: Planner = { checked, environment, plan: (expr, locals) => plan(expr, planner, locals) }
  return planner.plan(checked.expr, new Map())
}

function plan(expr: Expr, planner: Planner, locals: Locals): Step {
  switch (expr.kind) {
    case 'literal': {
      const { value } = expr
      return () => value
    }
    case 'ident':
      return planName(expr, expr.name, planner, locals)
    case 'select':
      return planSelect(expr, planner, locals)
    case 'call':
      return planOperator(expr, planner, locals)
    case 'list':
      return planList(expr, planner, locals)
    case 'map':
      return planMap(expr, planner, locals)
    case 'struct':
      return planStruct(expr, planner, locals)
    default:
      return planFold(expr, planner, locals)
  }
}

function planName(expr: Expr, name: string, { checked, environment }: Planner, locals: Locals): Step {
  const slot = locals.get(name)
  if (slot !== undefined) return (frame) => local(frame, slot)
  const full = checked.nameOf(expr) as string
  const type = environment.variables.has(full) ? undefined : environment.types.get(full)
  if (!type) return charged((frame) => frame.variable(full))
  const value = new CelTypeValue(type.name)
  return () => value
}

/** The accumulator of a macro may hold an error. */
function local(frame: Frame, slot: number): CelValue {
  frame.spend(1)
  const value = frame.locals[slot] as CelValue | CelRuntimeError
  if (value instanceof CelRuntimeError) throw value
  return value
}

function planSelect(expr: SelectExpr, planner: Planner, locals: Locals): Step {
  if (planner.checked.nameOf(expr) !== undefined) return planName(expr, '', planner, locals)
  const operand = planner.plan(expr.operand, locals)
  const { field, test } = expr
  if (test) return (frame) => hasField(operand(frame), field)
  return charged((frame) => fieldOf(operand(frame), field))
}

function planOperator(expr: CallExpr, planner: Planner, locals: Locals): Step {
  const special = expr.target ? undefined : OPERATORS[expr.name]
  const operands = (): readonly Step[] => expr.args.map((arg) => planner.plan(arg, locals))
  if (special) return special(...(operands() as [Step, Step, Step]))
  return planAppend(expr, planner, locals) ?? planCall(expr, planner, locals)
}

function planList({ items }: ListExpr, planner: Planner, locals: Locals): Step {
  const planned = items.map(({ value, optional }) => ({ step: planner.plan(value, locals), optional }))
  return (frame) => {
    frame.spend(LIST_COST)
    const values: CelValue[] = []
    for (const { step, optional } of planned) {
      const value = present(step(frame), optional)
      if (value !== undefined) values.push(value)
    }
    return CelList.of(values)
  }
}

function planMap({ entries }: MapExpr, planner: Planner, locals: Locals): Step {
  const planned = entries.map(({ key, value, optional }) => ({
    key: planner.plan(key, locals),
    value: planner.plan(value, locals),
    optional,
  }))
  return (frame) => {
    frame.spend(MAP_COST)
    const pairs: (readonly [CelValue, CelValue])[] = []
    for (const { key, value, optional } of planned) {
      const found = present(value(frame), optional)
      if (found !== undefined) pairs.push([key(frame), found])
    }
    return new CelMapOf(pairs)
  }
}

function planStruct({ typeName, fields }: StructExpr, planner: Planner, locals: Locals): Step {
  const planned = fields.map(({ name, value, optional }) => ({ name, step: planner.plan(value, locals), optional }))
  return (frame) => {
    frame.spend(STRUCT_COST)
    const pairs: (readonly [CelValue, CelValue])[] = []
    for (const { name, step, optional } of planned) {
      const found = present(step(frame), optional)
      if (found !== undefined) pairs.push([name, found])
    }
    return new CelMapOf(pairs, typeName)
  }
}

/** The value, or of an optional one what it holds, if anything. */
function present(value: CelValue, optional: boolean): CelValue | undefined {
  if (!optional) return value
  if (value instanceof CelOptional) return value.value
  throw new CelRuntimeError(`cannot initialize optional entry from non-optional value`)
}

const LIST_COST = 10
const MAP_COST = 30
const STRUCT_COST = 40
