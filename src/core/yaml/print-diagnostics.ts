import { printableText } from '../base/printable-text.ts'
import type { Diagnostic } from './diagnostic.ts'

export interface PrintOptions {
  /** Use ANSI colours. Defaults to false. */
  readonly color?: boolean | undefined
}

/** Columns of a line that a code frame shows at most. */
const FRAME_WIDTH = 120

/**
 * Diagnostics for people: place, code and message, the line with a caret under the place, and what to do instead.
 *
 * What files hold is made harmless: no control character of a file reaches the terminal.
 */
export function printDiagnostics(diagnostics: readonly Diagnostic[], options: PrintOptions = {}): string {
  const paint = options.color ? ansi : (_style: Style, text: string): string => text
  return diagnostics.map((one) => printOne(one, paint)).join('\n')
}

type Style = keyof typeof STYLES
type Paint = (style: Style, text: string) => string

const STYLES = { error: 31, warning: 33, note: 34, place: 1, dim: 2, hint: 36 } as const

function ansi(style: Style, text: string): string {
  return `\u001b[${STYLES[style]}m${text}\u001b[0m`
}

function printOne(diagnostic: Diagnostic, paint: Paint): string {
  const { severity, code, message, hint, file, line, column } = diagnostic
  const place = paint('place', `${printableText(file)}:${line}:${column}`)
  const lines = [
    `${place} ${paint(severity, `${severity} ${code}`)} ${printableText(message)}`,
    ...frame(diagnostic, paint),
  ]
  if (hint !== undefined) lines.push(`  ${paint('hint', `hint: ${printableText(hint)}`)}`)
  return `${lines.join('\n')}\n`
}

/** The line before, the line, and a caret under the stretch that is meant. */
function frame({ source, line, column, endColumn, severity }: Diagnostic, paint: Paint): readonly string[] {
  const text = source?.line(line)
  if (text === undefined) return []
  const width = String(line).length
  const from = Math.max(0, column - Math.floor(FRAME_WIDTH / 2))
  const shown = (whole: string): string => printableText(whole.slice(from, from + FRAME_WIDTH))
  const above = source?.line(line - 1) ?? ''
  const before = above.trim() === '' ? [] : [paint('dim', `  ${String(line - 1).padStart(width)} | ${shown(above)}`)]
  const end = Math.min(endColumn ?? column, from + FRAME_WIDTH + 1)
  const caret = paint(severity, '^'.repeat(Math.max(1, end - column)))
  return [...before, `  ${line} | ${shown(text)}`, `  ${' '.repeat(width)} | ${' '.repeat(column - 1 - from)}${caret}`]
}
