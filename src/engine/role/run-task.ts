import { isJsonArray, type JsonValue } from '../../core/base/json.ts'
import { MissingValueError } from '../expression/expression-error.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import { MAX_LOOP_ITEMS } from './modifier-schemas.ts'
import { redactOutcome } from './redact-outcome.ts'
import type { Task } from './role.ts'
import type { RunContext } from './run-context.ts'
import type { Scope } from './scope.ts'
import { type DoneOutcome, isStop, TaskFailure, type TaskOutcome } from './task-outcome.ts'
import type { TracedTaskSource } from './task-tracer.ts'
import { withinTimeout } from './timeout.ts'
import { toFailedOutcome } from './to-failed-outcome.ts'
import { variableValue } from './variable-value.ts'

/** Tasks and items of loops of one run that are under way at the same time. More would only crowd the API server. */
export const TASKS_AT_ONCE = 8

/** What stays the same for all tasks of a run. */
export type TaskRunContext = Omit<RunContext, 'task' | 'modifiers'>

/** Runs one task with everything around its kind: `when`, `loop`, `register`, and what an error means. */
export async function runTask(task: Task, around: TaskRunContext): Promise<TaskOutcome> {
  const { loop, register } = task.modifiers
  const { secrecy } = around.scope
  const start = around.clock.monotonic()
  const tracer = around.scope.tracer?.begin(tracedTask(task), task)
  const context = tracer ? { ...around, scope: around.scope.tracedBy(tracer) } : around
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

/** `item` is its place in the loop of the task. A task that holds others takes no slot: they take theirs. */
async function runOnce(task: Task, around: TaskRunContext, item?: number): Promise<TaskOutcome> {
  if (task.lists.length > 0) return runHere(task, around, item)
  const { slots } = around
  const slot = slots.take()
  if (slot) await slot
  try {
    return await runHere(task, around, item)
  } finally {
    slots.giveBack()
  }
}

async function runHere(task: Task, around: TaskRunContext, item?: number): Promise<TaskOutcome> {
  const index = item === undefined ? '' : ` [${item}]`
  const place = `${around.place}/${task.place}${index}`
  const objects = around.objects.within?.({ place, tracer: around.scope.tracer }) ?? around.objects
  const context = { ...around, objects, place }
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

async function runLoop(task: Task, context: TaskRunContext): Promise<TaskOutcome> {
  const items = itemsOf(task, context.scope)
  if (!isJsonArray(items)) return items
  const outcomes = await runItems(items, task, context)
  const waiting = outcomes.find(({ kind }) => kind === 'waiting')
  return outcomes.find(({ kind }) => kind === 'failed') ?? waiting ?? allDone(outcomes)
}

/** Begins the items in their order. One that waits holds up later tasks, not the other items; after one that fails, none begins. */
async function runItems(
  items: readonly JsonValue[],
  task: Task,
  context: TaskRunContext,
): Promise<readonly TaskOutcome[]> {
  const outcomes: TaskOutcome[] = []
  const rest = items.entries()
  let isOver = false
  const runSome = async (): Promise<void> => {
    for (let next = rest.next(); !(next.done || isOver); next = rest.next()) {
      const [index, item] = next.value
      const outcome = await runItem(task, context, { index, item }).catch((error: unknown) => {
        isOver = true
        throw error
      })
      outcomes[index] = outcome
      isOver ||= outcome.kind === 'failed'
    }
  }
  const count = task.itemsAtOnce ? Math.min(TASKS_AT_ONCE, items.length) : 1
  const ends = await Promise.allSettled(Array.from({ length: count }, runSome))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return outcomes
}

async function runItem(
  task: Task,
  context: TaskRunContext,
  { index, item }: { readonly index: number; readonly item: JsonValue },
): Promise<TaskOutcome> {
  const tracer = context.scope.tracer?.begin(tracedTask(task), { index: task.index, item: index })
  const scope = context.scope.child(tracer)
  scope.set(task.modifiers.loopVar, item)
  scope.set('index', index)
  const outcome = ofItem(index, await runOnce(task, { ...context, scope }, index))
  tracer?.end(redactOutcome(outcome, scope.secrecy))
  return outcome
}

/** A task within the task is named with the index of its item. */
function ofItem(index: number, outcome: TaskOutcome): TaskOutcome {
  if (!isStop(outcome) || outcome.task === undefined) return outcome
  const ofThis = (task: string): string => `${task} [${index}]`
  const others = outcome.others?.map((stop) => ({ ...stop, task: ofThis(stop.task) }))
  return { ...outcome, task: ofThis(outcome.task), others }
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
