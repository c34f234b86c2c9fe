import type { SourceFile } from './source-file.ts'

/** Something that a person has to look at in a file, with a stable code. */
export interface Diagnostic {
  /** A note says what could not be looked at: nothing is wrong. */
  readonly severity: 'error' | 'warning' | 'note'
  /** `RB` and four digits; never reused, listed in `docs/errors.md`. */
  readonly code: string
  readonly message: string
  /** What to do instead. */
  readonly hint?: string | undefined
  readonly file: string
  /** 1-based, like `column`. */
  readonly line: number
  readonly column: number
  /** Just after the last character meant, when that is on the same line. */
  readonly endColumn?: number | undefined
  /** For the code frame. */
  readonly source?: SourceFile | undefined
}

/** A stretch of a file. */
export interface SourceRange {
  readonly source: SourceFile
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

export interface Problem {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  /** Defaults to `error`. */
  readonly severity?: Diagnostic['severity'] | undefined
}

/** A problem at a place. */
export function diagnosticAt(range: SourceRange, problem: Problem): Diagnostic {
  const { source, start, end } = range
  const { line, column } = source.position(start)
  const last = source.position(end)
  return {
    severity: problem.severity ?? 'error',
    code: problem.code,
    message: problem.message,
    hint: problem.hint,
    file: source.path,
    line,
    column,
    endColumn: last.line === line && last.column > column ? last.column : undefined,
    source,
  }
}

/** A problem with a file as a whole, or with one that could not be read. */
export function diagnosticOf(file: string, problem: Problem): Diagnostic {
  const { severity = 'error', code, message, hint } = problem
  return { severity, code, message, hint, file, line: 1, column: 1 }
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error'
}

/** By file, line and column, each only once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unique = new Map(
    diagnostics.map((one) => [[one.file, one.line, one.column, one.code, one.message].join('\0'), one]),
  )
  return [...unique.values()].sort((a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column)
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
