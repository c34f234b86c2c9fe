import type { JsonObject, JsonPath, JsonValue } from '../../core/base/json.ts'
import { printPath } from '../../core/base/json.ts'
import { conditionsOf, findCondition } from '../../core/kube/condition.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { Project } from '../../engine/operator/project.ts'
import { findLeaks } from './find-leaks.ts'
import { type Difference, matchObject } from './match-object.ts'
import { targetKey } from './person.ts'
import type { Expectation, Search, Step, TestCase } from './test-case.ts'
import type { TestCluster } from './test-cluster.ts'
import type { Edit, Failure } from './test-result.ts'
import { holdsSecret, redactorFor } from './test-secrets.ts'

export interface CheckOptions {
  readonly test: TestCase
  readonly project: Project
  readonly cluster: TestCluster
}

export interface CheckedStep {
  readonly failures: readonly Failure[]
  readonly edits: readonly Edit[]
}

/** Whether the cluster is as a step says, and what is not. */
export function checkStep(step: Step, options: CheckOptions): CheckedStep {
  const check = new StepCheck(step, options)
  for (const expectation of step.expect) check.object(expectation)
  for (const target of step.absent) check.absent(target)
  check.writes()
  check.leaks()
  return check.found
}

class StepCheck {
  readonly #failures: Failure[] = []
  readonly #edits: Edit[] = []
  readonly #step: Step
  readonly #options: CheckOptions

  constructor(step: Step, options: CheckOptions) {
    this.#step = step
    this.#options = options
  }

  /** Why a resource is not ready stands above the first failure; what else helps to understand them, beneath the last. */
  get found(): CheckedStep {
    const [first] = this.#failures
    if (!first) return { failures: [], edits: this.#edits }
    this.#failures[0] = { ...first, details: [...this.#reasons(), ...first.details] }
    const last = this.#failures.at(-1) as Failure
    const explained = { ...last, details: [...last.details, ...this.#conditions(), ...this.#writesSeen()] }
    const redactor = redactorFor(this.#options.cluster, this.#step)
    const failures = [...this.#failures.slice(0, -1), explained].map(({ details, ...failure }) => ({
      ...failure,
      details: details.map((line) => redactor.redact(line)),
    }))
    return { failures, edits: this.#edits }
  }

  object(expectation: Expectation): void {
    const { gvk, path, fields } = expectation
    const schema = this.#options.test.kinds.of(gvk)?.schema
    const name = this.#nameOf(expectation)
    const found = this.#find(expectation).map((live) => matchObject(fields, live, schema))
    const [differences] = found.sort((left, right) => left.length - right.length)
    if (!differences) {
      this.#fail(path, `there is no ${name}`, [this.#othersOf(gvk)])
      return
    }
    const [first] = differences
    if (!first) return
    const { cluster, test } = this.#options
    const isKept = ({ actual }: Difference): boolean => actual !== undefined && holdsSecret(actual, cluster, test)
    const lines = differences.flatMap((one) => [...printDifference(one), ...(isKept(one) ? [KEPT] : [])])
    this.#fail([...path, ...first.path], `${name} is not as expected`, lines)
    for (const difference of differences) {
      const { path: inner, actual } = difference
      // A file of tests is read by many, and kept for ever.
      if (actual !== undefined && !isKept(difference)) this.#edits.push({ path: [...path, ...inner], value: actual })
    }
  }

  absent(target: Search): void {
    const [live] = this.#find(target)
    if (!live) return
    const isTerminating = live.metadata.deletionTimestamp !== undefined
    const details = isTerminating
      ? [`it is being deleted; finalizers: ${live.metadata.finalizers?.join(', ') ?? 'none'}`]
      : []
    this.#fail(target.path, `${this.#nameOf(target)} is there, and should not be`, details)
  }

  #find({ gvk, name, labels, reason, namespace }: Search): readonly KubeObject[] {
    const { cluster, test } = this.#options
    const { namespace: place } = targetKey({ gvk, name: '', namespace }, test.kinds)
    const wanted = { ...(name !== undefined && { name }), ...(labels && { labels }) }
    const all = cluster.server.objects.list(gvk, { namespace: place })
    return all.filter(
      (object) =>
        matchObject(wanted, object.metadata as JsonObject, undefined).length === 0 &&
        (reason === undefined || object.reason === reason),
    )
  }

  #nameOf({ gvk, name, labels, reason, namespace }: Search): string {
    const { kinds } = this.#options.test
    if (typeof name === 'string') return `${gvk.kind} ${formatKey(targetKey({ gvk, name, namespace }, kinds))}`
    const by = [
      ...(name === undefined ? [] : [`the name ${JSON.stringify(name)}`]),
      ...(labels ? [`the labels ${JSON.stringify(labels)}`] : []),
      ...(reason === undefined ? [] : [`the reason ${reason}`]),
    ]
    const { namespace: place } = targetKey({ gvk, name: '', namespace }, kinds)
    return `${gvk.kind} with ${by.join(' and ')}${place === '' ? '' : ` in ${place}`}`
  }

  writes(): void {
    const { writes: expected, path } = this.#step
    if (!expected) return
    const counts: Record<string, number> = {}
    for (const { what, refused } of this.#options.cluster.traffic.writes) {
      if (refused === undefined) counts[what] = (counts[what] ?? 0) + 1
    }
    const names = [...new Set([...Object.keys(expected), ...Object.keys(counts)])].sort()
    const { isSteady } = this.#options.cluster
    const wrong = names.filter((name) => !isMet(name, { expected: expected[name], actual: counts[name], isSteady }))
    if (wrong.length === 0) return
    const lines = wrong.flatMap((name) => [
      name,
      `  expected  ${expected[name] ?? 0}`,
      `  actual    ${counts[name] ?? 0}`,
    ])
    this.#fail([...path, 'writes'], 'the engine has not written what was expected', lines)
    this.#edits.push(...writeEdits([...path, 'writes'], expected, counts))
  }

  leaks(): void {
    const { keepsSecrets, path } = this.#step
    if (!keepsSecrets) return
    const { cluster, test } = this.#options
    const found = findLeaks({ cluster, known: objectsOf(test) })
    if (found.length > 0) this.#fail([...path, 'leaks'], 'a value of a Secret can be read', found.slice(0, MAX_LINES))
  }

  #othersOf(gvk: Gvk): string {
    const objects = this.#options.cluster.server.objects.list(gvk)
    const names = objects.map((object) => [formatKey(keyOf(object)), object.reason ?? []].flat().join(' '))
    const shown = names.slice(0, 10).join(', ')
    return names.length === 0 ? `there is no ${gvk.kind} at all` : `of the kind there are: ${shown}`
  }

  #fail(path: JsonPath, title: string, details: readonly string[]): void {
    const { source, start } = this.#options.test.document.locate(path)
    const place = { file: source.path, ...source.position(start) }
    this.#failures.push({ ...place, step: this.#step.name, title, details })
  }

  /** Of resources that are not ready, why: most of what is missing follows from that. */
  #reasons(): readonly string[] {
    return this.#resources().flatMap((resource) => {
      const ready = findCondition(conditionsOf(resource), 'Ready')
      if (ready === undefined || ready.status === 'True') return []
      return [`${formatObject(resource)} is not ready: ${ready.reason ?? ''}: ${ready.message ?? ''}`]
    })
  }

  #conditions(): readonly string[] {
    return this.#resources().flatMap((resource) => [
      `conditions of ${formatObject(resource)}:`,
      ...printConditions(resource),
    ])
  }

  /** All that roles of the project look after. */
  #resources(): readonly KubeObject[] {
    const { project, cluster } = this.#options
    return project.watches.flatMap(({ watch }) => cluster.server.objects.list(watch.gvk))
  }

  #writesSeen(): readonly string[] {
    const { writes } = this.#options.cluster.traffic
    if (writes.length === 0) return ['the engine has written nothing in this step']
    const lines = writes.map(({ verb, what, object, refused }) =>
      refused === undefined ? `  ${verb} ${what} ${object}` : `  ${verb} ${what} ${object}, refused: ${refused}`,
    )
    const more = lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more`] : []
    return ['writes of the engine in this step:', ...lines.slice(0, MAX_LINES), ...more]
  }
}

/** What a test itself gives, but for Secrets. */
function objectsOf({ given, steps }: TestCase): readonly JsonValue[] {
  const created = steps.flatMap(({ action }) => (action?.verb === 'create' ? action.objects : []))
  const patched = steps.flatMap(({ action }) =>
    action?.verb === 'patch' && action.target.gvk.kind !== 'Secret' ? [action.body] : [],
  )
  const objects = [...given, ...created].filter(({ kind }) => kind !== 'Secret')
  return [...(objects as readonly unknown[] as readonly JsonObject[]), ...patched]
}

const KEPT = '  (it holds a value of a Secret, which `--update` never writes: expect what it `matches`)'

const MAX_LINES = 20

interface Count {
  readonly expected: number | undefined
  readonly actual: number | undefined
  readonly isSteady: boolean
}

/** How many states a workload passes through, and with it how often a status is written, may be a matter of the cluster. */
function isMet(name: string, { expected = 0, actual = 0, isSteady }: Count): boolean {
  if (isSteady || !name.endsWith('/status')) return expected === actual
  return expected > 0 === actual > 0
}

type Counts = Readonly<Record<string, number>>

/** Number by number, so that comments stay, unless there is something new to be said. */
function writeEdits(path: JsonPath, expected: Counts, actual: Counts): readonly Edit[] {
  if (Object.keys(actual).some((name) => !Object.hasOwn(expected, name))) return [{ path, value: actual }]
  const wrong = Object.keys(expected).filter((name) => expected[name] !== (actual[name] ?? 0))
  return wrong.map((name) => ({ path: [...path, name], value: actual[name] ?? 0 }))
}

function printConditions(resource: KubeObject): readonly string[] {
  const conditions = conditionsOf(resource)
  if (conditions.length === 0) return ['  none']
  return conditions.map(({ type, status, reason = '', message = '' }) =>
    `  ${type}=${status} ${reason} ${message}`.trimEnd(),
  )
}

function printDifference({ actualPath, expected, actual, reason }: Difference): readonly string[] {
  const title = printPath(actualPath) || 'the object'
  return [
    reason === undefined ? title : `${title}: ${reason}`,
    ...printValue('expected', expected),
    ...printValue('actual', actual),
  ]
}

/** Short values on the line, long ones below it. */
function printValue(label: string, value: JsonValue | undefined): readonly string[] {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  if (text.length <= 100) return [`  ${label.padEnd(8)}  ${text}`]
  return [
    `  ${label}`,
    ...JSON.stringify(value, null, 2)
      .split('\n')
      .map((line) => `    ${line}`),
  ]
}
