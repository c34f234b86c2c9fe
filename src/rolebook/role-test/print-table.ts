import { printableText } from '../../core/base/printable-text.ts'
import { type Failure, isSkipped, type Skip, type TestResult } from './test-result.ts'

export interface TableOptions {
  /** Use ANSI colours. Defaults to false. */
  readonly color?: boolean | undefined
}

/** One line a test; what is wrong, and what was left out, stands beneath it. */
export function printResult(result: TestResult, { color = false }: TableOptions = {}): string {
  const { test, failures, skips = [], milliseconds } = result
  const paint = color ? ansi : (_code: number, text: string): string => text
  const time = paint(2, `${Math.round(milliseconds)} ms`)
  const lines = [
    `${verdictOf(result, paint)} ${printableText(test.path)}  ${time}`,
    ...failures.flatMap((failure) => printFailure(failure, paint)),
    ...skips.map((skip) => printSkip(skip, paint)),
  ]
  return `${lines.join('\n')}\n`
}

/** `12 tests: 9 passed, 1 failed, 2 skipped, 3 steps skipped (1.2 s)`: what is skipped only if there is something. */
export function printSummary(results: readonly TestResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const skipped = results.filter(isSkipped).length
  const steps = results.flatMap(({ skips = [] }) => skips).length - skipped
  const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  const counts = [
    `${results.length - failed - skipped} passed`,
    `${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(steps > 0 ? [`${counted(steps, 'step')} skipped`] : []),
  ]
  return `${counted(results.length, 'test')}: ${counts.join(', ')} (${seconds.toFixed(1)} s)\n`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function verdictOf(result: TestResult, paint: Paint): string {
  if (isSkipped(result)) return paint(33, 'skip')
  return result.failures.length === 0 ? paint(32, 'ok  ') : paint(31, 'FAIL')
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

function printSkip({ file, line, column, step, reason }: Skip, paint: Paint): string {
  const place = paint(1, `${printableText(file)}:${line}:${column}`)
  return `  ${place} skipped: ${printableText(reason)}${step === undefined ? '' : ` (${printableText(step)})`}`
}
