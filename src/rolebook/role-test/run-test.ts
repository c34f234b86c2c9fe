import { systemClock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { JsonPath } from '../../core/base/json.ts'
import { compileRegex } from '../../core/base/regex.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { type CheckedStep, checkStep } from './check-step.ts'
import { Person } from './person.ts'
import { projectOfTest } from './project-of-test.ts'
import { SandboxTestCluster } from './sandbox-test-cluster.ts'
import type { Action, Step, TestCase } from './test-case.ts'
import type { ClusterOptions, TestCluster } from './test-cluster.ts'
import type { Edit, Failure, TestResult } from './test-result.ts'

export interface RunOptions extends Pick<ClusterOptions, 'project' | 'schemas' | 'charts'> {
  /** Whether a test goes on after a step that fails. Defaults to false. */
  readonly keepGoing?: boolean | undefined
  readonly observer?: StepObserver | undefined
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
  const cluster = await SandboxTestCluster.start({ ...options, project, workloads: test.workloads })
  try {
    const { failures, edits } = await new TestRun(test, cluster, { ...options, project }).run()
    return { test, failures, edits, milliseconds: systemClock.monotonic() - begun }
  } finally {
    await cluster.stop()
  }
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

  async run(): Promise<Pick<TestResult, 'failures' | 'edits'>> {
    const { project } = this.#options
    for (const crd of project.crds) await this.#cluster.install(crd)
    if (await this.#begin()) {
      for (const step of this.#test.steps) {
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
    await this.#settle({ path: ['given'], name: 'given' }, () => NOTHING_FOUND)
    return true
  }

  async #give(object: KubeObject): Promise<void> {
    if (gvkOf(object).kind === 'CustomResourceDefinition') await this.#cluster.install(object)
    else await this.#person.create(object)
  }

  /** False: the observer has seen enough. */
  async #step(step: Step): Promise<boolean> {
    const { action, wait } = step
    const { observer } = this.#options
    // What the operator does with what is given belongs to the first step.
    if (action || step !== this.#test.steps[0]) this.#cluster.traffic.writes.length = 0
    if (action && !(await this.#act(step, action))) return true
    const check = (): CheckedStep => checkStep(step, { ...this.#options, cluster: this.#cluster, test: this.#test })
    if (wait !== undefined) await this.#cluster.pass(wait)
    const { failures, edits } = wait === undefined ? await this.#settle(step, check) : check()
    this.#failures.push(...failures)
    this.#edits.push(...edits)
    return this.#failures.length > 0 || observer?.stepEnded(step, this.#cluster) !== false
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
    const { source, start } = this.#test.document.locate(path)
    this.#failures.push({ file: source.path, ...source.position(start), step: name, title, details })
  }
}

const NOTHING_FOUND: CheckedStep = { failures: [], edits: [] }
