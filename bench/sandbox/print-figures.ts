import { stdout } from 'node:process'

export interface FigureNotes {
  readonly target?: string
  /** Beside a baseline of the same run. */
  readonly ratio?: number | undefined
  /** What the ratio is of. Defaults to `the baseline`. */
  readonly of?: string
  /** The same of a real server in the same run; the ratio is of it. */
  readonly real?: number | undefined
}

export function printHeading(text: string): void {
  stdout.write(`\n${text}\n`)
}

export function printFigure(what: string, figure: number, notes: FigureNotes = {}): void {
  const { target, real } = notes
  const ratio = real === undefined ? notes.ratio : figure / real
  const of = real === undefined ? (notes.of ?? 'the baseline') : `the real server's ${real.toFixed(0)}`
  const digits = ratio !== undefined && ratio < 1 ? 3 : 1
  const columns = [
    `  ${what}`.padEnd(56),
    figure.toFixed(0).padStart(8),
    target === undefined ? '' : `  target ${target}`,
    ratio === undefined ? '' : `  ${ratio.toFixed(digits)} of ${of}`,
  ]
  stdout.write(`${columns.join('')}\n`)
}
