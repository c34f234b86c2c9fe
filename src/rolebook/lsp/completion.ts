import { completeExpression } from './complete-expression.ts'
import { completeKeys } from './complete-keys.ts'
import { completeText } from './complete-text.ts'
import { completeValues } from './complete-values.ts'
import { cursorAt } from './cursor.ts'
import { rulesFor } from './document-rules.ts'
import type { Request } from './request.ts'
import type { Suggestion } from './suggestion.ts'

export interface Completion {
  readonly suggestions: readonly Suggestion[]
  /** Offsets in the text: what is being typed, and is replaced. */
  readonly start: number
  readonly end: number
}

const NONE: Completion = { suggestions: [], start: 0, end: 0 }

/** What may stand at the cursor. */
export function complete(request: Request): Completion {
  const { path, text, offset, view, tests } = request
  const use = view.useOf(path)
  if (!use) return NONE
  if (use.use === 'text') return withWord(request, completeText(request, use.role))
  const cursor = cursorAt(path, text, offset)
  if (!cursor) return NONE
  const rules = rulesFor(use, view, tests)
  const { expression, place, start } = cursor
  if (expression !== undefined) {
    const found = 'role' in use ? completeExpression(cursor, expression, { view, role: use.role, rules }) : []
    return withWord(request, found)
  }
  const end = offset + (/^[\w./-]*/.exec(text.slice(offset))?.[0].length ?? 0)
  // A `$` may become an expression: the editor asks again once there is a brace.
  if (cursor.before.includes('$')) return NONE
  if (place.at === 'value') return { suggestions: completeValues(cursor, { view, use, rules }), start, end }
  const item = { ...cursor, place: { ...place, path: place.path.slice(0, -1) } }
  const isItem = typeof place.path.at(-2) === 'number'
  const values = isItem ? completeValues(item, { view, use, rules }) : []
  return { suggestions: [...completeKeys(cursor, rules), ...values], start, end }
}

/** The word of an expression around the cursor, its `$` included. */
function withWord({ text, offset }: Request, suggestions: readonly Suggestion[]): Completion {
  const before = /\$?[\w`]*$/.exec(text.slice(0, offset))?.[0] ?? ''
  const after = /^\w*/.exec(text.slice(offset))?.[0] ?? ''
  const isFile = suggestions.some(({ kind }) => kind === 'file')
  const path = isFile ? (/[\w./-]*$/.exec(text.slice(0, offset))?.[0] ?? '') : before
  return { suggestions, start: offset - path.length, end: offset + after.length }
}
