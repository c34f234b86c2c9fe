import type { KubeClient } from '../../src/core/kube/client.ts'
import type { BuiltinSchemas } from '../../src/core/schema/builtin-schemas.ts'
import { ALLOWANCES } from './allowances.ts'
import type { ArmedFault } from './fault-gate.ts'
import { type Lives, ORACLES, type Oracle } from './oracles.ts'
import type { Plan } from './plan.ts'
import { type PreparedRole, prepareRole } from './prepared-role.ts'
import type { RememberedCharts } from './remembered-charts.ts'
import { ROLE_LIVES } from './role-lives.ts'
import { type LifeEvidence, runLife } from './run-life.ts'

/** An oracle that does not hold. */
export interface Divergence {
  readonly oracle: string
  readonly what: string
}

export interface Judgement {
  readonly divergences: readonly Divergence[]
  /** What was forgiven, if anything was. */
  readonly allowed?: string | undefined
}

export interface PlanResult extends Judgement {
  readonly plan: Plan
  /** Whether each of its faults has struck. */
  readonly hasFired: boolean
  readonly seen: LifeEvidence
}

export interface RunnerOptions {
  readonly schemas: BuiltinSchemas
  readonly charts: RememberedCharts
}

/** Runs plans, each on a cluster of its own, one after the other. */
export class PlanRunner {
  readonly #options: RunnerOptions
  readonly #roles = new Map<string, Promise<PreparedRole>>()
  readonly #references = new Map<string, Promise<LifeEvidence>>()

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** The life without faults. */
  reference(role: string): Promise<LifeEvidence> {
    return remembered(this.#references, role, async () => {
      const { schemas, charts } = this.#options
      const given = { role: await this.#role(role), schemas, charts, faults: [] }
      const { rendered } = charts
      const life = await runLife(given)
      // Where charts took real time, things may have happened in another order.
      return charts.rendered === rendered ? life : runLife(given)
    })
  }

  /** @param between stands between the engine and its client; defaults to nothing */
  async run(plan: Plan, between?: (client: KubeClient) => KubeClient): Promise<PlanResult> {
    const reference = await this.reference(plan.role)
    const faults: ArmedFault[] = plan.faults.map((fault) => ({ ...fault }))
    const seen = await runLife({ ...this.#options, role: await this.#role(plan.role), faults, between }, reference)
    const hasFired = seen.faults.every(({ firedAt }) => firedAt !== undefined)
    return { plan, hasFired, ...judged({ seen, reference }), seen }
  }

  #role(name: string): Promise<PreparedRole> {
    return remembered(this.#roles, name, async () => {
      const life = ROLE_LIVES.find(({ role }) => role === name)
      if (!life) throw new Error(`there is no life of a role "${name}"`)
      return prepareRole(life)
    })
  }
}

/** What oracles say of a life, less what an allowance forgives. */
export function judged(lives: Lives, oracles: readonly Oracle[] = ORACLES): Judgement {
  const all = oracles.flatMap(({ name, divergences }) => divergences(lives).map((what) => ({ oracle: name, what })))
  const allowance = all.length > 0 ? ALLOWANCES.find(({ holds }) => holds(lives)) : undefined
  const divergences = all.filter(({ oracle }) => !allowance?.forgives.includes(oracle))
  return { divergences, allowed: allowance?.name }
}

function remembered<T>(known: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(name) ?? make()
  known.set(name, found)
  return found
}
