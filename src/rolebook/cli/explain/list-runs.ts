import { printableText } from '../../../core/base/printable-text.ts'
import type { ResourceHistory } from '../../../engine/operator/run-history.ts'
import type { RunEnding, RunTrace, TracedObject, TracedTask } from '../../../engine/reconcile/trace/run-trace.ts'
import { describeTrigger } from '../../ui/describe-trigger.ts'
import { paint } from '../paint.ts'
import { COLORS } from './print-history.ts'

/** One run in a few lines: what triggered it, and what it changed. */
export interface ListedRun {
  /** RFC 3339, when the run began. */
  readonly at: string
  readonly outcome: RunEnding
  readonly milliseconds: number
  readonly because: readonly string[]
  /** `changed ConfigMap default/a: data.text`. */
  readonly changes: readonly string[]
  /** Other managers whose changes the run took back. */
  readonly by: readonly string[]
}

/** The latest first, as they are remembered. */
export function listedRuns({ runs }: Pick<ResourceHistory, 'runs'>): readonly ListedRun[] {
  return runs.map((run) => {
    const objects = run.tasks.flatMap((task) => task.objects ?? [])
    return {
      at: run.at,
      outcome: run.outcome,
      milliseconds: run.milliseconds,
      because: run.woken.map(describeTrigger),
      changes: changesOf(run),
      by: [...new Set(objects.flatMap(({ lost = [], by }) => (lost.length > 0 && by !== undefined ? [by] : [])))],
    }
  })
}

function changesOf({ tasks, removed = [], status = [], outcome, ready }: RunTrace): readonly string[] {
  return [
    ...tasks.flatMap(({ objects = [] }: TracedTask) => objects.flatMap(changeOf)),
    ...removed.map((object) => `removed ${object}`),
    ...(status.length > 0 ? [`wrote the status: ${status.join(', ')}`] : []),
    ...(outcome === 'failed' && ready !== undefined ? [ready] : []),
  ]
}

const CHANGES: ReadonlySet<TracedObject['did']> = new Set(['created', 'adopted', 'changed', 'corrected'])

function changeOf({ object, did, fields = [], more = 0, by, lost = [] }: TracedObject): readonly string[] {
  if (!CHANGES.has(did)) return []
  const names = [...fields.map(({ field }) => field), ...(more > 0 ? [`and ${more} more`] : [])]
  const what = did === 'created' || names.length === 0 ? '' : `: ${names.join(', ')}`
  const who = lost.length === 0 ? '' : `, which ${by === undefined ? 'another client' : `"${by}"`} had changed`
  return [`${did} ${object}${what}${who}`]
}

/** The list for people, the latest last: it stands where one looks. */
export function printRuns(
  history: ResourceHistory,
  { color, runs }: { readonly color: boolean; readonly runs: number },
): string {
  const shown = listedRuns(history).slice(0, runs).reverse()
  if (shown.length === 0) return 'no run is remembered\n'
  const width = Math.max(...shown.map(({ outcome }) => outcome.length))
  const earlier = history.runs.length - shown.length
  const before =
    earlier > 0 ? [`${earlier} earlier ${earlier === 1 ? 'run' : 'runs'}: --runs ${history.runs.length}`] : []
  return [...before, ...shown.flatMap((run) => linesOf(run, { width, color })), ''].join('\n')
}

function linesOf(
  { at, outcome, because, changes }: ListedRun,
  { width, color }: { readonly width: number; readonly color: boolean },
): readonly string[] {
  const ending = paint(outcome.padEnd(width), COLORS[outcome], color)
  const indent = ' '.repeat(at.length + 2 + width + 2)
  const rest = changes.length === 0 ? ['changed nothing'] : changes.map(printableText)
  return [
    `${printableText(at)}  ${ending}  ${printableText(because.join('; '))}`,
    ...rest.map((change) => `${indent}${change}`),
  ]
}
