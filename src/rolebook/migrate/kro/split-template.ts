import { Undecided } from '../undecided.ts'

/** A part of a text of kro: as it stands there, or an expression between `${` and `}`. */
export type TemplatePart = { readonly text: string } | { readonly source: string; readonly offset: number }

/** The parts of a text. Braces in an expression, and in texts within it, belong to it. @throws Undecided */
export function splitTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let position = 0
  for (;;) {
    const start = text.indexOf('${', position)
    const end = start < 0 ? -1 : endOf(text, start + 2)
    if (end < 0) break
    if (start > position) parts.push({ text: text.slice(position, start) })
    const source = text.slice(start + 2, end)
    if (/^\s*\$\{/.test(source)) {
      throw new Undecided('RB1705', 'an expression within an expression', { place: { path: [], offset: start } })
    }
    parts.push({ source, offset: start + 2 })
    position = end + 1
  }
  const rest = text.slice(position)
  return rest === '' && parts.length > 0 ? parts : [...parts, { text: rest }]
}

/** Where the brace stands that ends an expression; -1 where none does. */
function endOf(text: string, start: number): number {
  let quote = ''
  let depth = 1
  for (let position = start; position < text.length; position += 1) {
    const character = text.charAt(position)
    if (quote !== '') {
      if (character === '\\') position += 1
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '{') depth += 1
    else if (character === '}') depth -= 1
    if (depth === 0) return position
  }
  return -1
}
