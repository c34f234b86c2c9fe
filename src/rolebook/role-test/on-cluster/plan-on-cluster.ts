import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { formatGroupKind, type GroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatObject } from '../../../core/kube/object.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { Action, Step, TestCase } from '../test-case.ts'
import type { StepPlan, TestPlan } from '../test-plan.ts'
import { OWN_NAMESPACE } from './namespace-alias.ts'

export interface PlanLimits {
  /** Milliseconds that a step may take: so much time of the test passes in real time. */
  readonly timeout: number
}

/** What of a test can be done on a cluster that is not a sandbox: it has no faults, a clock of its own, and its own controllers. */
export function planOnCluster(test: TestCase, project: Project, limits: PlanLimits): TestPlan {
  const steps = planSteps(test.steps, limits)
  const [skipped] = [...obstacles(test, project), ...obstaclesToAll(steps)]
  return { skipped, steps }
}

/** Why nothing of a test can be done. */
function* obstacles(test: TestCase, project: Project): Iterable<string> {
  if (!test.workloads) yield 'a cluster has its controllers of workloads, which `workloads: false` switches off'
  for (const { watch } of project.watches) {
    if (test.kinds.of(watch.gvk)?.namespaced !== false) continue
    yield `${watch.gvk.kind} is cluster-scoped: the operator of the test would look after those of others, too`
  }
  const made = new Set(test.given.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name))
  for (const object of test.given) {
    const { namespace = OWN_NAMESPACE } = object.metadata
    if (namespace !== OWN_NAMESPACE && !made.has(namespace))
      yield `${formatObject(object)} is given in a namespace that may be in use: give the Namespace ${namespace}, too`
    const status = statusOfOthers(gvkOf(object), object.status)
    if (status !== undefined) yield status
  }
}

/** Why no step is compared, if that is so for want of a sandbox. */
function obstaclesToAll(steps: readonly StepPlan[]): readonly string[] {
  if (steps.some(({ step, checks }) => checks && hasChecks(step))) return []
  return steps.flatMap(({ skipped }) => skipped ?? [])
}

/** What an earlier step leaves to the later ones. */
interface Course {
  /** Whether faults are in force. */
  faults: boolean
  /** Whether the last action was left out. */
  leftOut: boolean
}

function planSteps(steps: readonly Step[], limits: PlanLimits): readonly StepPlan[] {
  const course: Course = { faults: false, leftOut: false }
  return steps.map((step) => planStep(step, course, limits))
}

function planStep(step: Step, course: Course, limits: PlanLimits): StepPlan {
  const { action } = step
  const obstacle = action && obstacleTo(action, limits)
  if (action) course.leftOut = obstacle !== undefined
  if (action?.verb === 'fail') course.faults = action.faults.length > 0
  if (obstacle !== undefined) return { step, acts: false, checks: false, skipped: obstacle }
  const skipped = hasChecks(step) ? obstacleToChecks(step, course) : undefined
  return { step, acts: true, checks: skipped === undefined, skipped }
}

/** Why an action cannot be done. */
function obstacleTo(action: Action, { timeout }: PlanLimits): string | undefined {
  switch (action.verb) {
    case 'fail':
      return 'only the sandbox makes requests fail'
    case 'advance': {
      const { milliseconds } = action
      if (milliseconds <= timeout) return undefined
      return `the clock of a cluster is not moved, and ${inWords(milliseconds)} is more than --timeout ${inWords(timeout)}`
    }
    case 'patch':
      return statusOfOthers(action.target.gvk, action.body.status)
    case 'create':
      return action.objects.map((object) => statusOfOthers(gvkOf(object), object.status)).find(Boolean)
    case 'delete':
    case 'restart':
      return undefined
  }
}

function obstacleToChecks({ wait }: Step, { faults, leftOut }: Course): string | undefined {
  if (leftOut) return 'it looks at what a step has led to that is skipped'
  if (faults) return 'it looks at what faults have led to, which only the sandbox makes'
  if (wait !== undefined)
    return 'how far the operator has come after a `wait` is known on the clock of the sandbox only'
  return undefined
}

function hasChecks({ expect, absent, writes, keepsSecrets }: Step): boolean {
  return expect.length > 0 || absent.length > 0 || writes !== undefined || keepsSecrets === true
}

/** Kinds whose status controllers of every cluster write, which would at once undo what a test writes there. */
const WITH_CONTROLLERS: ReadonlySet<string> = new Set([
  ...['Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps', 'Job.batch', 'CronJob.batch'],
  ...['Pod', 'ReplicationController', 'PersistentVolumeClaim', 'PersistentVolume', 'Node', 'Namespace'],
  ...['HorizontalPodAutoscaler.autoscaling', 'PodDisruptionBudget.policy', 'ResourceQuota'],
])

/** Why a test cannot write a status. `undefined`: it can, or there is none. */
function statusOfOthers(type: GroupKind, status: JsonValue | undefined): string | undefined {
  if (!isJsonObject(status) || !WITH_CONTROLLERS.has(formatGroupKind(type))) return undefined
  return `the status of a ${type.kind} is written by a controller of the cluster`
}

function inWords(milliseconds: number): string {
  const units = [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const
  const [unit, size] = units.find(([, one]) => milliseconds >= one && milliseconds % one === 0) ?? ['ms', 1]
  return `${milliseconds / size}${unit}`
}
