import { isJsonArray, isJsonObject, type JsonValue } from '../../core/base/json.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { RenderedHook } from '../../core/kube/helm-chart.ts'
import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import type { ChartPort, ObjectTarget, RunContext } from '../role/run/run-context.ts'
import { TaskFailure, type WaitingOutcome } from '../role/task-outcome.ts'
import type { HookPhase, ReleaseRecord } from './chart-release.ts'

/** For which revision and phase a hook was made. */
const RUN_ANNOTATION = 'charts.rolebook.dev/hook-run'

export interface HookRun {
  readonly hooks: readonly RenderedHook[]
  readonly record: ReleaseRecord
  readonly phase: HookPhase
  /** A hook as it is to be made: its kind allowed, its namespace filled in. */
  readonly prepare: (object: KubeObject) => Promise<KubeObject>
}

/** The hooks of a phase in Helm's order: by weight, then by name. Those of the same name keep the order of their kinds. */
export function hooksOf(hooks: readonly RenderedHook[], phase: HookPhase, revision: number): readonly RenderedHook[] {
  const event = phase.includes('-') ? phase : `${phase}-${revision === 1 ? 'install' : 'upgrade'}`
  return hooks
    .filter(({ events }) => events.includes(event))
    .toSorted((a, b) => a.weight - b.weight || compare(nameOf(a), nameOf(b)))
}

/** Makes the hooks of a phase one after the other, each when the one before it is through. `undefined`: all are. */
export async function runHooks(run: HookRun, context: RunContext): Promise<WaitingOutcome | undefined> {
  for (const hook of hooksOf(run.hooks, run.phase, run.record.revision)) {
    const held = await runHook(hook, run, context)
    if (held) return held
  }
  return undefined
}

/**
 * What hooks leave behind when all are through stays, unless their policy is to delete it then. What an install made stays
 * through all upgrades, as with Helm: charts make passwords by such hooks, so that no upgrade changes them.
 */
export async function keepHooks(run: HookRun, context: RunContext): Promise<void> {
  const charts = context.charts as ChartPort
  for (const hook of [...hooksOf(run.hooks, run.phase, run.record.revision), ...hooksOfInstall(run)]) {
    const target = targetOf(await run.prepare(hook.object as KubeObject))
    if (!hook.deletePolicies.includes('hook-succeeded')) await charts.keep(target, context)
    else {
      const left = await charts.child(target)
      // Another phase may be running a hook of the same name by now.
      if (left && runOf(left) === idOf(run)) await charts.remove(left)
    }
  }
}

/** Those that an upgrade does not run again. */
function hooksOfInstall({ hooks, phase, record }: HookRun): readonly RenderedHook[] {
  const present = hooksOf(hooks, phase, record.revision)
  return hooksOf(hooks, phase, 1).filter((hook) => !present.includes(hook))
}

async function runHook(hook: RenderedHook, run: HookRun, context: RunContext): Promise<WaitingOutcome | undefined> {
  const charts = context.charts as ChartPort
  const object = marked(await run.prepare(hook.object as KubeObject), idOf(run))
  const former = await charts.child(targetOf(object))
  if (former && runOf(former) !== idOf(run)) {
    await charts.remove(former)
    return { kind: 'waiting', reason: `${formatObject(former)} is being deleted, to be run anew` }
  }
  const options = { task: context.task, retain: false, adopt: 'never', drift: 'once' } as const
  const result = await context.objects.ensure(object, options)
  const live = result?.object ?? object
  const end = endOf(live)
  if (end === 'running') return { kind: 'waiting', reason: `hook ${formatObject(live)} has not finished` }
  if (end === 'succeeded') return undefined
  if (hook.deletePolicies.includes('hook-failed')) await charts.remove(live)
  throw new TaskFailure('Failed', `hook ${formatObject(live)} of the chart has failed`)
}

/** What stands on the hooks of a run of a phase. */
function idOf({ record, phase }: HookRun): string {
  return `${record.revision}-${phase}`
}

function runOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[RUN_ANNOTATION]
}

function marked(object: KubeObject, run: string): KubeObject {
  const { metadata } = object
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [RUN_ANNOTATION]: run } } }
}

/** Jobs and Pods run to an end; anything else is there as soon as it is made. */
function endOf({ apiVersion, kind, status }: KubeObject): 'running' | 'succeeded' | 'failed' {
  const { conditions, phase } = isJsonObject(status) ? status : {}
  if (kind === 'Pod' && apiVersion === 'v1') {
    return phase === 'Succeeded' ? 'succeeded' : phase === 'Failed' ? 'failed' : 'running'
  }
  if (kind !== 'Job' || !apiVersion.startsWith('batch/')) return 'succeeded'
  if (hasCondition(conditions, 'Complete')) return 'succeeded'
  return hasCondition(conditions, 'Failed') ? 'failed' : 'running'
}

function hasCondition(conditions: JsonValue | undefined, wanted: string): boolean {
  if (!isJsonArray(conditions)) return false
  return conditions.some((one) => isJsonObject(one) && one.type === wanted && one.status === 'True')
}

function targetOf(object: KubeObject): ObjectTarget {
  return { gvk: gvkOf(object), name: String(object.metadata.name), namespace: object.metadata.namespace }
}

function nameOf({ object }: RenderedHook): string {
  return String((object as KubeObject).metadata.name)
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}
