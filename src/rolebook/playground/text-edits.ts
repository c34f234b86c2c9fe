import type { FileEdit, ProjectTexts, TextEdit } from './protocol.ts'

/** The files with edits. No two edits of a file may overlap. */
export function withEdits(files: ProjectTexts, edits: readonly FileEdit[]): ProjectTexts {
  const changed = [...Map.groupBy(edits, ({ path }) => path)].map(([path, some]) => {
    return [path, edited(files[path] ?? '', some)] as const
  })
  return { ...files, ...Object.fromEntries(changed) }
}

function edited(text: string, edits: readonly TextEdit[]): string {
  let rest = text
  for (const { start, end, text: written } of edits.toSorted((left, right) => right.start - left.start)) {
    rest = rest.slice(0, start) + written + rest.slice(end)
  }
  return rest
}

/** Where the text of an edit stands when all edits of its file are made. */
export function rangeAfter(
  edit: TextEdit,
  edits: readonly TextEdit[],
): { readonly start: number; readonly end: number } {
  const before = edits.filter(({ end }) => end <= edit.start)
  const shift = before.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0)
  const start = edit.start + shift
  return { start, end: start + edit.text.length }
}

/** The smallest stretch in which two texts differ, and what the second one has there. */
export function differenceOf(from: string, to: string): TextEdit {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  let same = 0
  while (same < shorter - start && from.at(-1 - same) === to.at(-1 - same)) same++
  return { start, end: from.length - same, text: to.slice(start, to.length - same) }
}
