import type { Diagnostic, SourceRange } from '../../core/yaml/diagnostic.ts'
import { diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { Undecided } from './undecided.ts'

/** One line of the report: what became of a key or a task. */
export interface Finding {
  /** `same`: it maps by itself. `note`: so it does, with a difference that one should know. `decide`: a person must. */
  readonly kind: 'same' | 'note' | 'decide'
  readonly file: string
  readonly line: number
  readonly column: number
  /** A key, or the name of a task. */
  readonly what: string
  readonly message: string
  readonly code?: string | undefined
  readonly hint?: string | undefined
}

/** Collects what is to be said of a migration, in the order in which it is found. */
export class Report {
  readonly findings: Finding[] = []
  /** What cannot be read at all. */
  readonly diagnostics: Diagnostic[] = []

  add(kind: 'same' | 'note', range: SourceRange, what: string, message: string): void {
    const { file, line, column } = diagnosticAt(range, { code: '', message })
    this.findings.push({ kind, file, line, column, what, message })
  }

  decide(range: SourceRange, what: string, { code, message, hint }: Undecided): void {
    const { file, line, column } = diagnosticAt(range, { code, message })
    this.findings.push({ kind: 'decide', file, line, column, what, message, code, hint })
  }
}
