import type { Finding, QuickFix } from './finding.ts'

/** One form in which hints name what to write. */
export interface HintForm {
  readonly pattern: RegExp
  /** @param found the groups of the pattern */
  fixes(finding: Finding, found: readonly string[]): readonly QuickFix[]
}
