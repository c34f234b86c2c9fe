import { isReadable } from '../../../engine/expression/parse-expression.ts'
import { splitTemplate } from '../../../engine/expression/split-template.ts'
import type { EditedFile, EditedText, PartEdit, TextEdit } from './edited-file.ts'

/** What a check says of a stretch of a file, with a hint. */
export interface Finding {
  readonly file: EditedFile
  readonly hint: string
  /** Offsets in the file; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** A change of a file after which the finding is gone. */
export interface QuickFix {
  readonly edits: readonly TextEdit[]
  /** As a menu shows it. */
  readonly title: string
  /** Whether the hint leaves no other choice. Defaults to true. */
  readonly isOnly?: boolean | undefined
}

/** A part of a value, by its offsets. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The key or value in which a finding begins. */
export interface FoundText {
  readonly whole: EditedText
  readonly from: number
  /** The expression that it begins in, without `${` and `}`. */
  readonly expression?: Span | undefined
}

/** The stretch of a key or value that a finding is about. */
export interface Stretch extends FoundText, Span {
  readonly text: string
}

/** `undefined` where the finding is about a list or a map. */
export function textOf({ file, start }: Pick<Finding, 'file' | 'start'>): FoundText | undefined {
  const whole = file.textAt(start)
  return whole && { whole, from: whole.offset, expression: expressionAt(whole.value, whole.offset) }
}

/** `undefined` where the finding is about a list or a map, or goes on in another line and its end is not known. */
export function stretchOf(finding: Finding): Stretch | undefined {
  const { file, end } = finding
  const text = textOf(finding)
  if (!text) return undefined
  const { whole, from, expression } = text
  const last = file.textAt(end)
  const isInOneLine = !file.text.slice(whole.start, whole.end).includes('\n')
  const to = last?.start === whole.start && last.end === whole.end ? last.offset : whole.value.length
  if (isInOneLine || to - from > 1) return { ...text, to, text: whole.value.slice(from, to) }
  return expression && restOf(whole, from, expression)
}

/** Of a finding in several lines only the beginning is known: at that of an expression, all of it is meant. */
function restOf(whole: EditedText, from: number, expression: Span): Stretch | undefined {
  const source = whole.value.slice(expression.from, expression.to)
  if (from !== expression.from + source.length - source.trimStart().length) return undefined
  return { whole, from, to: expression.from + source.trimEnd().length, text: source.trim(), expression }
}

function expressionAt(value: string, offset: number): Span | undefined {
  for (const part of partsOf(value)) {
    if (!('source' in part)) continue
    const [from, to] = [part.offset, part.offset + part.source.length]
    if (from - '${'.length <= offset && offset <= to) return { from, to }
  }
  return undefined
}

/** A text whose `${` is never closed has no parts. */
function partsOf(value: string): ReturnType<typeof splitTemplate> {
  try {
    return splitTemplate(value)
  } catch {
    return []
  }
}

/** Another text in place of a part of a key or value. None where an expression could be read no longer. */
export function replaced({ file }: Finding, whole: EditedText, { from, to, text }: PartEdit): readonly QuickFix[] {
  const value = whole.value.slice(0, from) + text + whole.value.slice(to)
  if (value === whole.value || unreadIn(value) > unreadIn(whole.value)) return []
  const edit = file.replacePart(whole, { from, to, text })
  return edit ? [{ edits: [edit], title: titleFor(text) }] : []
}

/** How many expressions of a text cannot be read. */
function unreadIn(value: string): number {
  try {
    return splitTemplate(value).filter((part) => 'source' in part && !isReadable(part.source)).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** A text as it stands in the file in place of another. */
export function rewritten({ start, end }: { readonly start: number; readonly end: number }, text: string): QuickFix {
  return { edits: [{ start, end, text }], title: titleFor(text) }
}

export function titleFor(text: string): string {
  return `Replace with ${text}`
}
