import { type Failure, isSkipped, type ReportedResult, type Skip } from './test-result.ts'

/** Results as JUnit XML, which CI systems read: a suite for each role. */
export function printJunit(results: readonly ReportedResult[]): string {
  const roles = [...new Set(results.map(({ test }) => test.role))]
  const suites = roles.flatMap((role) =>
    printSuite(
      role,
      results.filter(({ test }) => test.role === role),
    ),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function printSuite(role: string, results: readonly ReportedResult[]): readonly string[] {
  return [`  <testsuite name=${quoted(role)}${counts(results)}>`, ...results.flatMap(printCase), '  </testsuite>']
}

function counts(results: readonly ReportedResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  const skipped = results.filter(isSkipped).length
  const more = skipped === 0 ? '' : ` skipped="${skipped}"`
  return ` tests="${results.length}" failures="${failed}"${more} time="${seconds.toFixed(3)}"`
}

function printCase({ test, failures, skips = [], milliseconds }: ReportedResult): readonly string[] {
  const { path, role } = test
  const name = path.replace(/^.*\//, '').replace(/\.yaml$/, '')
  const attributes = `classname=${quoted(role)} name=${quoted(name)} file=${quoted(path)} time="${(milliseconds / 1000).toFixed(3)}"`
  const inner = [...failures.map(printFailure), ...printSkips(skips)]
  if (inner.length === 0) return [`    <testcase ${attributes}/>`]
  return [`    <testcase ${attributes}>`, ...inner, '    </testcase>']
}

/** JUnit knows tests that are skipped; what is said of single steps is output of the test. */
function printSkips(skips: readonly Skip[]): readonly string[] {
  const whole = skips.find(({ step }) => step === undefined)
  if (whole) return [`      <skipped message=${quoted(whole.reason)}/>`]
  const lines = skips.map(
    ({ file, line, column, step, reason }) => `${file}:${line}:${column} skipped: ${reason} (${step})`,
  )
  return lines.length === 0 ? [] : [`      <system-out>${escaped(lines.join('\n'))}</system-out>`]
}

function printFailure({ file, line, column, step, title, details }: Failure): string {
  const text = [`${file}:${line}:${column}`, ...details].join('\n')
  return `      <failure message=${quoted(`${step}: ${title}`)}>${escaped(text)}</failure>`
}

function quoted(text: string): string {
  return `"${escaped(text)}"`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control characters that XML has no way to write. */
const NOT_XML = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu

function escaped(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (one) => ESCAPES[one] as string)
}
