/** Runs a share of the plans in a process of its own, and sends a message about each plan. */
import process, { memoryUsage } from 'node:process'
import { sharedHelmRenderer } from '../../src/rolebook/library/helm-renderer.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { choosePlans, type Plan, printPlan } from './plan.ts'
import { printDivergences } from './print-divergence.ts'
import { RememberedCharts } from './remembered-charts.ts'
import { PlanRunner } from './run-plan.ts'
import { shrink } from './shrink.ts'

/** What a worker has to do. */
export interface Share {
  readonly roles: readonly string[]
  /** How many plans have to have fired. */
  readonly plans: number
  readonly seed: number
  /** Of so many workers, which one it is. */
  readonly worker: number
  readonly workers: number
}

/** The result of one plan. */
export interface WorkerMessage {
  readonly role: string
  readonly kinds: readonly string[]
  readonly hasFired: boolean
  readonly megabytes: number
  /** What was forgiven. */
  readonly allowed?: string | undefined
  /** Of a plan that diverges: the line that repeats it, shrunk, and what it shows. */
  readonly failure?: { readonly plan: string; readonly divergences: readonly string[] } | undefined
}

/** Plans are chosen for all workers alike; of each role, as many more than needed as may not fire. */
const SPARE = 1.3

process.once('message', (share: Share) => void work(share).then(() => process.disconnect()))

async function work({ roles, plans, seed, worker, workers }: Share): Promise<void> {
  const runner = new PlanRunner({ schemas: loadBuiltinSchemas(), charts: new RememberedCharts(sharedHelmRenderer()) })
  const count = Math.ceil((plans * workers * SPARE) / roles.length)
  const chosen = new Map<string, readonly Plan[]>()
  for (const role of roles)
    chosen.set(role, choosePlans(role, (await runner.reference(role)).requests, { count, seed }))
  let fired = 0
  for (let index = worker; index < count && fired < plans; index += workers) {
    for (const role of roles) {
      const plan = chosen.get(role)?.[index]
      if (!plan || fired >= plans) continue
      const message = await messageOf(runner, plan)
      if (message.hasFired) fired++
      process.send?.(message)
    }
  }
}

async function messageOf(runner: PlanRunner, plan: Plan): Promise<WorkerMessage> {
  const result = await runner.run(plan)
  const { hasFired, divergences, allowed } = result
  const shrunk = divergences.length > 0 ? await shrink(runner, result) : undefined
  return {
    role: plan.role,
    kinds: plan.faults.map(({ kind }) => kind.name),
    hasFired,
    allowed,
    megabytes: Math.round(memoryUsage.rss() / 2 ** 20),
    failure: shrunk && { plan: printPlan(shrunk.plan), divergences: printDivergences(shrunk.divergences) },
  }
}
