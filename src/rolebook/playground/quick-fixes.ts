import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import { EditedFile } from '../lsp/fixes/edited-file.ts'
import { quickFixesFor } from '../lsp/fixes/quick-fixes.ts'
import type { FixView } from './protocol.ts'

const YAML = /\.ya?ml$/

/** What the hint of a diagnostic proposes to write in the file, as an editor with the language server offers it. */
export function fixesFor(
  { file, hint, line, column, endColumn = column + 1 }: Diagnostic,
  source: SourceFile,
): readonly FixView[] {
  if (hint === undefined) return []
  const begin = startOf(line, source) - 1
  const edited = new EditedFile(file, source.text, { isYaml: YAML.test(file) })
  return quickFixesFor({ file: edited, hint, start: begin + column, end: begin + endColumn })
}

function startOf(line: number, { text }: SourceFile): number {
  let start = 0
  for (let number = 1; number < line; number++) start = text.indexOf('\n', start) + 1
  return start
}
