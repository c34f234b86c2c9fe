import type { JsonPath, JsonValue } from '../../core/base/json.ts'
import type { TestCase } from './test-case.ts'

export interface TestResult {
  readonly test: TestCase
  readonly failures: readonly Failure[]
  /** What the file would have to say for the test to pass. */
  readonly edits: readonly Edit[]
  /** What was not done where the test ran. Absent: all was. */
  readonly skips?: readonly Skip[] | undefined
  /** Of the machine's clock. */
  readonly milliseconds: number
}

/** In a file of tests. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A step that was not done, or whose expectations were not compared. */
export interface Skip extends Place {
  /** Absent: nothing of the test was done. */
  readonly step?: string | undefined
  readonly reason: string
}

export interface Failure extends Place {
  readonly step: string
  /** `Deployment default/web is not as expected` */
  readonly title: string
  /** What is to be seen beneath it: differences, conditions, writes. */
  readonly details: readonly string[]
}

/** What a report says of a result. */
export interface ReportedResult extends Pick<TestResult, 'failures' | 'skips' | 'milliseconds'> {
  readonly test: Pick<TestCase, 'path' | 'role'>
}

/** A value of the file that is not what came out. */
export interface Edit {
  readonly path: JsonPath
  readonly value: JsonValue
}

/** Whether nothing of a test was done. */
export function isSkipped({ skips = [] }: Pick<TestResult, 'skips'>): boolean {
  return skips.some(({ step }) => step === undefined)
}
