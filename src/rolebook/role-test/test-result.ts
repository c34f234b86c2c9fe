import type { JsonPath, JsonValue } from '../../core/base/json.ts'
import type { TestCase } from './test-case.ts'

export interface TestResult {
  readonly test: TestCase
  readonly failures: readonly Failure[]
  /** What the file would have to say for the test to pass. */
  readonly edits: readonly Edit[]
  /** Of the machine's clock. */
  readonly milliseconds: number
}

export interface Failure {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly step: string
  /** `Deployment default/web is not as expected` */
  readonly title: string
  /** What is to be seen beneath it: differences, conditions, writes. */
  readonly details: readonly string[]
}

/** What a report says of a result. */
export interface ReportedResult extends Pick<TestResult, 'failures' | 'milliseconds'> {
  readonly test: Pick<TestCase, 'path' | 'role'>
}

/** A value of the file that is not what came out. */
export interface Edit {
  readonly path: JsonPath
  readonly value: JsonValue
}
