import { stderr } from 'node:process'
import { formatGvk, type Gvk, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { seededRandom } from '../../src/sandbox/apiserver/faults/rule-counter.ts'
import type { ClusterBackend } from './cluster-backend.ts'
import { ClusterStage } from './cluster-stage.ts'
import type { SeenRequest } from './fault-gate.ts'
import type { FaultKind } from './fault-kind.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { LIFE } from './life.ts'
import { ORACLES } from './oracles.ts'
import type { Plan, PlannedFault } from './plan.ts'
import type { PreparedRole } from './prepared-role.ts'
import { equalTexts, type LifeEvidence, live, type StepEvidence } from './run-life.ts'
import { judged, type PlanResult } from './run-plan.ts'

/** Left out on a real server: they are about all of its clients, or a clock that stands still, or wait for five minutes. */
const NOT_HERE: ReadonlySet<string> = new Set(['compacted', 'paused', 'http-413'])
/** Watches of several kinds have no order between them. The sandbox proves what must hold at rest. */
const NOT_ASKED: ReadonlySet<string> = new Set(['true conditions', 'rest'])
/** Milliseconds that a step may take to come to its end. What only the next full list shows takes a hundred seconds on the fast clock. */
const PATIENCE = 150_000

/** A step is over after so many milliseconds without a change: a step of the reference has no other sign of its end. */
const QUIET = { ofReference: 4000, ofOthers: 200 }

/** Milliseconds for a step of the life that repeats the one without faults. It needs none for what is lost. */
const PATIENCE_WITHOUT_FAULTS = 30_000
/** How many times a life without faults is lived to have one that a second life repeats. */
const REFERENCE_ATTEMPTS = 3

/** Rest takes three quarters of an hour; what becomes of a resource without an entry is up to the operator alone. */
const STEPS = LIFE.filter(({ name, atRest }) => !atRest && !name.includes('entry'))
const KINDS = FAULT_KINDS.filter(({ name }) => !NOT_HERE.has(name))
const JUDGES = ORACLES.filter(({ name }) => !NOT_ASKED.has(name))

/** Lives lives on a real server, each in a namespace of its own, and many at once. */
export class ClusterPlans {
  readonly #backend: ClusterBackend
  readonly #newNamespace: () => Promise<string>
  readonly #roles: ReadonlyMap<string, PreparedRole>
  readonly #references = new Map<string, LifeEvidence>()

  constructor(backend: ClusterBackend, roles: readonly PreparedRole[], newNamespace: () => Promise<string>) {
    this.#backend = backend
    this.#newNamespace = newNamespace
    this.#roles = new Map(roles.map((role) => [role.life.role, role]))
  }

  /**
   * Lives the life of each role without faults.
   *
   * @throws Error when a role has no two such lives that are alike
   */
  async start(): Promise<void> {
    const lives = [...this.#roles.keys()].map(async (role) => [role, await this.#confirmedLife(role)] as const)
    for (const [role, life] of await Promise.all(lives)) this.#references.set(role, life)
  }

  /** A life that a second one repeats: on a busy machine, a step can be quiet for long before it is over. */
  async #confirmedLife(role: string): Promise<LifeEvidence> {
    const plan: Plan = { role, faults: [] }
    for (let attempt = 0; attempt < REFERENCE_ATTEMPTS; attempt++) {
      const life = await this.#live(plan)
      const step = stepThatDiffers(life, await this.#live(plan, life))
      if (step === undefined) return life
      stderr.write(`${role}: a second life without faults ends the step "${step}" otherwise, both are lived again\n`)
    }
    throw new Error(`cannot compare lives of ${role}: no two of its lives without faults are alike`)
  }

  /** Plans that take turns among the roles and the kinds of fault; each fifth has two faults. */
  choose(count: number, seed: number): readonly Plan[] {
    const random = seededRandom(seed)
    const roles = [...this.#roles.keys()]
    return Array.from({ length: count }, (_, index): Plan => {
      const role = roles[index % roles.length] as string
      const { length } = this.#references.get(role)?.requests ?? []
      const fault = (kind: FaultKind): PlannedFault => ({ kind, at: 1 + Math.floor(random() * length * 0.9) })
      const first = fault(KINDS[index % KINDS.length] as FaultKind)
      const second = fault(KINDS[Math.floor(random() * KINDS.length)] as FaultKind)
      return { role, faults: index % 5 === 4 ? [first, second] : [first] }
    })
  }

  async run(plan: Plan): Promise<PlanResult> {
    const reference = this.#references.get(plan.role) as LifeEvidence
    const seen = await this.#live(plan, reference)
    const hasFired = seen.faults.every(({ firedAt }) => firedAt !== undefined)
    return { plan, hasFired, seen, ...judged({ seen, reference }, JUDGES) }
  }

  async #live({ role: name, faults }: Plan, reference?: LifeEvidence): Promise<LifeEvidence> {
    const role = this.#roles.get(name) as PreparedRole
    const namespace = await this.#newNamespace()
    const quietPeriod = reference ? QUIET.ofOthers : QUIET.ofReference
    const armed = faults.map((fault) => ({ ...fault }))
    const stage = new ClusterStage(this.#backend, { role, namespace, quietPeriod, faults: armed })
    try {
      const patience = faults.length === 0 ? PATIENCE_WITHOUT_FAULTS : PATIENCE
      return inDefault(await live(stage, role, { life: STEPS, reference, patience }), namespace)
    } finally {
      await stage.close()
    }
  }
}

function stepThatDiffers(first: LifeEvidence, second: LifeEvidence): string | undefined {
  const differs = ({ snapshot }: StepEvidence, index: number): boolean =>
    !equalTexts(second.steps[index]?.snapshot ?? [], snapshot)
  return first.steps.find(differs)?.step.name
}

/** The kinds that lives of these roles are about. */
export function kindsOf(roles: readonly PreparedRole[]): readonly Gvk[] {
  const kinds = [
    ...roles.flatMap(({ resource, surroundings }) => [resource, ...surroundings].map(gvkOf)),
    ...roles.flatMap(({ edited }) => edited.watches.flatMap(({ role }) => role.permissions.map(({ gvk }) => gvk))),
    { group: '', version: 'v1', kind: 'ConfigMap' },
    { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
  ]
  return [...new Map(kinds.map((gvk) => [formatGvk(gvk), gvk])).values()]
}

/** Requests as if the namespace of the life had been `default`. */
function inDefault(life: LifeEvidence, namespace: string): LifeEvidence {
  const shown = (requests: readonly SeenRequest[]): readonly SeenRequest[] =>
    requests.map((request) => ({ ...request, path: request.path.replaceAll(namespace, 'default') }))
  const steps = life.steps.map((step) => ({ ...step, requests: shown(step.requests) }))
  return { ...life, steps, requests: shown(life.requests) }
}
