import { EXPRESSION_FORMS } from './expression-forms.ts'
import type { Finding, QuickFix } from './finding.ts'
import type { HintForm } from './hint-form.ts'
import { INDENT_FORM } from './indent-form.ts'
import { VALUE_FORMS } from './value-forms.ts'

const FORMS: readonly HintForm[] = [INDENT_FORM, ...VALUE_FORMS, ...EXPRESSION_FORMS]

/** What a hint names to write in place of what is there. None: it is advice for a person. */
export function quickFixesFor(finding: Finding): readonly QuickFix[] {
  for (const { pattern, fixes } of FORMS) {
    const found = pattern.exec(finding.hint)
    const possible = found ? fixes(finding, found.slice(1)) : []
    if (possible.length > 0) return possible
  }
  return []
}
