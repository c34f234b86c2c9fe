import { parseLoosely } from '../../core/yaml/parse-loosely.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { PlacedScalar, YamlPlace } from '../../core/yaml/place-at.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { closersOf, openExpression } from './open-expression.ts'

/** Stands where the cursor is: a word that no file holds. */
export const MARK = 'rolebookCursor'

/** A text with the mark at the cursor, mended so far that the place of the cursor is known. */
export interface Cursor {
  readonly document: ParsedYaml
  /** Of the mark. */
  readonly place: YamlPlace & { readonly scalar: PlacedScalar }
  /** What stands before the cursor in its key or value. */
  readonly before: string
  /** The offset in `before` at which the `${` begins that the cursor is in: just behind it. */
  readonly expression: number | undefined
  /** The offset in the text at which the key or value begins, behind a quote. */
  readonly start: number
  /** Whether the line has its colon already. */
  readonly hasColon: boolean
}

/** `undefined` where nothing can be typed that is known to rolebook, such as in a comment. */
export function cursorAt(path: string, text: string, offset: number): Cursor | undefined {
  let best: { readonly cursor: Cursor; readonly mistakes: number } | undefined
  for (const candidate of candidatesFor(text, offset)) {
    const source = new SourceFile(path, candidate)
    const { document, mistakes } = parseLoosely(source, offset)
    const place = document?.placeAt(offset + 1)
    if (!document || !place?.scalar?.text.includes(MARK)) continue
    if (best && best.mistakes <= mistakes) continue
    best = { cursor: toCursor(document, { ...place, scalar: place.scalar }, { text, offset }), mistakes }
  }
  return best?.cursor
}

function toCursor(
  document: ParsedYaml,
  place: Cursor['place'],
  { text, offset }: { readonly text: string; readonly offset: number },
): Cursor {
  const { scalar } = place
  const before = scalar.text.slice(0, scalar.text.indexOf(MARK))
  const expression = openExpression(before)
  const isOneLine = text.slice(scalar.start, offset).indexOf('\n') === -1
  const start = isOneLine && scalar.isQuoted ? scalar.start + 1 : scalar.start
  const hasColon = /^[\w./-]*["']?\s*:/.test(text.slice(offset))
  return { document, place, before, expression, start: Math.min(start, offset), hasColon }
}

/** A word at the beginning of a line may become a key or an item of a list. */
const WORD_ONLY = /^\s*(?:-\s+)*[\w./-]*$/

function candidatesFor(text: string, offset: number): readonly string[] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const found = text.indexOf('\n', offset)
  const lineEnd = found === -1 ? text.length : found
  const [before, after] = [text.slice(lineStart, offset), text.slice(offset, lineEnd)]
  const [head, tail] = [text.slice(0, offset), text.slice(lineEnd)]
  const marked = `${head}${MARK}${after}${tail}`
  const isNewKey = WORD_ONLY.test(before) && after.trim() === ''
  const closers = closersOfLine(`${before}${MARK}${after}`)
  return [
    ...(isNewKey ? [`${head}${MARK}:${after}${tail}`] : []),
    marked,
    ...(closers === '' ? [] : [`${head}${MARK}${after}${closers}${tail}`]),
    // What stands behind the cursor may be what is wrong.
    `${head}${MARK}${closersOfLine(`${before}${MARK}`)}${tail}`,
  ]
}

/** The quotes and brackets of YAML that a line leaves open, closed; those of expressions within quotes are text to it. */
function closersOfLine(line: string): string {
  const open: string[] = []
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (quote !== '') {
      if (char === '\\' && quote === '"') at += 1
      else if (char === quote) quote = ''
    } else if ((char === '"' || char === "'") && /[\s[{,:]$|^$/.test(line.slice(0, at))) quote = char
    else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']')
    else if (char === open.at(-1)) open.pop()
    else if (char === '#' && /\s$/.test(line.slice(0, at))) break
  }
  return quote + open.reverse().join('')
}

/** The text of a key or value at the cursor with its expression closed behind the mark. */
export function closedText({ before }: Cursor, expression: number): string {
  const source = `${before.slice(expression)}${MARK}`
  return `${before}${MARK}${closersOf(source)}}`
}
