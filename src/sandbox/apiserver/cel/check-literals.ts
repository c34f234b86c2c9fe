import { compileGoPattern } from '../../../core/schema/pattern.ts'
import type { CelIssue } from './cel-error.ts'
import { DYN, printType, sameType } from './cel-type.ts'
import { checkFormat } from './check-format.ts'
import type { CheckedExpr } from './checked-expr.ts'
import type { CallExpr, Expr, ListExpr, LiteralExpr } from './expr.ts'
import { parseDuration, parseTimestamp } from './time.ts'
import type { CelValue } from './values.ts'

/** Literals that a function is known to refuse (patterns, durations, timestamps), and lists and maps of mixed types. */
export function checkLiterals(checked: CheckedExpr): readonly CelIssue[] {
  return [...checkCalls(checked.expr, checked), ...checkMixed(checked.expr, checked)]
}

function checkCalls(expr: Expr, checked: CheckedExpr): readonly CelIssue[] {
  const own = expr.kind === 'call' ? [...checkCall(expr), ...checkFormat(expr, checked)] : []
  return [...partsOf(expr).flatMap((part) => checkCalls(part, checked)), ...own]
}

/** What is formatted may be of any type. */
function checkMixed(expr: Expr, checked: CheckedExpr): readonly CelIssue[] {
  if (expr.kind === 'call' && expr.name === 'format') return []
  const own =
    expr.kind === 'list'
      ? checkSame(expr.items, checked)
      : expr.kind === 'map'
        ? [
            ...checkSame(
              expr.entries.map(({ key }) => ({ value: key, optional: false })),
              checked,
            ),
            ...checkSame(expr.entries, checked),
          ]
        : []
  return [...own, ...partsOf(expr).flatMap((part) => checkMixed(part, checked))]
}

/** The first that is not like the one at the start. */
function checkSame(items: ListExpr['items'], checked: CheckedExpr): readonly CelIssue[] {
  const typed = items.map(({ value, optional }) => {
    const type = checked.typeOf(value)
    return { value, type: optional ? (type.params[0] ?? DYN) : type }
  })
  const [first] = typed
  const other = first && typed.find(({ type }) => !sameType(type, first.type))
  if (!other) return []
  const message = `expected type '${printType(first.type)}' but found '${printType(other.type)}'`
  return [{ position: other.value.position, message }]
}

function checkCall({ name, target, args }: CallExpr): readonly CelIssue[] {
  const last = args.at(-1)
  const isValid = !target && args.length === 1 ? VALID[name] : undefined
  if (name === 'matches' && args.length === (target ? 1 : 2)) return checkLiteral(last, name, isPattern)
  return isValid ? checkLiteral(last, name, isValid) : []
}

function checkLiteral(
  expr: Expr | undefined,
  name: string,
  isValid: (value: CelValue) => boolean,
): readonly CelIssue[] {
  if (expr?.kind !== 'literal') return []
  const { value, position } = expr satisfies LiteralExpr
  if (isValid(value)) return []
  return [{ position, message: `invalid ${name} argument` }]
}

const VALID: Readonly<Record<string, (value: CelValue) => boolean>> = {
  duration: (value) => typeof value === 'string' && parseDuration(value) !== undefined,
  timestamp: (value) =>
    typeof value === 'string' ? parseTimestamp(value) !== undefined : typeof value === 'bigint' && isInstant(value),
}

function isInstant(seconds: bigint): boolean {
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND
}

/** Of year 1, and of year 9999. */
const FIRST_SECOND = -62_135_596_800n
const LAST_SECOND = 253_402_300_799n

function isPattern(value: CelValue): boolean {
  return typeof value !== 'string' || !(compileGoPattern(value) instanceof Error)
}

/** The expressions right below one. */
function partsOf(expr: Expr): readonly Expr[] {
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
