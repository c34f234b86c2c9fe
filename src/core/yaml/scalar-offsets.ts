import type { Scalar } from 'yaml'

/**
 * Where in the file each character of a scalar's value was written: as many numbers as the value has UTF-16 units, and one
 * more for its end.
 *
 * The value is walked beside its notation, so quotes, escapes, folded lines and indentation are all accounted for. What does
 * not fit points at the last place that did.
 */
export function scalarOffsets(text: string, node: Scalar.Parsed): readonly number[] {
  const value = String(node.value)
  const [start, end] = node.range
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
    return blockOffsets(text.slice(start, end), start, value)
  const quoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE'
  const written = quoted ? text.slice(start + 1, end - 1) : text.slice(start, end)
  return flowOffsets(written, quoted ? start + 1 : start, value, node.type)
}

/** `|` and `>`: every line of the value stands in a line of the text, behind the indentation. */
function blockOffsets(written: string, start: number, value: string): readonly number[] {
  const lines = contentLines(written, start)
  const indent = indentOf(lines, value)
  const offsets: number[] = []
  for (const { text, at } of lines) {
    const content = text.slice(indent)
    if (content === '') continue
    const from = skipBreaks(value, offsets.length, content)
    while (offsets.length < from) offsets.push(at)
    for (let index = 0; index < content.length && offsets.length < value.length; index++)
      offsets.push(at + indent + index)
  }
  const end = start + written.trimEnd().length
  while (offsets.length <= value.length) offsets.push(end)
  return offsets
}

interface Line {
  readonly text: string
  readonly at: number
}

/** The lines below the header (`|2-  # comment`). */
function contentLines(written: string, start: number): readonly Line[] {
  const lines: Line[] = []
  let at = start
  for (const text of written.split('\n')) {
    lines.push({ text, at })
    at += text.length + 1
  }
  return lines.slice(1)
}

/** The indentation that YAML took off: what the first line with text has more than the value's first line with text. */
function indentOf(lines: readonly Line[], value: string): number {
  const first = lines.find(({ text }) => text.trim() !== '')?.text ?? ''
  const kept = value.split('\n').find((line) => line.trim() !== '') ?? ''
  return leadingSpaces(first) - leadingSpaces(kept)
}

function leadingSpaces(text: string): number {
  return text.length - text.replace(/^ +/, '').length
}

/** A break between two lines is a newline, several newlines, or one space where the scalar is folded. */
function skipBreaks(value: string, from: number, content: string): number {
  let at = from
  while (value[at] === '\n' && !value.startsWith(content, at)) at += 1
  if (at === from && value[at] === ' ' && !value.startsWith(content, at)) at += 1
  return at
}

/** Plain and quoted scalars, which may be folded over several lines. */
function flowOffsets(written: string, start: number, value: string, type: Scalar['type']): readonly number[] {
  const offsets: number[] = []
  let at = 0
  while (offsets.length < value.length && at < written.length) {
    const { width, units } = nextUnit(written, at, type)
    for (let unit = 0; unit < units; unit++) offsets.push(start + at)
    at += width
  }
  while (offsets.length <= value.length) offsets.push(start + at)
  return offsets
}

/** How much of the notation stands for how much of the value. */
interface Unit {
  readonly width: number
  readonly units: number
}

function nextUnit(written: string, at: number, type: Scalar['type']): Unit {
  const fold = /[ \t]*\n[ \t\n]*/y
  fold.lastIndex = at
  const folded = fold.exec(written)?.[0]
  if (folded !== undefined) return { width: folded.length, units: Math.max(1, breaksIn(folded) - 1) }
  if (type === 'QUOTE_SINGLE' && written.startsWith("''", at)) return { width: 2, units: 1 }
  if (type === 'QUOTE_DOUBLE' && written[at] === '\\') return escapeAt(written, at)
  return { width: 1, units: 1 }
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}

function escapeAt(written: string, at: number): Unit {
  const escaped = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\n[ \t]*|.)/sy
  escaped.lastIndex = at
  // A text that is not closed may end in a backslash.
  const [text = '\\'] = escaped.exec(written) ?? []
  if (text[1] === '\n') return { width: text.length, units: 0 }
  if (text[1] !== 'U') return { width: text.length, units: 1 }
  return { width: text.length, units: Number.parseInt(text.slice(2), 16) > 0xffff ? 2 : 1 }
}
