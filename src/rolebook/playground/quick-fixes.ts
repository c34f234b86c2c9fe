import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import { quickFixFor } from '../lsp/quick-fix.ts'
import type { FixView } from './protocol.ts'

/** What the hint of a diagnostic proposes to write in the file, as an editor with the language server offers it. */
export function fixesFor(
  { hint, line, column, endColumn = column + 1 }: Diagnostic,
  source: SourceFile,
): readonly FixView[] {
  const whole = source.line(line)
  if (hint === undefined || whole === undefined) return []
  const text = whole.slice(column - 1, endColumn - 1)
  const fix = quickFixFor(hint, { text, line: whole })
  const at = fix?.old === text ? column - 1 : whole.indexOf(fix?.old ?? '')
  if (!fix || at === -1) return []
  const start = startOf(line, source) + at
  return [{ title: `Replace with ${fix.text}`, edits: [{ start, end: start + fix.old.length, text: fix.text }] }]
}

function startOf(line: number, { text }: SourceFile): number {
  let start = 0
  for (let number = 1; number < line; number++) start = text.indexOf('\n', start) + 1
  return start
}
