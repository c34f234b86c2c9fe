import { isSkipped, type TestResult } from './test-result.ts'

/** Results for programs. */
export function printJson(results: readonly TestResult[]): string {
  const shown = results.map((result) => ({
    file: result.test.path,
    role: result.test.role,
    passed: result.failures.length === 0 && !isSkipped(result),
    milliseconds: Math.round(result.milliseconds),
    failures: result.failures,
    ...(result.skips && result.skips.length > 0 && { skipped: result.skips }),
  }))
  return `${JSON.stringify(shown, null, 2)}\n`
}
