import { printableText } from '../../../core/base/printable-text.ts'
import type { ResourceHistory } from '../../../engine/operator/run-history.ts'
import {
  type RunTrace,
  type TracedObject,
  type TracedTask,
  type Trigger,
  WITHOUT_ROLE,
} from '../../../engine/reconcile/trace/run-trace.ts'
import { describeTrigger } from '../../ui/describe-trigger.ts'
import { printField } from '../diff/print-diff.ts'
import { paint } from '../paint.ts'

export interface PrintHistoryOptions {
  readonly color: boolean
  /** How many runs, the latest. */
  readonly runs: number
}

/** Of the ways in which runs and tasks end. */
export const COLORS = {
  changed: 'yellow',
  waiting: 'cyan',
  failed: 'red',
  complete: 'green',
  paused: 'cyan',
  deleting: 'yellow',
  [WITHOUT_ROLE]: 'red',
  skipped: 'dim',
  gone: 'dim',
} as const

/** The runs of a resource for people, the latest last: it stands where one looks. */
export function printHistory({ runs, skipped, skippedAt }: ResourceHistory, options: PrintHistoryOptions): string {
  const shown = printable(runs.slice(0, options.runs).reverse())
  if (shown.length === 0) return 'no run is remembered\n'
  const earlier = runs.length - shown.length
  const before = earlier > 0 ? [`${earlier} earlier ${earlier === 1 ? 'run' : 'runs'}: --runs ${runs.length}`, ''] : []
  const blocks = shown.flatMap((run) => [...runLines(run, options.color), ''])
  const since = `since then nothing had changed: ${times(skipped)}, the last at ${printTime(skippedAt ?? 0)}`
  const end = skipped > 0 ? [since, ''] : []
  return [...before, ...blocks, ...end].join('\n')
}

function runLines(run: RunTrace, color: boolean): readonly string[] {
  const { at, outcome, milliseconds, list, woken, tasks, more = 0, removed = [], status = [], ready, requests } = run
  const ending = paint(outcome, COLORS[outcome], color)
  const what = list === undefined ? '' : ` (${list})`
  const width = Math.max(0, ...tasks.map((task) => titleOf(task).length))
  const counts = Object.entries(requests).map(([verb, count]) => `${count} ${verb}`)
  return [
    `${paint(at, 'bold', color)} ${ending}${what} in ${milliseconds} ms, because ${woken.map(printTrigger).join('; ')}`,
    ...tasks.flatMap((task) => taskLines(task, width, color)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...removed.map((object) => `  - ${object}`),
    ...(ready === undefined ? [] : [`  ${ready}`]),
    ...(status.length > 0 ? [`  status written: ${status.join(', ')}`] : []),
    `  requests: ${counts.length === 0 ? 'none' : counts.join(', ')}`,
  ]
}

/** A value whose texts hold nothing that a terminal would obey. */
function printable<Value>(value: Value): Value {
  if (typeof value === 'string') return printableText(value) as Value
  if (Array.isArray(value)) return value.map(printable) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, printable(inner)])) as Value
}

function titleOf({ name, depth = 0, item }: TracedTask): string {
  return `${'  '.repeat(depth + 1)}${item === undefined ? name : `[${item}]`}`
}

function taskLines(task: TracedTask, width: number, color: boolean): readonly string[] {
  const { outcome, milliseconds, why = [], objects = [], depth = 0 } = task
  const ending = outcome === 'unchanged' || outcome === 'skipped' ? outcome : paint(outcome, COLORS[outcome], color)
  const took = milliseconds === undefined || outcome === 'unchanged' ? '' : ` in ${milliseconds} ms`
  const indent = '  '.repeat(depth + 3)
  return [
    `${titleOf(task).padEnd(width)}  ${ending}${took}`,
    ...why.map((reason) => `${indent}${reason}`),
    ...objects.flatMap(objectLines).map((line) => indent + line),
  ]
}

const ACTIONS: Readonly<Record<TracedObject['did'], string>> = {
  read: 'read',
  listed: 'listed',
  missing: 'found no',
  unchanged: 'as it should be:',
  created: 'created',
  adopted: 'adopted',
  changed: 'changed',
  corrected: 'corrected',
}

function objectLines(traced: TracedObject): readonly string[] {
  const { object, did, count, fields = [], more = 0, lost = [], by, taken = [], shared = [], kept = [] } = traced
  const who = by === undefined ? 'another client' : `"${by}"`
  const what = did === 'listed' ? `${count} ${object}` : object
  const from = taken.length > 0 ? `, with the fields of ${taken.map((name) => `"${name}"`).join(', ')}` : ''
  const changed = lost.length > 0 ? `: ${lost.join(', ')} had been changed by ${who}` : ''
  return [
    `${ACTIONS[did]} ${what}${from}${changed}`,
    ...fields.map((field) => `  ${printField(field)}`),
    ...(more > 0 ? [`  and ${more} more fields`] : []),
    ...shared.map((holder) => `  held by "${holder.by}" as well: ${holder.fields.join(', ')}`),
    ...kept.map((holder) => `  dropped by the role, but held by "${holder.by}": ${holder.fields.join(', ')}`),
  ]
}

function printTrigger(trigger: Trigger): string {
  const { resourceVersion } = trigger
  return `${describeTrigger(trigger)}${resourceVersion === undefined ? '' : ` (resourceVersion ${resourceVersion})`}`
}

function times(count: number): string {
  return count === 1 ? 'one run was skipped' : `${count} runs were skipped`
}

function printTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
