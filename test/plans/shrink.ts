import type { Plan } from './plan.ts'
import type { Divergence, PlanRunner } from './run-plan.ts'

/** A plan with no more faults than it takes, and what it shows. */
export interface Shrunk {
  readonly plan: Plan
  readonly divergences: readonly Divergence[]
}

/** Leaves out each fault without which the plan still diverges. */
export async function shrink(runner: PlanRunner, failing: Shrunk): Promise<Shrunk> {
  const { role, faults } = failing.plan
  if (faults.length < 2) return failing
  for (const fault of faults) {
    const plan: Plan = { role, faults: [fault] }
    const { divergences } = await runner.run(plan)
    if (divergences.length > 0) return { plan, divergences }
  }
  return failing
}
