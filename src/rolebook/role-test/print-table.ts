import { printableText } from '../../core/base/printable-text.ts'
import type { Failure, TestResult } from './test-result.ts'

export interface TableOptions {
  /** Use ANSI colours. Defaults to false. */
  readonly color?: boolean | undefined
}

/** One line a test; what is wrong stands beneath it. */
export function printResult(
  { test, failures, milliseconds }: TestResult,
  { color = false }: TableOptions = {},
): string {
  const paint = color ? ansi : (_code: number, text: string): string => text
  const isPassed = failures.length === 0
  const verdict = isPassed ? paint(32, 'ok  ') : paint(31, 'FAIL')
  const time = paint(2, `${Math.round(milliseconds)} ms`)
  const lines = [
    `${verdict} ${printableText(test.path)}  ${time}`,
    ...failures.flatMap((failure) => printFailure(failure, paint)),
  ]
  return `${lines.join('\n')}\n`
}

/** `12 tests: 11 passed, 1 failed (1.2 s)` */
export function printSummary(results: readonly TestResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  const tests = `${results.length} test${results.length === 1 ? '' : 's'}`
  return `${tests}: ${results.length - failed} passed, ${failed} failed (${seconds.toFixed(1)} s)\n`
}

type Paint = (code: number, text: string) => string

function ansi(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`
}

function printFailure({ file, line, column, step, title, details }: Failure, paint: Paint): readonly string[] {
  const place = paint(1, `${printableText(file)}:${line}:${column}`)
  return [
    `  ${place} ${printableText(title)} (${printableText(step)})`,
    ...details.map((detail) => `    ${printableText(detail)}`),
  ]
}
