import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { SourceFile } from './source-file.ts'

const STEP = 2
/** How often a text is read with other indents, at most, and how many letters all of that may be: a check has to take well below a second. */
const MOST_READINGS = 12
const MOST_LETTERS = 30_000

/** What is wrong with a text, in its order. */
type Reading = (source: SourceFile) => readonly Diagnostic[]

/**
 * The line whose indent keeps a text from being read, if there is one: near the place where the parser stumbles, with another indent
 * the text can be read. The parser itself often stumbles on a line that is right.
 */
export function wrongIndent(source: SourceFile, stumbled: Diagnostic, errorsIn: Reading): Diagnostic | undefined {
  const readings = Math.min(MOST_READINGS, Math.floor(MOST_LETTERS / source.text.length))
  if (readings === 0 || stumbled.code !== 'RB1001') return undefined
  const lines = source.text.split('\n')
  // What is wrong in itself is so with any indent.
  const alone = new SourceFile(source.path, (lines[stumbled.line - 1] ?? '').replace(/^[\s-]+/, ''))
  if (errorsIn(alone).length > 0) return undefined
  const near = [before(lines, stumbled.line), stumbled.line, behind(lines, stumbled.line)]
  const moves = near.filter((line) => line !== undefined).flatMap((line) => movesOf(lines, line))
  const errorsAfter = (move: Move): readonly Diagnostic[] => errorsIn(new SourceFile(source.path, moved(lines, move)))
  const best = leastOdd(lines, moves, { errorsAfter, readings })
  if (best === undefined) return undefined
  const block = blockBetween(lines, best)
  const isLikelyToo = block !== undefined && oddities(lines, block) - oddities(lines, best) < 1
  const isReadToo = isLikelyToo && (errorsAfter(block)[0]?.line ?? Number.POSITIVE_INFINITY) > best.line
  return report(source, lines, isReadToo ? { ...best, block } : best)
}

/**
 * The lines between a line and those that it would be a sibling of. They may be what stands too far to the left: a field of a
 * container that is written among those of its Pod, before further fields of the container.
 */
function blockBetween(lines: readonly string[], { line }: Move): Move | undefined {
  const indent = indentOf(lines, line)
  let above = before(lines, line)
  let first: number | undefined
  for (; above !== undefined && contentOf(lines, above) < indent; above = before(lines, above)) first = above
  while (above !== undefined && contentOf(lines, above) > indent && indentOf(lines, above) >= indent)
    above = before(lines, above)
  const isSibling = above !== undefined && contentOf(lines, above) === indent
  const last = first === undefined || !isSibling ? undefined : before(lines, line)
  return first === undefined || last === undefined ? undefined : { line: first, last, indent }
}

/** What is wrong further below may be another mistake, or come of the move. */
const ODDITIES_OF_ANOTHER_MISTAKE = 4

/** The move with which the text can be read, at least as far as to the line behind it. The less odd are tried first: reading is what takes time. */
function leastOdd(
  lines: readonly string[],
  moves: readonly Move[],
  { errorsAfter, readings }: { readonly errorsAfter: (move: Move) => readonly Diagnostic[]; readonly readings: number },
): Move | undefined {
  const ranked = moves
    .filter((move) => !swallows(lines, move))
    .map((move) => ({ move, odd: oddities(lines, move) }))
    .sort((a, b) => a.odd - b.odd)
  let best: { readonly move: Move; readonly odd: number } | undefined
  for (const { move, odd } of ranked.slice(0, readings)) {
    if (best && best.odd <= odd) break
    const [next] = errorsAfter(move)
    if (next !== undefined && next.line <= move.last + 1) continue
    const all = odd + (next === undefined ? 0 : ODDITIES_OF_ANOTHER_MISTAKE)
    if (!best || all < best.odd) best = { move, odd: all }
  }
  return best?.move
}

/** A line that begins elsewhere, together with those behind it up to `last`. Lines count from 1. */
interface Move {
  readonly line: number
  readonly last: number
  readonly indent: number
}

function movesOf(lines: readonly string[], line: number): readonly Move[] {
  const own = indentOf(lines, line)
  const blocks = new Set([
    line,
    lastWhile(lines, line, (indent) => indent > own),
    lastWhile(lines, line, (indent) => indent >= own),
  ])
  return [...indentsAround(lines, line)]
    .filter((indent) => indent !== own)
    .flatMap((indent) => [...blocks].map((last) => ({ line, last, indent })))
}

/** Where lines around begin, and what stands behind their `- `. */
function indentsAround(lines: readonly string[], line: number): ReadonlySet<number> {
  const found = new Set<number>()
  let least = Number.POSITIVE_INFINITY
  for (let above = before(lines, line); above !== undefined; above = before(lines, above)) {
    const indent = indentOf(lines, above)
    if (indent < least) for (const one of [indent, contentOf(lines, above)]) found.add(one)
    least = Math.min(least, indent)
  }
  const next = behind(lines, line)
  return next === undefined ? found : found.add(indentOf(lines, next))
}

/** The less the better: the line stands a step within what holds it, as do those that it holds, few lines move, and not far. */
function oddities(lines: readonly string[], { line, last, indent }: Move): number {
  let holder = before(lines, line)
  while (holder !== undefined && indentOf(lines, holder) >= indent && contentOf(lines, holder) !== indent)
    holder = before(lines, holder)
  const isSibling = holder !== undefined && contentOf(lines, holder) === indent
  const isStep = isSibling || holder === undefined || indent - contentOf(lines, holder) === STEP
  const inner = behind(lines, line)
  const held = inner === undefined || inner <= last ? undefined : indentOf(lines, inner) - indent
  const isHeldWell = held === undefined || held <= 0 || held === STEP
  const way = Math.abs(indent - indentOf(lines, line)) / lines.length
  return (isStep ? 0 : 2) + (isHeldWell ? 0 : 2) + (last > line ? 1 : 0) + (indent % STEP) + Math.min(way, 0.9)
}

/** Whether the line behind, which is no key, would be read as a part of the text in the line that moves. */
function swallows(lines: readonly string[], { line, last, indent }: Move): boolean {
  const next = behind(lines, line)
  if (next === undefined || next <= last || indentOf(lines, next) <= indent) return false
  const isText = /: +[^\s#|>&*!{["'].*$/.test(lines[line - 1] ?? '')
  return isText && !/:(?: |$)/.test(lines[next - 1] ?? '')
}

function report(
  source: SourceFile,
  lines: readonly string[],
  { line, indent, block }: Move & { readonly block?: Move },
): Diagnostic {
  const own = indentOf(lines, line)
  const begin = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  const range = { source, start: begin + own, end: begin + (lines[line - 1] ?? '').trimEnd().length }
  const message = `this line begins ${own > indent ? 'too far to the right' : 'too far to the left'}`
  const hint = `indent it by ${indent} ${indent === 1 ? 'space' : 'spaces'} instead of ${own}`
  if (block === undefined) return diagnosticAt(range, { code: 'RB1001', message, hint })
  const others = block.last === block.line ? `line ${block.line}` : `lines ${block.line} to ${block.last}`
  const other = `or ${others} by ${block.indent - indentOf(lines, block.line)} more`
  const either = { message: 'this line begins too far to the right for the line above it', hint: `${hint}, ${other}` }
  return diagnosticAt(range, { code: 'RB1001', ...either })
}

function moved(lines: readonly string[], { line, last, indent }: Move): string {
  const by = indent - indentOf(lines, line)
  const shifted = lines.map((text, index) => {
    if (index + 1 < line || index + 1 > last || text.trim() === '') return text
    return ' '.repeat(Math.max(0, text.length - text.trimStart().length + by)) + text.trimStart()
  })
  return shifted.join('\n')
}

function lastWhile(lines: readonly string[], line: number, holds: (indent: number) => boolean): number {
  let last = line
  for (let next = behind(lines, line); next !== undefined && holds(indentOf(lines, next)); next = behind(lines, next))
    last = next
  return last
}

function indentOf(lines: readonly string[], line: number): number {
  return /^ */.exec(lines[line - 1] ?? '')?.[0].length ?? 0
}

/** Where the content of a line begins, behind the `- ` of items. */
function contentOf(lines: readonly string[], line: number): number {
  return /^ *(?:- +)*/.exec(lines[line - 1] ?? '')?.[0].length ?? 0
}

function before(lines: readonly string[], line: number): number | undefined {
  const found = lines.slice(0, line - 1).findLastIndex(hasContent)
  return found === -1 ? undefined : found + 1
}

function behind(lines: readonly string[], line: number): number | undefined {
  const found = lines.findIndex((text, index) => index >= line && hasContent(text))
  return found === -1 ? undefined : found + 1
}

function hasContent(line: string): boolean {
  return !/^\s*(?:#|$)/.test(line)
}
