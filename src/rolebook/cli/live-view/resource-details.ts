import type { JsonValue } from '../../../core/base/json.ts'
import { printableText } from '../../../core/base/printable-text.ts'
import { conditionsOf } from '../../../core/kube/condition.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceHistory } from '../../../engine/operator/run-history.ts'
import type { RunTrace } from '../../../engine/reconcile/trace/run-trace.ts'
import { printHistory } from '../explain/print-history.ts'
import { paint } from '../paint.ts'

/** What is known about a resource. */
export interface ResourceFacts {
  readonly resource: KubeObject
  /** Of `v1`. */
  readonly events: readonly KubeObject[]
  readonly history: ResourceHistory
}

/** Runs before the last one that are printed. */
const EARLIER_RUNS = 4

/** Conditions, the last run and what it made, the last change, events and earlier runs, for people. */
export function printDetails({ resource, events, history }: ResourceFacts, color: boolean): readonly string[] {
  const [last, ...earlier] = history.runs
  const change = earlier.find(hasChanged)
  const runs = earlier.filter((run) => run !== change).slice(0, EARLIER_RUNS)
  const inOrder = earlier.filter((run) => run === change || runs.includes(run))
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [paint(title, 'bold', color), ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '']
  const print = (shown: readonly RunTrace[], rest: Partial<ResourceHistory> = {}): readonly string[] =>
    shown.length === 0 ? [] : linesIn(printHistory({ skipped: 0, ...rest, runs: shown }, { color, runs: shown.length }))
  const { skipped, skippedAt } = history
  return [
    ...part('CONDITIONS', conditionLines(resource, color)),
    ...part('LAST RUN', last ? print([last], { skipped, skippedAt }) : ['no run is remembered']),
    ...part('LAST CHANGE BEFORE IT', last && hasChanged(last) ? [] : print(change ? [change] : [])),
    ...part('EVENTS', events.toSorted(byTime).map(eventLine)),
    ...part('EARLIER RUNS', print(last && hasChanged(last) ? inOrder : runs)),
  ]
}

/** Whether a run has written an object, or removed one. */
function hasChanged({ tasks, removed = [] }: RunTrace): boolean {
  const writes = new Set(['created', 'adopted', 'changed', 'corrected'])
  return removed.length > 0 || tasks.some(({ objects = [] }) => objects.some(({ did }) => writes.has(did)))
}

function conditionLines(resource: KubeObject, color: boolean): readonly string[] {
  return conditionsOf(resource).flatMap(({ type, status, reason = '', message = '', lastTransitionTime = '' }) => {
    const shown = paint(status, status === 'True' ? 'green' : 'yellow', color)
    const head = `${printableText(type)}=${shown}  ${printableText(reason)}  ${printableText(lastTransitionTime)}`
    return [head.trimEnd(), ...(message === '' ? [] : [`  ${printableText(message)}`])]
  })
}

function eventLine(event: KubeObject): string {
  const { type, reason, message, count } = event
  const times = typeof count === 'number' && count > 1 ? ` (${count} times)` : ''
  return printableText(`${timeOf(event)}  ${textOf(type)}  ${textOf(reason)}  ${textOf(message)}${times}`)
}

function byTime(left: KubeObject, right: KubeObject): number {
  return timeOf(left) < timeOf(right) ? -1 : 1
}

function timeOf({ lastTimestamp, eventTime, metadata }: KubeObject): string {
  return textOf(lastTimestamp) || textOf(eventTime) || textOf(metadata.creationTimestamp)
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function linesIn(text: string): readonly string[] {
  return text.trimEnd().split('\n')
}
