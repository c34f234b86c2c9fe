import { isJsonObject, type JsonValue } from '../../core/base/json.ts'
import { apiVersionOf, formatGvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { idOf } from '../../core/kube/object-id.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { isBuiltin } from '../../core/schema/schema.ts'
import type { TrialServer } from '../trial/trial-server.ts'
import { Dice } from './dice.ts'
import { type Life, live, type Stage, type Violation } from './life.ts'
import { calmed, isCalm, type ProofCase, type ProofEvent, type WrittenStep } from './proof-case.ts'
import { type Ending, LifeJudge, referenceTo } from './properties.ts'
import { disturbed } from './random-case.ts'
import { RandomSpec } from './random-spec.ts'
import { lenientTasks } from './role-tasks.ts'
import { shrinkCase } from './shrink-case.ts'
import { patchBetween, withoutTexts } from './spec-patch.ts'

export interface ProofOptions {
  readonly stage: Stage
  readonly server: TrialServer
  readonly schema: Schema | undefined
  /** Those of the role. */
  readonly samples: readonly KubeObject[]
  readonly seed: number
  readonly cases: number
  /** The number of the one case to live. Absent: all. */
  readonly only?: number | undefined
  readonly stopped: AbortSignal
  readonly onCase?: ((done: number) => void) | undefined
  readonly onShrink?: (() => void) | undefined
}

export interface Counterexample {
  /** Counted from 1. */
  readonly number: number
  readonly given: readonly KubeObject[]
  readonly steps: readonly WrittenStep[]
  readonly violation: Violation
}

export interface Proof {
  readonly cases: number
  /** Cases that the role refuses by itself, or whose made-up texts it can do nothing with: they prove little. */
  readonly refused: number
  readonly counterexample?: Counterexample | undefined
}

/** Lives so many lives of one role, each with a spec and events of its own, up to the first one that breaks a property. */
export async function proveRole(options: ProofOptions): Promise<Proof> {
  const { only, stopped } = options
  const last = only ?? options.cases
  let [refused, cases] = [0, 0]
  for (let number = only ?? 1; number <= last && !stopped.aborted; number++) {
    cases += 1
    const trial = new CaseTrial(options, new Dice(mixed(options.seed, number)))
    const outcome = await trial.run()
    if (outcome.failing) {
      return { cases, refused, counterexample: await trial.counterexample(number, outcome.failing, options) }
    }
    if (outcome.isRefused) refused += 1
    options.onCase?.(number)
  }
  return { cases, refused }
}

/** Another seed for each case, so that one can be repeated alone. */
function mixed(seed: number, number: number): number {
  return (Math.imul(seed, 0x9e3779b1) + number) >>> 0
}

interface Failing {
  readonly one: ProofCase
  readonly life: Life
  readonly violation: Violation
}

interface Outcome {
  readonly failing?: Failing | undefined
  readonly isRefused: boolean
}

class CaseTrial {
  readonly #options: ProofOptions
  readonly #dice: Dice
  readonly #values: RandomSpec

  constructor(options: ProofOptions, dice: Dice) {
    this.#options = options
    this.#dice = dice
    this.#values = new RandomSpec(dice)
  }

  async run(): Promise<Outcome> {
    let planned = this.#planned()
    let { life, judge } = await this.#live(planned)
    const plain = life.violation || judge.isJudged || judge.isRefusal ? undefined : this.#withoutInvented(planned)
    if (plain) {
      planned = plain
      ;({ life, judge } = await this.#live(plain))
    }
    if (life.violation) return { failing: { one: planned, life, violation: life.violation }, isRefused: false }
    const calm = without(planned, life)
    const gone = new Set([...judge.children.entries()].at(-1)?.[1].map(idOf))
    const lenient = lenientTasks(this.#options.stage.entry.role)
    const known = {
      children: [...judge.children.entries()].sort(([left], [right]) => left - right).map(([, children]) => children),
      leavesNothing: gone.size === 0 && !this.#retains,
      isLenient: (child: KubeObject): boolean => lenient.size > 0 && lenient.has(judge.writers.get(idOf(child)) ?? ''),
    }
    const wild = disturbed(calm, { dice: this.#dice, known })
    const { life: last } = await this.#live(wild, judge.ending)
    const { violation } = last
    return { failing: violation && { one: wild, life: last, violation }, isRefused: !judge.isJudged }
  }

  /** The case with nothing in it that is made up, or else a sample. `undefined`: there is neither. */
  #withoutInvented({ given, resource }: ProofCase): ProofCase | undefined {
    const spec = withoutTexts(resource.spec as JsonValue | undefined, this.#values.invented)
    const plain = { ...resource, spec } as unknown as KubeObject
    const allowed = [plain, ...this.#samples].find((one) => this.#isAllowed(one))
    return allowed && { given, resource: allowed, events: [] }
  }

  /** Those of the kind of the role. */
  get #samples(): readonly KubeObject[] {
    const { samples, stage } = this.#options
    const { gvk } = stage.entry.watch
    return samples.filter((object) => formatGvk(gvkOf(object)) === formatGvk(gvk))
  }

  get #retains(): boolean {
    return this.#options.stage.entry.role.tasks.some(({ modifiers }) => modifiers.retain)
  }

  /** Makes a failing case small. */
  async counterexample(number: number, failing: Failing, { onShrink }: ProofOptions): Promise<Counterexample> {
    const reason = reasonOf(failing.violation)
    const smallest = await shrinkCase(failing.one, async (smaller) => {
      onShrink?.()
      const violation = (await this.#violationOf(smaller))?.violation
      return violation !== undefined && reasonOf(violation) === reason
    })
    const last = (await this.#violationOf(smallest)) ?? { steps: failing.life.steps, violation: failing.violation }
    return { number, given: smallest.given, ...last }
  }

  /** Of a case by itself: its calm life is lived again where it takes that to judge it. */
  async #violationOf(one: ProofCase): Promise<Pick<Counterexample, 'steps' | 'violation'> | undefined> {
    if (!this.#isAllowed(one.resource)) return undefined
    const { life, judge } = await this.#live(calmed(one))
    if (life.violation) return isCalm(one) ? { steps: life.steps, violation: life.violation } : undefined
    if (isCalm(one)) return undefined
    const wild = (await this.#live(one, judge.ending)).life
    if (!wild.violation) return undefined
    const steps = wild.steps.filter((_, index) => !wild.passedOver.has(index))
    const index = wild.violation.index - [...wild.passedOver].filter((at) => at < (wild.violation?.index ?? 0)).length
    return { steps, violation: { ...wild.violation, index } }
  }

  async #live(one: ProofCase, calm?: Ending): Promise<{ life: Life; judge: LifeJudge }> {
    const { stage } = this.#options
    const text = JSON.stringify([one.resource, one.events])
    const invented = new Set([...this.#values.invented].filter((made) => text.includes(JSON.stringify(made))))
    const judge = new LifeJudge({ one, stage, calm, invented })
    return { life: await live(one, stage, judge.judge), judge }
  }

  /** Without disturbances. */
  #planned(): ProofCase {
    const own = this.#samples
    const sample = own.length > 0 ? this.#dice.pick(own) : undefined
    const given = this.#options.samples.filter((object) => !own.includes(object))
    const resource = this.#resource(sample)
    const events: ProofEvent[] = []
    let current = resource
    for (let edits = this.#dice.below(3); edits > 0; edits--) {
      const next = this.#resource(sample)
      const spec = patchBetween(current.spec as JsonValue, next.spec as JsonValue)
      if (!isJsonObject(spec) || Object.keys(spec).length === 0) continue
      events.push({ kind: 'edit', step: { patch: { ...referenceTo(resource), spec } } })
      current = next
    }
    return { given, resource, events }
  }

  /** A resource that the server takes; the sample where chance finds none. */
  #resource(sample: KubeObject | undefined): KubeObject {
    const { stage, schema } = this.#options
    const { gvk } = stage.entry.watch
    const bare: KubeObject = { apiVersion: apiVersionOf(gvk), kind: gvk.kind, metadata: { name: 'made' } }
    const base = sample ?? bare
    const spec = schema && !isBuiltin(schema) ? schema.properties?.spec : undefined
    if (!spec || (sample && this.#dice.percent(10))) return base
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const made = this.#values.valueFor(spec, base.spec as JsonValue | undefined)
      const resource = { ...base, ...(made !== undefined && { spec: made }) } as unknown as KubeObject
      if (this.#isAllowed(resource)) return resource
    }
    return base
  }

  #isAllowed(resource: KubeObject): boolean {
    const isNamespaced = this.#options.server.mappingOf(gvkOf(resource))?.namespaced !== false
    const metadata = { ...(isNamespaced && { namespace: 'default' }), ...resource.metadata }
    return this.#options.server.judge({ ...resource, metadata }).refusals.length === 0
  }
}

const MOST_ATTEMPTS = 20

/** What is wrong, without the values of the case: another reason is another counterexample. */
function reasonOf({ property, what }: Violation): string {
  return `${property}: ${what.replaceAll(/"[^"]*"|'[^']*'|\[[^\]]*\]|\d+/g, '…')}`
}

/** The case without the events that could not be done. */
function without(one: ProofCase, { passedOver }: Life): ProofCase {
  // The creation is the first step of a case that nothing disturbs.
  return { ...one, events: one.events.filter((_, index) => !passedOver.has(index + 1)) }
}
