import type { Task } from '../role.ts'
import type { TaskModifiers } from '../task-modifiers.ts'
import type { ObjectUse } from './object-use.ts'
import type { TaskOrder } from './task-graph-types.ts'

type TaskParts = Pick<Task, 'kind' | 'body' | 'modifiers' | 'lists'>

/** What a task and those that it holds mean for the order of other tasks, and of the items of its loop. */
export function orderingOf(
  parts: TaskParts,
  order: TaskOrder,
): Pick<Task, 'uses' | 'isGuard' | 'setsStatus' | 'itemsAtOnce'> {
  const { kind, modifiers, lists } = parts
  const held = lists.flatMap(({ tasks }) => tasks)
  const { waitReady = false } = modifiers
  const uses = usesOf(parts)
  const setsStatus = kind.writesStatus === true || held.some((task) => task.setsStatus)
  return {
    uses: Object.freeze(uses),
    isGuard: kind.holdsUpLaterTasks === true || waitReady !== false || held.some(({ isGuard }) => isGuard),
    setsStatus,
    // What is said of the resource is said in the order of the items.
    itemsAtOnce: order === 'data' && uses.length > 0 && !setsStatus,
  }
}

function usesOf({ kind, body, modifiers, lists }: TaskParts): readonly ObjectUse[] {
  const own = kind.uses?.(body) ?? (lists.length > 0 ? [] : usesByPermissions(kind.permissions(body)))
  const held = lists.flatMap(({ tasks }) => tasks.flatMap(({ uses }) => uses))
  const all = [...own, ...held]
  const isApart = modifiers.loop !== undefined || kind.files !== undefined
  return isApart ? all.map((use) => ({ ...use, isApart })) : all
}

/** What is made and not kept, as Events are, is nothing that another task could be about. */
function usesByPermissions(permissions: ReturnType<TaskParts['kind']['permissions']>): readonly ObjectUse[] {
  return permissions
    .filter(({ access }) => access !== 'create')
    .map(({ gvk, access }) => ({ kind: gvk, access: access === 'read' ? 'read' : 'write' }) as const)
}

/** The variables that the modifiers of a task read. */
export function variablesOf(modifiers: TaskModifiers): readonly string[] {
  const { when, loop, readyWhen, waitReady, timeout, handOver } = modifiers
  return [when, loop, readyWhen, waitReady, timeout, handOver].flatMap((source) =>
    typeof source === 'object' ? [...source.variables] : [],
  )
}
