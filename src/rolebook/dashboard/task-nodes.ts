import type { RunTrace, TracedTask } from '../../engine/reconcile/trace/run-trace.ts'
import type { Role } from '../../engine/role/role.ts'
import { type GraphTask, graphOfRole } from '../../engine/role/role-graph.ts'
import type { TaskEdge, TaskNode, TaskState } from '../ui/model.ts'

/** The tasks of a role, and what each came to in a run. Items of a loop and tasks of the same name count together. */
export function tasksOf(
  role: Role,
  run: RunTrace | undefined,
): { readonly tasks: readonly TaskNode[]; readonly edges: readonly TaskEdge[] } {
  const { tasks, edges } = graphOfRole(role)
  const prefix = run?.list === 'finalize' ? 'f' : 't'
  const traced = Map.groupBy(namedTasks(run?.tasks ?? []), ({ name }) => name)
  return {
    tasks: tasks.map((task) => nodeOf(task, task.id.startsWith(prefix) ? (traced.get(task.name) ?? []) : [])),
    edges,
  }
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

function nodeOf({ id, name, kind, within }: GraphTask, traced: readonly TracedTask[]): TaskNode {
  const milliseconds = Math.max(0, ...traced.map((task) => task.milliseconds ?? 0))
  return {
    ...{ id, name, kind },
    ...(within !== undefined && { within }),
    state: STATES.find((state) => traced.some(({ outcome }) => outcome === state)) ?? 'idle',
    ...(milliseconds > 0 && { milliseconds }),
    why: [...new Set(traced.flatMap(({ why = [] }) => why))],
    objects: [...new Set(traced.flatMap(({ objects = [] }) => objects.map(({ object }) => object)))],
  }
}
