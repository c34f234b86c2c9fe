import { getPath, type JsonPath } from '../../../core/base/json.ts'
import { parseLoosely } from '../../../core/yaml/parse-loosely.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { PlacedScalar } from '../../../core/yaml/place-at.ts'
import { plainScalarProblem } from '../../../core/yaml/plain-scalar.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'

/** A text in place of a stretch of a file. */
export interface TextEdit {
  /** Offsets in the file; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A key or value of YAML, or the whole of a text that is no YAML, around an offset of its file. */
export interface EditedText {
  readonly value: string
  /** How much of `value` stands before the offset. */
  readonly offset: number
  readonly start: number
  readonly end: number
  /** Absent: the file is no YAML. */
  readonly place?: { readonly document: ParsedYaml; readonly path: JsonPath; readonly at: 'key' | 'value' } | undefined
}

/** A key or value of YAML. */
export type YamlText = EditedText & { readonly place: NonNullable<EditedText['place']> }

/** A part of a text, and what is to stand in its place. Offsets are in the value of the text. */
export interface PartEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A file that is edited so that it stays one that can be read. */
export class EditedFile {
  readonly path: string
  readonly text: string
  readonly #isYaml: boolean

  constructor(path: string, text: string, { isYaml }: { readonly isYaml: boolean }) {
    this.path = path
    this.text = text
    this.#isYaml = isYaml
  }

  /** `undefined` where neither a key nor a value stands. */
  textAt(offset: number): EditedText | undefined {
    if (!this.#isYaml) return { value: this.text, offset, start: 0, end: this.text.length }
    const { document } = parseLoosely(new SourceFile(this.path, this.text), offset)
    const found = document?.placeAt(offset)
    if (!document || !found?.scalar) return undefined
    const { path, at, scalar } = found
    return {
      value: scalar.text,
      offset: scalar.offset,
      start: scalar.start,
      end: scalar.end,
      place: { document, path, at },
    }
  }

  /** The edit that puts another text in the place of a part. `undefined`: in no notation would it be read as it is meant. */
  replacePart(text: EditedText, edit: PartEdit): TextEdit | undefined {
    if (!isYamlText(text)) return { start: edit.from, end: edit.to, text: edit.text }
    return notationsOf(text, edit).find(({ written, value }) => this.#isRead(text, written, value))?.written
  }

  /** Whether the file with an edit has the value, as text where it was text, and no mistake that it had not before. */
  #isRead({ start, place }: YamlText, written: TextEdit, value: string): boolean {
    const changed = this.text.slice(0, written.start) + written.text + this.text.slice(written.end)
    const before = parseLoosely(new SourceFile(this.path, this.text), start)
    const after = parseLoosely(new SourceFile(this.path, changed), start)
    const found = after.document?.placeAt(start)
    if (!after.document || found?.at !== place.at || found.scalar?.text !== value) return false
    const isSameType = place.at === 'key' || typeAt(after.document, found.path) === typeAt(place.document, place.path)
    return isSameType && isPlainEnough(found.scalar) && after.mistakes <= before.mistakes
  }
}

function isYamlText(text: EditedText): text is YamlText {
  return text.place !== undefined
}

function typeAt({ value }: ParsedYaml, path: JsonPath): string {
  return typeof getPath(value, path)
}

/** Whether all readers of YAML take it for the same. */
function isPlainEnough({ text, isQuoted }: PlacedScalar): boolean {
  return isQuoted || plainScalarProblem(text) === undefined
}

interface Notation {
  readonly written: TextEdit
  /** Of the whole text. */
  readonly value: string
}

/** How a part may be written, the smallest change first: in the quotes that are there, then in others. */
function notationsOf(text: YamlText, edit: PartEdit): readonly Notation[] {
  const withPart = (part: string): string => text.value.slice(0, edit.from) + part + text.value.slice(edit.to)
  const own = partsOf(text, edit).map(({ written, part }) => ({
    written: { ...stretchOf(text, edit), text: written },
    value: withPart(part),
  }))
  const value = withPart(edit.text)
  const { start, end } = text
  const others = [`'${value.replaceAll("'", "''")}'`, JSON.stringify(value)]
  return [...own, ...others.map((written) => ({ written: { start, end, text: written }, value }))]
}

function stretchOf(text: YamlText, { from, to }: PartEdit): { readonly start: number; readonly end: number } {
  const { document, path, at } = text.place
  const { start, end } = document.locate(path, at, from, to - from)
  if (from === to) return { start, end: start }
  // In a block, a break belongs to the line that it begins.
  return { start, end: isBlock(text) ? document.locate(path, at, to - 1).start + 1 : end }
}

function isBlock({ place, start }: YamlText): boolean {
  return /[|>]/.test(place.document.source.text.charAt(start))
}

/** The part in the notation of its text. In double quotes, texts of an expression stand in single ones. */
function partsOf(whole: YamlText, { from, text }: PartEdit): readonly { written: string; part: string }[] {
  const { place, start, value } = whole
  const file = place.document.source.text
  if (isBlock(whole)) {
    const { start: begin } = stretchOf(whole, { from, to: from, text })
    const column = begin - file.lastIndexOf('\n', begin - 1) - 1
    const indent = column - (from - value.lastIndexOf('\n', from - 1) - 1)
    return [{ written: text.replaceAll('\n', `\n${' '.repeat(Math.max(0, indent))}`), part: text }]
  }
  const quote = file.charAt(start)
  if (quote === "'") return [{ written: text.replaceAll("'", "''"), part: text }]
  if (quote !== '"') return [{ written: text, part: text }]
  const inSingle = text.replaceAll('"', "'")
  const swapped = /['\\]/.test(text) ? [] : [{ written: inSingle, part: inSingle }]
  return [...swapped, { written: JSON.stringify(text).slice(1, -1), part: text }]
}
