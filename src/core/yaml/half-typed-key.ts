import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { SourceFile } from './source-file.ts'

/** What is wrong with a text, in its order. `undefined`: so much was read already that no more is. */
export type BoundedReading = (source: SourceFile) => readonly Diagnostic[] | undefined

/** A line that is no key with a value yet, and the text as it is read once the line is one. */
export interface HalfTypedKey {
  readonly found: Diagnostic
  readonly source: SourceFile
  /** What is wrong with the rest. */
  readonly next: Diagnostic | undefined
}

/**
 * The line near the place where the parser stumbles that lacks a `:`, or the `- ` of an item: with it, the text can be read. A key
 * that is being typed is such a line. The parser takes it for a part of the value above, and stumbles there.
 */
export function halfTypedKey(
  source: SourceFile,
  stumbled: Diagnostic,
  errorsIn: BoundedReading,
): HalfTypedKey | undefined {
  if (stumbled.code !== 'RB1001') return undefined
  const lines = source.text.split('\n')
  for (const index of linesNear(lines, stumbled.line - 1)) {
    for (const form of formsOf(lines, index)) {
      const mended = new SourceFile(source.path, lines.with(index, form.line).join('\n'))
      const errors = errorsIn(mended)
      if (errors === undefined) return undefined
      const [next] = errors
      const isMended = next === undefined || next.line > Math.max(index + 1, stumbled.line)
      if (isMended) return { found: report(source, lines, { index, form }), source: mended, next }
    }
  }
  return undefined
}

/** The line at an index and the one before it, as far as they hold something, and the one behind it. */
function linesNear(lines: readonly string[], index: number): readonly number[] {
  const before = lines.slice(0, index).findLastIndex(hasContent)
  const behind = lines.findIndex((line, at) => at > index && hasContent(line))
  return [index, before, behind].filter((at) => at !== -1)
}

interface Form {
  /** The line as it can be read. */
  readonly line: string
  readonly message: string
  readonly hint: string
}

/** A line with what stands before a key, the key or what begins like one, and the rest up to a comment. */
const LINE =
  /^(?<before> *(?:- +)*)(?<word>(?<quote>["']?)[A-Za-z_][\w./-]*?\k<quote>)(?:(?<sign>:|=| +)(?<rest>[^\s:=#].*?))?(?<after>\s*(?: #.*)?)$/

/** How a line may be meant, the likelier first. */
function formsOf(lines: readonly string[], index: number): readonly Form[] {
  const { before = '', word = '', sign = '', rest = '', after = '' } = LINE.exec(lines[index] ?? '')?.groups ?? {}
  if (word === '') return []
  if (rest !== '') return [withValue({ before, word, sign, rest, after })]
  const holds = indentAt(lines, behind(lines, index)) > before.length
  const item = before.includes('-') ? [] : [asItem({ before, word, after })]
  return [withColon({ before, word, after, holds }), ...item, ...atOtherIndent(lines, index, { before, word, after })]
}

type Parts = Readonly<Record<'before' | 'word' | 'after', string>>

function withColon({ before, word, after, holds }: Parts & { readonly holds: boolean }): Form {
  const message = holds ? `the key \`${word}\` has no \`:\`` : `the key \`${word}\` has no value`
  const hint = holds ? `write the key as \`${word}:\`` : `write a value: \`${word}: …\``
  return { line: `${before}${word}:${after}`, message, hint }
}

function asItem({ before, word, after }: Parts): Form {
  const message = `\`${word}\` stands between the items of a list`
  const hint = `begin an item with \`- \`, or indent the line as the keys of the item above`
  return { line: `${before}- ${word}${after}`, message, hint }
}

/** A line with a key whose value is no block of text. */
const KEY_ABOVE = /^ *(?:- +)*["']?\w[\w./-]*["']?:(?! *[|>][-+\d]*\s*$)(?: |$)/

/** A key that is no sibling of the line above it yet. */
function atOtherIndent(lines: readonly string[], index: number, { before, word, after }: Parts): readonly Form[] {
  const above = lines.slice(0, index).findLast(hasContent) ?? ''
  const indent = contentOf(above)
  if (!KEY_ABOVE.test(above) || indent === before.length || before.includes('-')) return []
  const message = `the key \`${word}\` has no value, and begins elsewhere than the keys above it`
  const hint = `indent the line by ${indent} ${indent === 1 ? 'space' : 'spaces'}, and write a value: \`${word}: …\``
  return [{ line: `${' '.repeat(indent)}${word}:${after}`, message, hint }]
}

function withValue({ before, word, sign, rest, after }: Parts & Readonly<Record<'sign' | 'rest', string>>): Form {
  const written = `${word}: ${rest}`
  const message = sign === ':' ? `behind \`${word}:\`, a space is missing` : `the key \`${word}\` has no \`:\``
  const orText = sign.trim() !== '' ? '' : ', or indent the line further if it goes on with the text above'
  return { line: `${before}${written}${after}`, message, hint: `write the line as \`${written}\`${orText}` }
}

function report(
  source: SourceFile,
  lines: readonly string[],
  { index, form }: { readonly index: number; readonly form: Form },
): Diagnostic {
  const { before = '', after = '' } = LINE.exec(lines[index] ?? '')?.groups ?? {}
  const begin = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0)
  const end = begin + (lines[index] ?? '').length - after.length
  const { message, hint } = form
  return diagnosticAt({ source, start: begin + before.length, end }, { code: 'RB1001', message, hint })
}

function behind(lines: readonly string[], index: number): number {
  return lines.findIndex((line, at) => at > index && hasContent(line))
}

function indentAt(lines: readonly string[], index: number): number {
  return /^ */.exec(lines[index] ?? '')?.[0].length ?? 0
}

/** Where the content of a line begins, behind the `- ` of items. */
function contentOf(line: string): number {
  return /^ *(?:- +)*/.exec(line)?.[0].length ?? 0
}

function hasContent(line: string): boolean {
  return !/^\s*(?:#|$)/.test(line)
}
