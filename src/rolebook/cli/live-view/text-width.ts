import stringWidth from 'string-width'
import { printableText } from '../../../core/base/printable-text.ts'

/** What paints text: every other sequence that a terminal obeys is taken out before text gets here. */
const PAINT = '\u001b\\[[\\d;]*m'
const PAINTS = new RegExp(`(${PAINT})`)
const IS_PAINT = new RegExp(`^${PAINT}$`)
/** At the begin of a text, behind its colours. */
const BLANKS = new RegExp(`^((?:${PAINT})*) +`)
const RESET = '\u001b[0m'
/** Sequences that end a colour. */
const ENDS = new Set([RESET, '\u001b[m', '\u001b[39m', '\u001b[22m'])
const ASCII = /^[\x20-\x7e]*$/

const segmenter = new Intl.Segmenter()

/** How many columns of a terminal a text takes. Colours take none, wide characters and emoji two. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text)
}

/** A text for one line, from which everything is taken that a terminal would obey, but colours. */
export function harmless(text: string): string {
  return piecesOf(text)
    .map((piece) => (isPaint(piece) ? piece : printableText(piece)))
    .join('')
}

/** The text in at most so many columns: a longer one ends with an ellipsis. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 2) return '…'.slice(0, columns)
  const [first = ''] = breakAt(text, columns - 1)
  return `${first}…`
}

/** The text in exactly so many columns. */
export function padTo(text: string, columns: number): string {
  const shown = cut(text, columns)
  return shown + ' '.repeat(Math.max(0, columns - widthOf(shown)))
}

/** The text in lines of at most so many columns, broken between words where that is possible. Further lines keep the indentation of the first. */
export function wrap(text: string, columns: number): readonly string[] {
  const [, blanks = ''] = /^( *)/.exec(text) ?? []
  const indent = blanks.length < columns / 2 ? blanks : ''
  const lines: string[] = []
  let rest = text
  while (widthOf(rest) > columns) {
    const [line, further] = breakAt(rest, columns, indent.length + 1)
    if (further === '') break
    lines.push(line.trimEnd())
    rest = indent + further.replace(BLANKS, '$1')
  }
  return [...lines, rest]
}

/**
 * Two parts of a text, the first in at most so many columns. `words`: it ends between words, if one ends behind so many columns.
 * Each part has the colours of its own.
 */
function breakAt(text: string, columns: number, words = Number.POSITIVE_INFINITY): readonly [string, string] {
  let first = ''
  let used = 0
  let color = ''
  let atBlank: readonly [string, string] | undefined
  const pieces = piecesOf(text).flatMap((piece) => (isPaint(piece) ? [piece] : graphemesOf(piece)))
  for (const [index, piece] of pieces.entries()) {
    if (isPaint(piece)) {
      color = ENDS.has(piece) ? '' : piece
      first += piece
      continue
    }
    const width = widthOf(piece)
    const parts = (): readonly [string, string] => [color ? first + RESET : first, color + pieces.slice(index).join('')]
    // A character that is wider than the line would never find its place.
    if (used + width > columns && used > 0) return piece === ' ' ? parts() : (atBlank ?? parts())
    if (piece === ' ' && used >= words) atBlank = parts()
    first += piece
    used += width
  }
  return [first, '']
}

function piecesOf(text: string): readonly string[] {
  return text.split(PAINTS).filter((piece) => piece !== '')
}

function isPaint(piece: string): boolean {
  return IS_PAINT.test(piece)
}

function graphemesOf(text: string): readonly string[] {
  return ASCII.test(text) ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment)
}
