import type { Step, TestCase } from './test-case.ts'

/** What of a test is done where it runs. */
export interface TestPlan {
  /** Why nothing of it can be done. Absent: something can. */
  readonly skipped?: string | undefined
  readonly steps: readonly StepPlan[]
}

export interface StepPlan {
  readonly step: Step
  /** Whether its action is done. */
  readonly acts: boolean
  /** Whether what it expects is compared. */
  readonly checks: boolean
  /** Why not all of it is done. */
  readonly skipped?: string | undefined
}

/** All of it. */
export function wholePlan({ steps }: TestCase): TestPlan {
  return { steps: steps.map((step) => ({ step, acts: true, checks: true })) }
}
