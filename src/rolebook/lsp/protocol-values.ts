import { pathToFileURL } from 'node:url'
import {
  type CompletionItem,
  CompletionItemKind,
  DiagnosticSeverity,
  type DocumentSymbol,
  InsertTextMode,
  type Location,
  MarkupKind,
  type Diagnostic as ProtocolDiagnostic,
  type Range,
  SymbolKind,
} from 'vscode-languageserver'
import type { Diagnostic, SourceRange } from '../../core/yaml/diagnostic.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { Suggestion } from './suggestion.ts'
import type { FileSymbol } from './symbols.ts'

/** Our own values as those of the protocol. */
export function toRange({ source, start, end }: SourceRange): Range {
  return { start: toPosition(source, start), end: toPosition(source, end) }
}

function toPosition(source: SourceFile, offset: number): Range['start'] {
  const { line, column } = source.position(offset)
  return { line: line - 1, character: column - 1 }
}

export function toLocation(range: SourceRange): Location {
  return { uri: toUri(range.source.path), range: toRange(range) }
}

export function toUri(path: string): string {
  return pathToFileURL(path).href
}

const HINT = '\nhint: '

export function toProtocolDiagnostic(diagnostic: Diagnostic): ProtocolDiagnostic {
  const { severity, code, message, hint, line, column, endColumn = column + 1 } = diagnostic
  return {
    severity: SEVERITIES[severity],
    code,
    source: 'rolebook',
    message: hint === undefined ? message : `${message}${HINT}${hint}`,
    range: { start: { line: line - 1, character: column - 1 }, end: { line: line - 1, character: endColumn - 1 } },
  }
}

const SEVERITIES: Readonly<Record<Diagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
}

/** The hint in a diagnostic that an editor has sent back. */
export function hintOf({ message }: ProtocolDiagnostic): string | undefined {
  const [, hint] = String(message).split(HINT)
  return hint
}

export function toCompletionItem(suggestion: Suggestion, range: Range): CompletionItem {
  const { label, kind, detail, doc, rank, insert = label } = suggestion
  return {
    label,
    kind: KINDS[kind],
    sortText: `${rank}${label}`,
    insertTextMode: InsertTextMode.asIs,
    textEdit: { range, newText: insert },
    ...(detail !== undefined && { detail }),
    ...(doc !== undefined && doc !== '' && { documentation: { kind: MarkupKind.Markdown, value: doc } }),
  }
}

const KINDS: Readonly<Record<Suggestion['kind'], CompletionItemKind>> = {
  task: CompletionItemKind.Class,
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  file: CompletionItemKind.File,
  name: CompletionItemKind.Reference,
}

export function toDocumentSymbol({ name, detail, kind, range, selection, children }: FileSymbol): DocumentSymbol {
  return {
    name,
    detail,
    kind: SYMBOLS[kind],
    range: toRange(range),
    selectionRange: toRange(selection),
    children: children.map(toDocumentSymbol),
  }
}

const SYMBOLS: Readonly<Record<FileSymbol['kind'], SymbolKind>> = {
  task: SymbolKind.Function,
  variable: SymbolKind.Variable,
  entry: SymbolKind.Class,
}
