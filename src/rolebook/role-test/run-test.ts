import { systemClock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { JsonPath } from '../../core/base/json.ts'
import { compileRegex } from '../../core/base/regex.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Project } from '../../engine/operator/project.ts'
import { type CheckedStep, checkStep } from './check-step.ts'
import { Person } from './person.ts'
import { projectOfTest } from './project-of-test.ts'
import { SandboxTestCluster } from './sandbox-test-cluster.ts'
import type { Action, Step, TestCase } from './test-case.ts'
import type { ClusterOptions, TestCluster } from './test-cluster.ts'
import { type StepPlan, type TestPlan, wholePlan } from './test-plan.ts'
import type { Edit, Failure, Place, Skip, TestResult } from './test-result.ts'

export interface RunOptions extends Pick<ClusterOptions, 'project' | 'schemas' | 'charts'> {
  /** Whether a test goes on after a step that fails. Defaults to false. */
  readonly keepGoing?: boolean | undefined
  readonly observer?: StepObserver | undefined
  /** Where the test runs. Absent: on a sandbox of its own. */
  readonly session?: ClusterSession | undefined
}

export type SessionOptions = Pick<ClusterOptions, 'project' | 'schemas' | 'charts' | 'workloads'>

/** A cluster on which tests run one after the other, in place of a sandbox for each. */
export interface ClusterSession {
  /** What of the test is done there. */
  planFor(test: TestCase, project: Project): TestPlan
  /** The test's own part of it. */
  open(test: TestCase, options: SessionOptions): Promise<TestCluster>
}

/** Sees what becomes of a test, step by step. */
export interface StepObserver {
  /** A step was done, and holds. False: the test ends here. */
  stepEnded(step: Step, cluster: TestCluster): boolean
  /** A step could not be done: it was passed over. Absent: the test fails then. */
  passedOver?(step: Step): void
}

/** One test on a server and an operator of its own. Never rejects for what a role does. */
export async function runTest(test: TestCase, options: RunOptions): Promise<TestResult> {
  const begun = systemClock.monotonic()
  const project = projectOfTest(options.project, test)
  const plan = options.session?.planFor(test, project) ?? wholePlan(test)
  const outcome = plan.skipped === undefined ? await runPlan(test, plan, { ...options, project }) : NOTHING_DONE
  return { test, ...outcome, skips: skipsOf(test, plan), milliseconds: systemClock.monotonic() - begun }
}

type Outcome = Pick<TestResult, 'failures' | 'edits'>

const NOTHING_DONE: Outcome = { failures: [], edits: [] }

async function runPlan(test: TestCase, plan: TestPlan, options: RunOptions): Promise<Outcome> {
  const { session, ...rest } = options
  const opened = { ...rest, workloads: test.workloads }
  if (!session) return runOn(await SandboxTestCluster.start(opened), test, { plan, options })
  try {
    return await runOn(await session.open(test, opened), test, { plan, options })
  } catch (error) {
    const title = `the test cannot run on the cluster: ${explain(error)}`
    return { failures: [{ ...placeOf(test, []), step: 'given', title, details: [] }], edits: [] }
  }
}

async function runOn(
  cluster: TestCluster,
  test: TestCase,
  { plan, options }: { readonly plan: TestPlan; readonly options: RunOptions },
): Promise<Outcome> {
  try {
    return await new TestRun(test, cluster, options).run(plan)
  } finally {
    await cluster.stop()
  }
}

function skipsOf(test: TestCase, { skipped, steps }: TestPlan): readonly Skip[] {
  if (skipped !== undefined) return [{ ...placeOf(test, []), reason: skipped }]
  return steps.flatMap(({ step, skipped: reason }) =>
    reason === undefined ? [] : [{ ...placeOf(test, step.path), step: step.name, reason }],
  )
}

function placeOf({ document }: TestCase, path: JsonPath): Place {
  const { source, start } = document.locate(path)
  return { file: source.path, ...source.position(start) }
}

class TestRun {
  readonly #failures: Failure[] = []
  readonly #edits: Edit[] = []
  readonly #test: TestCase
  readonly #cluster: TestCluster
  readonly #options: RunOptions
  readonly #person: Person

  constructor(test: TestCase, cluster: TestCluster, options: RunOptions) {
    this.#test = test
    this.#cluster = cluster
    this.#options = options
    this.#person = new Person(cluster, test.kinds)
  }

  async run({ steps }: TestPlan): Promise<Outcome> {
    const { project } = this.#options
    for (const crd of project.crds) await this.#cluster.install(crd)
    if (await this.#begin()) {
      for (const step of steps) {
        const goesOn = await this.#step(step)
        if (!goesOn || (this.#failures.length > 0 && this.#options.keepGoing !== true)) break
      }
    }
    return { failures: this.#failures, edits: this.#edits }
  }

  /** What is given is there before the operator starts. */
  async #begin(): Promise<boolean> {
    try {
      for (const object of this.#test.given) await this.#give(object)
    } catch (error) {
      this.#fail({ path: ['given'], name: 'given' }, `what is given cannot be made: ${explain(error)}`)
      return false
    }
    await this.#cluster.startOperator()
    await this.#settle({ path: ['given'], name: 'given' }, () => NOTHING_DONE)
    return true
  }

  async #give(object: KubeObject): Promise<void> {
    if (gvkOf(object).kind === 'CustomResourceDefinition') await this.#cluster.install(object)
    else await this.#person.create(object)
  }

  /** False: the observer has seen enough. */
  async #step({ step, acts, checks }: StepPlan): Promise<boolean> {
    const { action, wait } = step
    const { observer } = this.#options
    // What the operator does with what is given belongs to the first step.
    if (action || step !== this.#test.steps[0]) this.#cluster.traffic.writes.length = 0
    if (acts && action && !(await this.#act(step, action))) return true
    const check = (): CheckedStep => (checks ? this.#check(step) : NOTHING_DONE)
    if (wait !== undefined) await this.#cluster.pass(wait)
    const { failures, edits } = wait === undefined ? await this.#settle(step, check) : check()
    this.#failures.push(...failures)
    this.#edits.push(...edits)
    return this.#failures.length > 0 || observer?.stepEnded(step, this.#cluster) !== false
  }

  #check(step: Step): CheckedStep {
    return checkStep(step, { ...this.#options, cluster: this.#cluster, test: this.#test })
  }

  /** Whether the action came out as the step says. */
  async #act(step: Step, action: Action): Promise<boolean> {
    const { refused, path, name } = step
    const place = { path: [...path, 'refused'], name }
    try {
      await this.#person.act(action)
    } catch (error) {
      const message = explain(error)
      if (refused !== undefined && error instanceof ApiError) {
        if (compileRegex(refused, '').exec(message, 0) !== undefined) return true
        this.#fail(place, 'the server refuses the step with another message', [
          `expected  ${refused}`,
          `actual    ${message}`,
        ])
      } else if (this.#options.observer?.passedOver) this.#options.observer.passedOver(step)
      else this.#fail(step, `the step cannot be done: ${message}`)
      return false
    }
    if (refused === undefined) return true
    this.#fail(place, 'the server takes what the step expects it to refuse')
    return false
  }

  async #settle(step: Pick<Step, 'path' | 'name'>, check: () => CheckedStep): Promise<CheckedStep> {
    const { checked, unrest } = await this.#cluster.settle(check)
    if (unrest === undefined) return checked
    const { writes } = this.#cluster.traffic
    const last = writes.slice(-5).map(({ verb, what, object }) => `${verb} ${what} ${object}`)
    this.#fail(step, unrest, ['the last writes:', ...last.map((line) => `  ${line}`)])
    return checked
  }

  #fail(
    { path, name }: { readonly path: JsonPath; readonly name: string },
    title: string,
    details: string[] = [],
  ): void {
    this.#failures.push({ ...placeOf(this.#test, path), step: name, title, details })
  }
}
