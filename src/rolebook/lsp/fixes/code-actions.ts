import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { hintOf } from '../protocol-values.ts'
import { EditedFile } from './edited-file.ts'
import type { QuickFix } from './finding.ts'
import { quickFixesFor } from './quick-fixes.ts'

/** What an editor offers at a diagnostic. */
export function codeActionsFor(
  document: TextDocument,
  diagnostic: Diagnostic,
  { isYaml }: { readonly isYaml: boolean },
): readonly CodeAction[] {
  const hint = hintOf(diagnostic)
  if (hint === undefined) return []
  const file = new EditedFile(document.uri, document.getText(), { isYaml })
  const { start, end } = diagnostic.range
  const finding = { file, hint, start: document.offsetAt(start), end: document.offsetAt(end) }
  return quickFixesFor(finding).map((fix) => toCodeAction(document, diagnostic, fix))
}

function toCodeAction(
  document: TextDocument,
  diagnostic: Diagnostic,
  { edits, title, isOnly = true }: QuickFix,
): CodeAction {
  const changes = edits.map(({ start, end, text }) => {
    return { range: { start: document.positionAt(start), end: document.positionAt(end) }, newText: text }
  })
  return {
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    isPreferred: isOnly,
    edit: { changes: { [document.uri]: changes } },
  }
}
