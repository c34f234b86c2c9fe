import { Undecided } from '../undecided.ts'

export type JinjaPart = { readonly text: string } | { readonly source: string; readonly offset: number }

const OPENING = /\{\{|\{%|\{#/g
const CLOSING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\{|\}\}|\}/gsu

/** Text with `{{ }}` in it to its parts; comments are left out. @throws Undecided for statements, and for what is not closed */
export function splitJinja(text: string): readonly JinjaPart[] {
  const parts: JinjaPart[] = []
  let end = 0
  for (;;) {
    OPENING.lastIndex = end
    const opening = OPENING.exec(text)
    if (!opening) break
    const start = opening.index
    if (start > end) parts.push({ text: text.slice(end, start) })
    if (opening[0] === '{%') throw statement(start)
    if (opening[0] === '{#') {
      const close = text.indexOf('#}', start)
      if (close === -1) throw unclosed(start)
      end = close + 2
    } else {
      const close = closing(text, start + 2)
      if (close === undefined) throw unclosed(start)
      const inner = text.slice(start + 2, close)
      // `{{-` and `-}}` strip the white space around, which only a template of lines has.
      if (/^-|-$/.test(inner)) throw statement(start)
      parts.push({ source: inner, offset: start + 2 })
      end = close + 2
    }
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

/** Where the `}}` begins: not one in a string, nor the end of two maps. */
function closing(text: string, from: number): number | undefined {
  CLOSING.lastIndex = from
  let depth = 0
  for (let match = CLOSING.exec(text); match; match = CLOSING.exec(text)) {
    if (match[0] === '{') depth += 1
    else if (match[0] === '}') depth -= 1
    else if (match[0] === '}}' && depth <= 0) return match.index
    else if (match[0] === '}}') {
      depth -= 1
      CLOSING.lastIndex = match.index + 1
    }
  }
  return undefined
}

function statement(offset: number): Undecided {
  const hint = 'write the value as an expression of JSONata'
  return new Undecided('RB1705', 'the template has statements of Jinja', { hint, place: { path: [], offset } })
}

function unclosed(offset: number): Undecided {
  return new Undecided('RB1705', 'the template is not closed', { place: { path: [], offset } })
}
