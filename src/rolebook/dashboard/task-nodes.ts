import type { RunTrace, TracedTask } from '../../engine/reconcile/trace/run-trace.ts'
import { type GraphTask, graphOfRole } from '../../engine/role/graph/printed-graph.ts'
import type { Role } from '../../engine/role/role.ts'
import type { TaskEdge, TaskNode, TaskState } from '../ui/model.ts'

/**
 * The tasks of a role, and what each came to in the last run; `runs`: the latest first. Items of a loop and tasks of the same name count
 * together. A task that failed names no objects: those of an earlier run are shown.
 */
export function tasksOf(
  role: Role,
  runs: readonly RunTrace[],
): { readonly tasks: readonly TaskNode[]; readonly edges: readonly TaskEdge[] } {
  const { tasks, edges } = graphOfRole(role)
  const traces = runs.map(({ list, tasks }) => {
    return { prefix: list === 'finalize' ? 'f' : 't', byName: Map.groupBy(namedTasks(tasks), ({ name }) => name) }
  })
  const nodes = tasks.map((task) => {
    const traced = traces.map(({ prefix, byName }) => (task.id.startsWith(prefix) ? (byName.get(task.name) ?? []) : []))
    return nodeOf(task, traced[0] ?? [], traced.find(hasObjects) ?? [])
  })
  return { tasks: nodes, edges }
}

function hasObjects(traced: readonly TracedTask[]): boolean {
  return traced.some(({ objects = [] }) => objects.length > 0)
}

/** Each item of a loop under the name of its task. */
function namedTasks(tasks: readonly TracedTask[]): readonly TracedTask[] {
  let name = ''
  return tasks.map((task) => {
    if (task.item === undefined) name = task.name
    return task.item === undefined ? task : { ...task, name }
  })
}

/** What counts for a task when its items differ: the first of these that one of them came to. */
const STATES: readonly TaskState[] = ['failed', 'waiting', 'changed', 'unchanged', 'skipped']

function nodeOf(
  { id, name, kind, within }: GraphTask,
  traced: readonly TracedTask[],
  made: readonly TracedTask[],
): TaskNode {
  const milliseconds = Math.max(0, ...traced.map((task) => task.milliseconds ?? 0))
  return {
    ...{ id, name, kind },
    ...(within !== undefined && { within }),
    state: STATES.find((state) => traced.some(({ outcome }) => outcome === state)) ?? 'idle',
    ...(milliseconds > 0 && { milliseconds }),
    why: [...new Set(traced.flatMap(({ why = [] }) => why))],
    objects: [...new Set(made.flatMap(({ objects = [] }) => objects.map(({ object }) => object)))],
  }
}
