import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import { programVersion } from './program-version.ts'
import { printFindings, type WorkflowOptions } from './workflow-commands.ts'

export const FORMATS = ['text', 'json', 'sarif', 'github'] as const

/** Diagnostics for programs: `json`, `sarif` (2.1.0) or `github` (commands of a workflow). */
export function formatDiagnostics(
  format: string | undefined,
  diagnostics: readonly Diagnostic[],
  options: WorkflowOptions = {},
): string {
  if (format === 'github') return printFindings(diagnostics, options)
  return `${JSON.stringify(format === 'sarif' ? toSarif(diagnostics) : diagnostics.map(toJson), null, 2)}\n`
}

/** Without the text of the whole file. */
function toJson({ source: _source, ...diagnostic }: Diagnostic): Omit<Diagnostic, 'source'> {
  return diagnostic
}

function withHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} (${hint})`
}

function toSarif(diagnostics: readonly Diagnostic[]): object {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort()
  const driver = { name: 'rolebook', version: programVersion(), rules: codes.map((id) => ({ id })) }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results: diagnostics.map(toResult) }],
  }
}

function toResult(diagnostic: Diagnostic): object {
  const { severity, code, file, line, column, endColumn } = diagnostic
  const region = { startLine: line, startColumn: column, ...(endColumn === undefined ? {} : { endColumn }) }
  const uri = isAbsolute(file) ? pathToFileURL(file).href : encodeURI(file.replaceAll('\\', '/'))
  return {
    ruleId: code,
    level: severity,
    message: { text: withHint(diagnostic) },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
  }
}
