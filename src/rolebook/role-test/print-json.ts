import type { TestResult } from './test-result.ts'

/** Results for programs. */
export function printJson(results: readonly TestResult[]): string {
  const shown = results.map(({ test, failures, milliseconds }) => ({
    file: test.path,
    role: test.role,
    passed: failures.length === 0,
    milliseconds: Math.round(milliseconds),
    failures,
  }))
  return `${JSON.stringify(shown, null, 2)}\n`
}
