import { expect } from 'chai'
import { sharedHelmRenderer } from '../../src/rolebook/library/helm-renderer.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import type { SeenRequest } from './fault-gate.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { choosePlans, onePlanPerKind, type Plan, parsePlan, printPlan } from './plan.ts'
import { printDivergences } from './print-divergence.ts'
import { RememberedCharts } from './remembered-charts.ts'
import { ROLE_LIVES } from './role-lives.ts'
import { PlanRunner } from './run-plan.ts'

/** `npm run proof:plans` lives 25,000. */
const SEED = 1
/** Plans of two faults. */
const PAIRS = 4

describe('The life of a role under faults', function () {
  this.timeout(180_000)
  let runner: PlanRunner
  const requestsOf = new Map<string, readonly SeenRequest[]>()

  before(async () => {
    runner = new PlanRunner({ schemas: loadBuiltinSchemas(), charts: new RememberedCharts(sharedHelmRenderer()) })
    for (const { role } of ROLE_LIVES) requestsOf.set(role, (await runner.reference(role)).requests)
  })

  /** What is wrong with the lives that plans lead to. The second fault may find nothing more to strike. */
  async function failuresOf(plans: readonly Plan[]): Promise<readonly string[]> {
    const failures: string[] = []
    for (const plan of plans) {
      const { divergences, seen } = await runner.run(plan)
      if (seen.faults[0]?.firedAt === undefined) failures.push(`${printPlan(plan)}: it did not fire`)
      failures.push(...printDivergences(divergences).map((what) => `${printPlan(plan)}: ${what}`))
    }
    return failures
  }

  it('ends as the one without, whichever kind of fault strikes one of its requests', async () => {
    const plans = onePlanPerKind(requestsOf, { seed: SEED })
    expect(plans.length).to.be.at.least(40)
    expect(await failuresOf(plans)).to.deep.equal([])
  })

  it('ends as the one without under two faults', async () => {
    const roles = ROLE_LIVES.map(({ role }) => role).slice(0, PAIRS)
    const plans = roles.map(
      (role) => choosePlans(role, requestsOf.get(role) ?? [], { count: 3, seed: SEED })[2] as Plan,
    )
    expect(new Set(plans.map(({ faults }) => faults.length))).to.deep.equal(new Set([2]))
    expect(await failuresOf(plans)).to.deep.equal([])
  })

  it('sends the same requests in the same order each time', async () => {
    const again = await runner.run({ role: 'memcached', faults: [] })
    const urls = (requests: readonly SeenRequest[] = []): readonly string[] => requests.map(({ url }) => url)
    expect(urls(again.seen.requests)).to.deep.equal(urls(requestsOf.get('memcached')))
  })

  it('is repeated by the text of its plan', () => {
    for (const plan of onePlanPerKind(requestsOf, { seed: SEED })) {
      expect(parsePlan(printPlan(plan))).to.deep.equal(plan)
    }
    expect(() => parsePlan('memcached fire@3')).to.throw('there is no kind of fault "fire"')
  })

  it('has kinds of fault with a name each', () => {
    expect(new Set(FAULT_KINDS.map(({ name }) => name)).size).to.equal(FAULT_KINDS.length)
  })
})
