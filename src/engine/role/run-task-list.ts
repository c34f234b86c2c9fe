import type { Task, TaskSequence } from './role.ts'
import { runTask, type TaskRunContext } from './run-task.ts'
import type { TaskGraph } from './task-order.ts'
import { isStop, type ListOutcome, type Stop, type TaskOutcome } from './task-outcome.ts'

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

/** The first failure, else the first wait: a failure needs somebody, or a retry. */
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
