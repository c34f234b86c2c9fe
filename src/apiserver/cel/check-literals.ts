import { compileGoPattern } from '../../schema/pattern.ts'
import type { CelIssue } from './cel-error.ts'
import type { CallExpr, Expr, LiteralExpr } from './expr.ts'
import { parseDuration, parseTimestamp } from './time.ts'

/** Literals that a function is known to refuse: patterns, durations and timestamps. */
export function checkLiterals(expr: Expr): readonly CelIssue[] {
  const own = expr.kind === 'call' ? checkCall(expr) : []
  return [...partsOf(expr).flatMap(checkLiterals), ...own]
}

function checkCall({ name, target, args }: CallExpr): readonly CelIssue[] {
  const last = args.at(-1)
  const isValid = !target && args.length === 1 ? VALID[name] : undefined
  if (name === 'matches' && args.length === (target ? 1 : 2)) return checkLiteral(last, name, isPattern)
  return isValid ? checkLiteral(last, name, isValid) : []
}

function checkLiteral(expr: Expr | undefined, name: string, isValid: (text: string) => boolean): readonly CelIssue[] {
  if (expr?.kind !== 'literal') return []
  const { value, position } = expr satisfies LiteralExpr
  if (typeof value !== 'string' || isValid(value)) return []
  return [{ position, message: `invalid ${name} argument` }]
}

const VALID: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
}

function isPattern(text: string): boolean {
  return !(compileGoPattern(text) instanceof Error)
}

/** The expressions right below one. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args
    case 'list':
      return expr.items.map(({ value }) => value)
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value])
    case 'struct':
      return expr.fields.map(({ value }) => value)
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result]
    default:
      return []
  }
}
