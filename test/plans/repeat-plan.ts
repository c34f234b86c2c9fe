import { stdout } from 'node:process'
import { sharedHelmRenderer } from '../../src/rolebook/library/helm-renderer.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { parsePlan } from './plan.ts'
import { printDivergences } from './print-divergence.ts'
import { printStep } from './print-step.ts'
import { RememberedCharts } from './remembered-charts.ts'
import { PlanRunner } from './run-plan.ts'

/** Runs one plan and prints what happened in it. True: every oracle held. */
export async function repeatPlan(text: string): Promise<boolean> {
  const runner = new PlanRunner({ schemas: loadBuiltinSchemas(), charts: new RememberedCharts(sharedHelmRenderer()) })
  const { seen, divergences, hasFired, allowed } = await runner.run(parsePlan(text))
  const fired = new Set(seen.faults.map(({ firedAt }) => firedAt))
  for (const step of seen.steps) stdout.write(printStep(step, fired))
  if (allowed) stdout.write(`it ends otherwise, and may: ${allowed}\n`)
  if (!hasFired) stdout.write('not every fault has fired\n')
  for (const line of printDivergences(divergences)) stdout.write(`${line}\n`)
  stdout.write(divergences.length === 0 ? 'every oracle holds\n' : `${divergences.length} divergences\n`)
  return divergences.length === 0
}
