import type { RunTrace, TracedObject, TracedTask, Trigger } from '../../engine/reconcile/trace/run-trace.ts'
import type { RunTaskView, RunView } from './protocol.ts'

/** A run in words. */
export function runView({ at, outcome, ready = '', woken, tasks }: RunTrace): RunView {
  return { at, outcome, ready, woken: woken.map(printTrigger), tasks: tasks.map(taskView) }
}

function printTrigger({ kind, object, fields = [] }: Trigger): string {
  return [kind, object, fields.join(', ')].filter((word) => word !== undefined && word !== '').join(' ')
}

function taskView({ name, item, outcome, why = [], objects = [] }: TracedTask): RunTaskView {
  const shown = item === undefined ? name : `${name} [${item}]`
  return { name: shown, outcome, why, objects: objects.map(printObject) }
}

function printObject({ did, object, fields = [] }: TracedObject): string {
  const names = fields.map(({ field }) => field).join(', ')
  return names === '' ? `${did} ${object}` : `${did} ${object}: ${names}`
}
