import { isJsonArray, type JsonValue } from '../../../core/base/json.ts'
import { MissingValueError } from '../../expression/expression-error.ts'
import { withinTimeout } from '../compile/timeout.ts'
import type { TaskGraph } from '../graph/task-graph-types.ts'
import { MAX_LOOP_ITEMS } from '../parse/modifier-schemas.ts'
import type { Task, TaskSequence } from '../role.ts'
import { redactOutcome } from '../secrecy/redact-outcome.ts'
import {
  type DoneOutcome,
  isStop,
  type ListOutcome,
  type Stop,
  TaskFailure,
  type TaskOutcome,
} from '../task-outcome.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import type { RunContext } from './run-context.ts'
import type { SpannedTask } from './run-spans.ts'
import type { Scope } from './scope.ts'
import type { TracedTaskSource } from './task-tracer.ts'
import { fieldOf, toFailedOutcome } from './to-failed-outcome.ts'
import { variableValue } from './variable-value.ts'

/** Tasks and items of loops of one run that are under way at the same time. More would only crowd the API server. */
export const TASKS_AT_ONCE = 8

/** What stays the same for all tasks of a run. */
export type TaskRunContext = Omit<RunContext, 'task' | 'modifiers'>

/**
 * Runs the tasks of a list: each as soon as those before it in the graph have ended, or one after the other where there is no
 * graph. One that waits or fails holds up those that come after it. Rejects only when nothing of the list runs any more.
 */
export function runTasks({ tasks, graph }: TaskSequence, context: TaskRunContext): Promise<ListOutcome> {
  return graph ? new GraphRun(tasks, graph, context).run() : runInOrder(tasks, context)
}

async function runInOrder(tasks: readonly Task[], context: TaskRunContext): Promise<ListOutcome> {
  const outcomes: TaskOutcome[] = []
  for (const task of tasks) {
    const outcome = await runTask(task, context)
    outcomes.push(outcome)
    if (isStop(outcome)) break
  }
  return listOutcome(tasks, outcomes)
}

/** One run of the tasks of a list by their graph. */
class GraphRun {
  readonly #tasks: readonly Task[]
  readonly #graph: TaskGraph
  readonly #context: TaskRunContext
  /** Of those that have ended, by their indices. */
  readonly #outcomes: (TaskOutcome | undefined)[]
  /** For each task: how many of those before it have not ended. */
  readonly #pending: number[]
  readonly #isHeldUp: boolean[]
  readonly #end = Promise.withResolvers<ListOutcome>()
  #running = 0
  #givenUp: { readonly error: unknown } | undefined

  constructor(tasks: readonly Task[], graph: TaskGraph, context: TaskRunContext) {
    this.#tasks = tasks
    this.#graph = graph
    this.#context = context
    this.#outcomes = tasks.map(() => undefined)
    this.#pending = graph.edges.map(({ length }) => length)
    this.#isHeldUp = tasks.map(() => false)
  }

  run(): Promise<ListOutcome> {
    for (const [index, { length }] of this.#graph.edges.entries()) if (length === 0) this.#start(index)
    this.#endIfDone()
    return this.#end.promise
  }

  #start(index: number): void {
    this.#running++
    runTask(this.#tasks[index] as Task, this.#context).then(
      (outcome) => {
        this.#running--
        this.#outcomes[index] = outcome
        this.#release(index, !isStop(outcome))
        this.#endIfDone()
      },
      (error: unknown) => {
        this.#running--
        this.#givenUp ??= { error }
        this.#endIfDone()
      },
    )
  }

  /** Lets go on what has waited for a task that has ended, or that will not run because something before it holds it up. */
  #release(index: number, hasEndedWell: boolean): void {
    for (const follower of this.#graph.followers[index] ?? []) {
      const next = follower.index
      if (!(hasEndedWell || follower.isOptional)) this.#isHeldUp[next] = true
      const pending = (this.#pending[next] as number) - 1
      this.#pending[next] = pending
      if (pending > 0) continue
      if (this.#isHeldUp[next]) this.#release(next, false)
      else if (!this.#givenUp) this.#start(next)
    }
  }

  #endIfDone(): void {
    if (this.#running > 0) return
    if (this.#givenUp) this.#end.reject(this.#givenUp.error)
    else this.#end.resolve(listOutcome(this.#tasks, this.#outcomes))
  }
}

/** @param outcomes by the indices of the tasks; absent of those that were not reached */
function listOutcome(tasks: readonly Task[], outcomes: readonly (TaskOutcome | undefined)[]): ListOutcome {
  const reached: ListOutcome['tasks'][number][] = []
  const stops: Stop[] = []
  let rescued: Stop | undefined
  for (const [index, outcome] of outcomes.entries()) {
    const { name } = tasks[index] as Task
    if (!outcome) continue
    reached.push({ task: name, kind: outcome.kind })
    if (isStop(outcome)) stops.push({ task: outcome.task ?? name, outcome }, ...(outcome.others ?? []))
    else if ('rescued' in outcome) rescued ??= outcome.rescued
  }
  const stoppedBy = mainStop(stops)
  return { stoppedBy, others: stops.filter((stop) => stop !== stoppedBy), rescued, tasks: reached }
}

/** The first failure, else the first wait: a failure needs a person, or a retry. */
function mainStop(stops: readonly Stop[]): Stop | undefined {
  return stops.find(({ outcome }) => outcome.kind === 'failed') ?? stops[0]
}

/**
 * What still runs of a list after one of its tasks has failed. `rest` begins with the failed task. A task runs that only
 * reports and reads nothing that the failed task, or one that was not reached, would have given. Nothing runs behind a task
 * that holds up those after it. What such a task runs into does not matter beside the failure that stopped the list.
 */
export async function runAfterFailure(rest: readonly Task[], context: TaskRunContext): Promise<void> {
  const missing = new Set<string>()
  for (const [index, task] of rest.entries()) {
    if (task.isGuard || task.lists.length > 0) return
    const isReport = index > 0 && task.kind.runsAfterFailure === true
    if (isReport && missing.isDisjointFrom(task.reads)) await runTask(task, context)
    else for (const name of task.gives) missing.add(name)
  }
}

/** Runs one task with everything around its kind: `when`, `loop`, `register`, and what an error means. */
export function runTask(task: Task, around: TaskRunContext): Promise<TaskOutcome> {
  const work = (): Promise<TaskOutcome> => runTraced(task, around)
  return around.spans?.task(spannedTask(task), work) ?? work()
}

async function runTraced(task: Task, around: TaskRunContext): Promise<TaskOutcome> {
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

function spannedTask({ name, kind }: Task, item?: number): SpannedTask {
  return { name, kind: kind.name, item }
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
  return placed(withinTimeout(await runKind(task, context, `"${task.name}${index}"`), task, context), task)
}

async function runKind(task: Task, context: TaskRunContext, name: string): Promise<TaskOutcome> {
  try {
    const { when } = task.modifiers
    if (when && !evaluateCondition(when, context.scope, 'when')) return { kind: 'skipped' }
    return await task.kind.run(task.body, { ...context, task: name, modifiers: task.modifiers })
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    return outcomeOf(error, task, context.scope)
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

interface LoopItem {
  readonly index: number
  readonly item: JsonValue
}

function runItem(task: Task, context: TaskRunContext, item: LoopItem): Promise<TaskOutcome> {
  const work = (): Promise<TaskOutcome> => runTracedItem(task, context, item)
  return context.spans?.task(spannedTask(task, item.index), work) ?? work()
}

async function runTracedItem(task: Task, context: TaskRunContext, { index, item }: LoopItem): Promise<TaskOutcome> {
  const tracer = context.scope.tracer?.begin(tracedTask(task), { place: task.place, index: task.index, item: index })
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
    throw new TaskFailure('Failed', `the loop has ${items.length} items: at most ${MAX_LOOP_ITEMS} are allowed`, {
      field: 'loop',
    })
  } catch (error) {
    return placed(outcomeOf(error, task, scope), task)
  }
}

/** A value that is missing from what was read may appear: the task waits. Anywhere else it never will: the task fails. */
function outcomeOf(error: unknown, task: Task, scope: Scope): TaskOutcome {
  const failed = toFailedOutcome(error)
  if (!(error instanceof MissingValueError)) return failed
  const readsCluster = [...error.expression.variables].some((name) => scope.isRegistered(name))
  if (!readsCluster) return failed
  return { kind: 'waiting', reason: failed.error.message, place: task.lines.placeOf(fieldOf(error)) }
}

/** A failure of the task itself says where the role writes what failed. */
function placed(outcome: TaskOutcome, { lines }: Task): TaskOutcome {
  if (outcome.kind !== 'failed' || outcome.task !== undefined || outcome.place) return outcome
  return { ...outcome, place: lines.placeOf(fieldOf(outcome.error)) }
}
