import { stdout } from 'node:process'
import { sharedHelmRenderer } from '../../src/rolebook/library/helm-renderer.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { parsePlan } from './plan.ts'
import { printDivergences } from './print-divergence.ts'
import { RememberedCharts } from './remembered-charts.ts'
import type { StepEvidence } from './run-life.ts'
import { PlanRunner } from './run-plan.ts'

/** Runs one plan and prints what happened in it. True: every oracle held. */
export async function repeatPlan(text: string): Promise<boolean> {
  const runner = new PlanRunner({ schemas: loadBuiltinSchemas(), charts: new RememberedCharts(sharedHelmRenderer()) })
  const { seen, divergences, hasFired, allowed } = await runner.run(parsePlan(text))
  for (const step of seen.steps) printStep(step, new Set(seen.faults.map(({ firedAt }) => firedAt)))
  if (allowed) stdout.write(`it ends otherwise, and may: ${allowed}\n`)
  if (!hasFired) stdout.write('not every fault has fired\n')
  for (const line of printDivergences(divergences)) stdout.write(`${line}\n`)
  stdout.write(divergences.length === 0 ? 'every oracle holds\n' : `${divergences.length} divergences\n`)
  return divergences.length === 0
}

function printStep({ step, requests, moments }: StepEvidence, fired: ReadonlySet<number | undefined>): void {
  stdout.write(`${step.name}\n`)
  for (const { index, verb, url, status } of requests) {
    const mark = fired.has(index) ? '  <- the fault' : ''
    stdout.write(`  ${String(index).padStart(4)} ${verb} ${url} ${status || 'no answer'}${mark}\n`)
  }
  for (const { ready, observedGeneration, generation, message } of moments) {
    stdout.write(`       Ready ${ready} of generation ${observedGeneration} where it is ${generation}: ${message}\n`)
  }
}
