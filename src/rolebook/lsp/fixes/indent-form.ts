import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import type { TextEdit } from './edited-file.ts'
import type { Finding, QuickFix } from './finding.ts'
import type { HintForm } from './hint-form.ts'

const STEP = 2

/** A line that begins too far to the left or to the right, with the lines that it holds. */
export const INDENT_FORM: HintForm = {
  pattern: /^indent it by (\d+) spaces? instead of (\d+)$/,
  fixes: (finding, [indent = '', own = '']) => indented(finding, Number(indent), Number(own)),
}

function indented({ file, start }: Finding, indent: number, own: number): readonly QuickFix[] {
  const lines = file.text.split('\n')
  const first = file.text.slice(0, start).split('\n').length - 1
  if (indentOf(lines, first) !== own) return []
  const moves = lastLines(lines, first, indent).map((last) => editsFor(lines, { first, last, indent }))
  const edits = moves.find((one) => isRead(file.path, file.text, one, first))
  return edits ? [{ edits, title: `Indent by ${indent} instead of ${own}` }] : []
}

/** Up to where lines may have to move with the first, the likelier first: none, where what it holds then stands a step within it. */
function lastLines(lines: readonly string[], first: number, indent: number): readonly number[] {
  const own = indentOf(lines, first)
  const held = lines.findIndex((line, index) => index > first && hasContent(line))
  const inner = held === -1 ? 0 : indentOf(lines, held)
  const block = lastWhile(lines, first, (other) => other > own)
  const rest = lastWhile(lines, first, (other) => other >= own)
  return inner <= own || inner - indent === STEP ? [first, block, rest] : [block, first, rest]
}

function lastWhile(lines: readonly string[], first: number, holds: (indent: number) => boolean): number {
  let last = first
  for (let index = first + 1; index < lines.length; index++) {
    if (!hasContent(lines[index] ?? '')) continue
    if (!holds(indentOf(lines, index))) break
    last = index
  }
  return last
}

interface Move {
  /** 0-based, like `last`, which moves, too. */
  readonly first: number
  readonly last: number
  readonly indent: number
}

function editsFor(lines: readonly string[], { first, last, indent }: Move): readonly TextEdit[] {
  const by = indent - indentOf(lines, first)
  let start = 0
  return lines.flatMap((line, index) => {
    const at = start
    start += line.length + 1
    if (index < first || index > last || line.trim() === '') return []
    const own = indentOf(lines, index)
    return [{ start: at, end: at + own, text: ' '.repeat(Math.max(0, own + by)) }]
  })
}

/** Whether YAML reads the text with the edits, at least as far as to the line behind the first. */
function isRead(path: string, text: string, edits: readonly TextEdit[], first: number): boolean {
  let moved = text
  for (const { start, end, text: spaces } of edits.toReversed())
    moved = moved.slice(0, start) + spaces + moved.slice(end)
  const [error] = parseYaml(new SourceFile(path, moved)).diagnostics.filter(({ severity }) => severity === 'error')
  return error === undefined || error.line > first + edits.length + 1
}

function indentOf(lines: readonly string[], index: number): number {
  return /^ */.exec(lines[index] ?? '')?.[0].length ?? 0
}

function hasContent(line: string): boolean {
  return !/^\s*(?:#|$)/.test(line)
}
