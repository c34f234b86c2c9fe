import { isJsonArray, type JsonValue } from '../../core/base/json.ts'
import { MissingValueError } from '../expression/expression-error.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import { MAX_LOOP_ITEMS } from './modifier-schemas.ts'
import { redactOutcome } from './redact-outcome.ts'
import type { Task } from './role.ts'
import type { RunContext } from './run-context.ts'
import type { Scope } from './scope.ts'
import {
  type DoneOutcome,
  type FailedOutcome,
  type ListOutcome,
  type Stop,
  TaskFailure,
  type TaskOutcome,
  type WaitingOutcome,
} from './task-outcome.ts'
import type { TracedTaskSource } from './task-tracer.ts'
import { withinTimeout } from './timeout.ts'
import { toFailedOutcome } from './to-failed-outcome.ts'
import { variableValue } from './variable-value.ts'

/** Runs tasks from top to bottom, until one waits or fails. */
export async function runTasks(list: readonly Task[], context: TaskRunContext): Promise<ListOutcome> {
  const tasks: ListOutcome['tasks'][number][] = []
  let rescued: Stop | undefined
  for (const task of list) {
    const outcome = await runTask(task, context)
    tasks.push({ task: task.name, kind: outcome.kind })
    if (stops(outcome)) return { stoppedBy: { task: outcome.task ?? task.name, outcome }, rescued, tasks }
    if ('rescued' in outcome) rescued ??= outcome.rescued
  }
  return { rescued, tasks }
}

/**
 * What still runs of a list after one of its tasks has failed. `rest` begins with the failed task. A task runs that only
 * reports and reads nothing that the failed task, or one that was not reached, would have given. Nothing runs behind a task
 * that holds up those after it. What such a task runs into does not matter beside the failure that stopped the list.
 */
export async function runAfterFailure(rest: readonly Task[], context: TaskRunContext): Promise<void> {
  const missing = new Set<string>()
  for (const [index, task] of rest.entries()) {
    if (holdsUpLaterTasks(task)) return
    const isReport = index > 0 && task.kind.runsAfterFailure === true
    if (isReport && missing.isDisjointFrom(task.reads)) await runTask(task, context)
    else for (const name of task.gives) missing.add(name)
  }
}

/** Whether later tasks are about a world in which this one has succeeded; a task that holds others may hold such a one. */
function holdsUpLaterTasks({ kind, modifiers: { waitReady = false } }: Task): boolean {
  return kind.holdsUpLaterTasks === true || waitReady !== false || Boolean(kind.lists || kind.files)
}

function stops(outcome: TaskOutcome): outcome is WaitingOutcome | FailedOutcome {
  return outcome.kind === 'waiting' || outcome.kind === 'failed'
}

/** What stays the same for all tasks of a run. */
export type TaskRunContext = Omit<RunContext, 'task' | 'modifiers'>

/** Runs one task with everything around its kind: `when`, `loop`, `register`, and what an error means. */
export async function runTask(task: Task, context: TaskRunContext): Promise<TaskOutcome> {
  const { loop, register } = task.modifiers
  const { secrecy, tracer } = context.scope
  const start = context.clock.monotonic()
  tracer?.begin(tracedTask(task))
  const ended = loop ? await runLoop(task, context) : await runOnce(task, context)
  context.observer?.ran(task.name, ended.kind, context.clock.monotonic() - start)
  const outcome = redactOutcome(pastWait(ended, context), secrecy)
  tracer?.end(outcome)
  if (register !== undefined && (outcome.kind === 'changed' || outcome.kind === 'unchanged')) {
    context.scope.register(register, variableValue(outcome.value))
  }
  return outcome
}

function tracedTask({ name, kind, body, modifiers: { sensitive } }: Task): TracedTaskSource {
  return { name, isSensitive: sensitive, written: kind.written?.(body) }
}

/** What a namespace that goes will not take is not waited for: the resource would never go, nor the namespace. */
function pastWait(outcome: TaskOutcome, { objects }: TaskRunContext): TaskOutcome {
  return outcome.kind === 'waiting' && objects.isRefused ? { kind: 'unchanged' } : outcome
}

/** `item` is its place in the loop of the task. */
async function runOnce(task: Task, around: TaskRunContext, item?: number): Promise<TaskOutcome> {
  const index = item === undefined ? '' : ` [${item}]`
  const context = { ...around, place: `${around.place}/${task.place}${index}` }
  await context.eventLoop.yield()
  context.signal.throwIfAborted()
  return withinTimeout(await runKind(task, context, `"${task.name}${index}"`), task, context)
}

async function runKind(task: Task, context: TaskRunContext, name: string): Promise<TaskOutcome> {
  try {
    const { when } = task.modifiers
    if (when && !evaluateCondition(when, context.scope, 'when')) return { kind: 'skipped' }
    return await task.kind.run(task.body, { ...context, task: name, modifiers: task.modifiers })
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    return outcomeOf(error, context.scope)
  }
}

/** An item that waits holds up later tasks, not the other items; one that fails ends the loop. */
async function runLoop(task: Task, context: TaskRunContext): Promise<TaskOutcome> {
  const items = itemsOf(task, context.scope)
  if (!isJsonArray(items)) return items
  const outcomes: TaskOutcome[] = []
  for (const [index, item] of items.entries()) {
    const scope = context.scope.child()
    scope.set(task.modifiers.loopVar, item)
    scope.set('index', index)
    scope.tracer?.begin(tracedTask(task), index)
    const outcome = ofItem(index, await runOnce(task, { ...context, scope }, index))
    scope.tracer?.end(redactOutcome(outcome, scope.secrecy))
    if (outcome.kind === 'failed') return outcome
    outcomes.push(outcome)
  }
  return outcomes.find(({ kind }) => kind === 'waiting') ?? allDone(outcomes)
}

/** A task within the task is named with the index of its item. */
function ofItem(index: number, outcome: TaskOutcome): TaskOutcome {
  return 'task' in outcome && outcome.task !== undefined ? { ...outcome, task: `${outcome.task} [${index}]` } : outcome
}

function allDone(outcomes: readonly TaskOutcome[]): TaskOutcome {
  const done = outcomes.filter(isDone)
  return {
    kind: done.some(({ kind }) => kind === 'changed') ? 'changed' : 'unchanged',
    value: done.flatMap(({ value }) => (value === undefined ? [] : [value])),
    rescued: done.find(({ rescued }) => rescued)?.rescued,
  }
}

function isDone(outcome: TaskOutcome): outcome is DoneOutcome {
  return outcome.kind === 'changed' || outcome.kind === 'unchanged'
}

function itemsOf(task: Task, scope: Scope): readonly JsonValue[] | TaskOutcome {
  try {
    const list = task.modifiers.loop?.render(scope)
    if (list === undefined) return []
    const items = isJsonArray(list) ? list : [list]
    if (items.length <= MAX_LOOP_ITEMS) return items
    throw new TaskFailure('Failed', `the loop has ${items.length} items: at most ${MAX_LOOP_ITEMS} are allowed`)
  } catch (error) {
    return outcomeOf(error, scope)
  }
}

/** A value that is missing from what was read may appear: the task waits. Anywhere else it never will: the task fails. */
function outcomeOf(error: unknown, scope: Scope): TaskOutcome {
  const failed = toFailedOutcome(error)
  if (!(error instanceof MissingValueError)) return failed
  const readsCluster = [...error.expression.variables].some((name) => scope.isRegistered(name))
  return readsCluster ? { kind: 'waiting', reason: failed.error.message } : failed
}
