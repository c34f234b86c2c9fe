import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { asWhole } from '../cel/as-whole.ts'
import type { CelScope } from '../cel/cel-scope.ts'
import { settle } from '../cel/settle.ts'
import { readCel, translate } from '../cel/to-jsonata.ts'
import type { Translation } from '../cel/translation.ts'
import { placed, Undecided } from '../undecided.ts'
import { splitTemplate } from './split-template.ts'

export interface TemplateContext {
  readonly scope: CelScope
  /** Where the value stands in its file. */
  readonly path: JsonPath
  /** Gets what must hold before the task may run. */
  readonly needs: Set<string>
  /** Takes a field that has no translation: the task goes on without it, once a person has decided. Absent: none may be left out. */
  readonly leaveOut?: ((error: Undecided, path: JsonPath) => boolean) | undefined
}

/** A template of kro as a manifest of ours; `undefined` in the place of what is left out. @throws Undecided */
export function translateTemplate(value: JsonValue, context: TemplateContext): JsonValue | undefined {
  const { path } = context
  if (typeof value === 'string') return translateField(value, context)
  if (isJsonArray(value)) {
    const items = value.map((item, index) => translateTemplate(item, { ...context, path: [...path, index] }))
    return items.filter((item) => item !== undefined)
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const translated = translateTemplate(inner as JsonValue, { ...context, path: [...path, key] })
    return translated === undefined ? [] : [[escaped(key), translated] as const]
  })
  return Object.fromEntries(entries)
}

function translateField(text: string, context: TemplateContext): string | undefined {
  try {
    return placed({ path: context.path }, () => translateText(text, context))
  } catch (error) {
    if (error instanceof Undecided && context.leaveOut?.(error, context.path)) return undefined
    throw error
  }
}

type Piece = { readonly text: string } | { readonly value: Translation }

function translateText(text: string, { scope, needs, path }: TemplateContext): string {
  const parts = splitTemplate(text)
  const pieces = parts.flatMap((part): readonly Piece[] => {
    if ('text' in part) return [part]
    return placed({ path: [], offset: part.offset }, () => piecesOf(readCel(part.source), scope, parts.length > 1))
  })
  const [first] = pieces
  const alone = pieces.length === 1 && first && 'value' in first ? asWhole(first.value) : undefined
  if (alone) {
    if (!isIdentity(path)) for (const need of alone.needs) needs.add(need)
    return `\${${alone.text}}`
  }
  return pieces
    .map((piece) => {
      if ('text' in piece) return escaped(piece.text)
      for (const need of piece.value.needs) if (need !== `$exists(${piece.value.text})`) needs.add(need)
      return `\${${piece.value.text}}`
    })
    .join('')
}

/** A name without a value is waited for by the task itself, and so is an expression within text. */
function isIdentity(path: JsonPath): boolean {
  const [parent, field] = path.slice(-2)
  return parent === 'metadata' && (field === 'name' || field === 'namespace')
}

/** Texts that are joined stand beside one another; literals are text. */
function piecesOf(expr: Expr, scope: CelScope, isWithinText: boolean): readonly Piece[] {
  if (expr.kind === 'literal' && typeof expr.value === 'string') return [{ text: expr.value }]
  const value = settle(translate(expr, scope), scope)
  if (expr.kind !== 'call' || expr.target) return [{ value }]
  if (expr.name === '_+_' && value.schema?.type === 'string')
    return expr.args.flatMap((arg) => piecesOf(arg, scope, true))
  const [arg] = expr.args
  if (expr.name === 'string' && arg && isWithinText && value.text.startsWith('$string(')) {
    const plain = settle(translate(arg, scope), scope)
    if (plain.schema?.type === 'integer' || plain.schema?.type === 'boolean') return [{ value: plain }]
  }
  return [{ value }]
}

/** Text that stands for itself in a role. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** A text that is one expression and nothing else, as kro wants its conditions. @throws Undecided */
export function soleExpression(value: JsonValue | undefined, path: JsonPath): Expr {
  const [part, ...rest] = typeof value === 'string' ? splitTemplate(value.trim()) : []
  if (!part || rest.length > 0 || 'text' in part) {
    throw new Undecided('RB1705', 'a condition is one expression between `${` and `}`', { place: { path } })
  }
  return placed({ path, offset: part.offset }, () => readCel(part.source))
}

/** The names that the expressions in a value begin with. */
export function namesIn(value: JsonValue | undefined): ReadonlySet<string> {
  const found = new Set<string>()
  const texts = textsIn(value)
  for (const text of texts) {
    try {
      for (const part of splitTemplate(text)) if ('source' in part) collect(readCel(part.source), found)
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
    }
  }
  return found
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (isJsonArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function collect(node: unknown, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  const { kind, name } = node as { readonly kind?: unknown; readonly name?: unknown }
  if (kind === 'ident' && typeof name === 'string') found.add(name)
  for (const inner of Object.values(node)) collect(inner, found)
}
