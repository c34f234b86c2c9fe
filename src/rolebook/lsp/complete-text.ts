import { SourceFile } from '../../core/yaml/source-file.ts'
import { suggestionsFor } from './complete-expression.ts'
import { MARK } from './cursor.ts'
import { closersOf, openExpression } from './open-expression.ts'
import type { Request } from './request.ts'
import { analyseRole } from './role-analysis.ts'
import type { Suggestion } from './suggestion.ts'

/** What may stand at the cursor in a text of a role that `$template` fills in. */
export function completeText(
  { path, text, offset, view }: Omit<Request, 'tests'>,
  role: string,
): readonly Suggestion[] {
  const before = text.slice(0, offset)
  const start = openExpression(before)
  const parts = view.partsOf(role)
  if (start === undefined || !parts) return []
  const source = before.slice(start)
  const closed = new SourceFile(path, `${before}${MARK}${closersOf(`${source}${MARK}`)}}`)
  const analysis = analyseRole(parts, closed)
  const seen = analysis?.seen.find((one) => one.source.includes(MARK))
  return analysis && seen ? suggestionsFor(source, { expression: seen, functions: analysis.functions }) : []
}
