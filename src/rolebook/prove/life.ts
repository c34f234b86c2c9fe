import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { conditionsOf, findCondition } from '../../core/kube/condition.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import { idOf } from '../../core/kube/object-id.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import type { Project, WatchedRole } from '../../engine/operator/project.ts'
import { seededRandom } from '../../sandbox/apiserver/faults/rule-counter.ts'
import type { KindNames } from '../role-test/kind-names.ts'
import { parseTest } from '../role-test/parse-test.ts'
import { targetKey } from '../role-test/person.ts'
import { runTest, type StepObserver } from '../role-test/run-test.ts'
import type { Step, TestCase } from '../role-test/test-case.ts'
import type { TestCluster } from '../role-test/test-cluster.ts'
import { isChild } from './owned-content.ts'
import { type ProofCase, stepsOf, type WrittenStep } from './proof-case.ts'

export interface Stage {
  readonly project: Project
  readonly entry: WatchedRole
  readonly kinds: KindNames
  readonly schemas: BuiltinSchemas
  readonly charts?: ChartRenderer | undefined
}

/** What a step has come to. */
export interface Moment {
  readonly index: number
  /** Of the step, as it is written. */
  readonly name: string | undefined
  readonly cluster: TestCluster
  /** Absent: it is gone. */
  readonly resource: KubeObject | undefined
  readonly children: readonly KubeObject[]
}

/** What is wrong in a life. */
export interface Violation {
  readonly property: string
  /** What is not as it must be, for people. */
  readonly what: string
  /** Of the step after which it shows. */
  readonly index: number
  /** What a role test would say of that step. */
  readonly check: JsonObject
}

export interface Life {
  readonly steps: readonly WrittenStep[]
  /** Indices of steps that could not be done. */
  readonly passedOver: ReadonlySet<number>
  readonly violation: Violation | undefined
}

/** Judges each moment at which a life is quiet. */
export type Judge = (moment: Moment) => Omit<Violation, 'index'> | undefined

/** Lives a case as a role test, up to the first moment that a judge objects to. */
export async function live(one: ProofCase, stage: Stage, judge: Judge): Promise<Life> {
  const steps = stepsOf(one)
  const passedOver = new Set<number>()
  let violation: Violation | undefined
  const observer: StepObserver = {
    passedOver: ({ path }) => void passedOver.add(indexOf(path)),
    stepEnded: (step, cluster) => {
      const index = indexOf(step.path)
      if (step.wait !== undefined) return true
      const found = judge(momentOf(cluster, one, { stage, index, name: textOf(steps[index]?.name) }))
      violation = found && { ...found, index }
      return found === undefined
    },
  }
  const test = testOf({ given: one.given as readonly unknown[] as JsonValue[], steps }, stage)
  const { project, schemas, charts } = stage
  const { failures } = await steadily(() => runTest(test, { project, schemas, charts, observer }))
  const [failure] = failures
  if (failure && !violation) {
    const index = Math.max(
      0,
      steps.findIndex((step, at) => (step.name ?? `step ${at + 1}`) === failure.step),
    )
    violation = { property: 'it converges', what: failure.title, index, check: {} }
  }
  return { steps, passedOver, violation }
}

/** The engine spreads its retries by chance: here by the same one in each life. */
async function steadily<T>(work: () => Promise<T>): Promise<T> {
  const { random } = Math
  Math.random = seededRandom(1)
  try {
    return await work()
  } finally {
    Math.random = random
  }
}

/** @throws Error for a text that is not a role test: cases are made of what is one */
export function testOf(body: JsonObject, { kinds, entry }: Pick<Stage, 'kinds' | 'entry'>): TestCase {
  const source = new SourceFile('case.yaml', JSON.stringify(body))
  const { watch, role } = entry
  const watched = [watch.gvk, ...role.permissions.map(({ gvk }) => gvk)]
  const readFile = (): never => {
    throw new Error('a case names no files')
  }
  const { test, diagnostics } = parseTest(source, { role: watch.role, kinds, watched, readFile })
  if (!test) throw new Error(diagnostics.map(({ message }) => message).join('; '))
  return test
}

function indexOf(path: Step['path']): number {
  return Number(path[1])
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function momentOf(
  cluster: TestCluster,
  { resource }: ProofCase,
  { stage, index, name }: { readonly stage: Stage; readonly index: number; readonly name: string | undefined },
): Moment {
  const gvk = gvkOf(resource)
  const { namespace } = resource.metadata
  const key = targetKey({ gvk, name: keyOf(resource).name, namespace }, stage.kinds)
  const all = cluster.server.objects
  const kinds = new Map(stage.entry.role.permissions.map((one) => [JSON.stringify(one.gvk), one.gvk]))
  const children = [...kinds.values()].flatMap((kind) => (stage.kinds.of(kind) ? all.list(kind) : [])).filter(isChild)
  const unique = [...new Map(children.map((child) => [idOf(child), child])).values()]
  return { index, name, cluster, resource: all.get(gvk, key), children: unique }
}

/** `True`, or the reason and the message of a resource that is not ready. `undefined`: it says nothing. */
export function unreadiness(resource: KubeObject | undefined): { reason: string; message: string } | undefined {
  const ready = resource && findCondition(conditionsOf(resource), 'Ready')
  if (!ready || ready.status === 'True') return undefined
  return { reason: ready.reason ?? '', message: ready.message ?? '' }
}
