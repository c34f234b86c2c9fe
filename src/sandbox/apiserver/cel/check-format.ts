import type { CelIssue } from './cel-error.ts'
import type { CelType } from './cel-type.ts'
import type { CheckedExpr } from './checked-expr.ts'
import type { CallExpr } from './expr.ts'
import { CLAUSE, END_OF_TEXT, readClause, unrecognizedClause } from './format-clause.ts'

/** A text that is formatted with a list that is written out: whether the clauses and the values go together. */
export function checkFormat({ name, target, args, position }: CallExpr, checked: CheckedExpr): readonly CelIssue[] {
  const [list] = args
  const isKnown = name === 'format' && target?.kind === 'literal' && list?.kind === 'list' && args.length === 1
  if (!isKnown || typeof target.value !== 'string') return []
  const clauses = (target.value.match(CLAUSE) ?? []).filter((clause) => clause !== '%%').map(readClause)
  for (const [index, { problem, verb }] of clauses.entries()) {
    const kind = CLAUSES[verb]
    const value = list.items[index]?.value
    if (!value && problem !== END_OF_TEXT) return [{ position, message: `index ${index} out of range` }]
    if (!value || problem !== undefined || !kind) return [{ position, message: problem ?? unrecognizedClause(verb) }]
    const type = checked.typeOf(value)
    if (kind.takes.has(type.kind)) continue
    const message = `error during formatting: ${kind.name} clause can only be used on ${kind.allowed}, was given ${type.name}`
    return [{ position: value.position, message }]
  }
  const [expected, got] = [clauses.length, list.items.length]
  if (got <= expected) return []
  return [{ position, message: `too many arguments supplied to string.format (expected ${expected}, got ${got})` }]
}

interface Clause {
  readonly name: string
  readonly allowed: string
  readonly takes: ReadonlySet<CelType['kind']>
}

function clause(name: string, allowed: string, ...takes: readonly CelType['kind'][]): Clause {
  return { name, allowed, takes: new Set([...takes, 'dyn']) }
}

const DOUBLES = ['double', 'string'] as const
const INTEGERS = ['int', 'uint'] as const
const TEXTS = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps'
const ALL = ['string', 'bool', 'bytes', 'double', 'map', 'list', 'type', 'duration', 'timestamp', 'null'] as const

const CLAUSES: Readonly<Record<string, Clause>> = {
  s: clause('string', TEXTS, ...ALL, ...INTEGERS),
  d: clause('decimal', 'integers', ...INTEGERS),
  f: clause('fixed-point', 'doubles', ...DOUBLES),
  e: clause('scientific', 'doubles', ...DOUBLES),
  b: clause('binary', 'integers and bools', ...INTEGERS, 'bool'),
  o: clause('octal', 'integers', ...INTEGERS),
  x: clause('hex', 'integers, byte buffers, and strings', ...INTEGERS, 'bytes', 'string'),
  X: clause('hex', 'integers, byte buffers, and strings', ...INTEGERS, 'bytes', 'string'),
}
