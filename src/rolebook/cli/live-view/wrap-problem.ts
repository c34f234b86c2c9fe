import { stripVTControlCharacters } from 'node:util'
import { cut, wrap } from './text-width.ts'

/** The lines of a problem in so many columns. Those of code frames are cut: their carets stay below what they point at. */
export function wrapProblem(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => (isFrame(line) ? [cut(line, columns)] : wrap(line, columns)))
}

export function isFrame(line: string): boolean {
  return /^\s+\d* \|/.test(stripVTControlCharacters(line))
}
