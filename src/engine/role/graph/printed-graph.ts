import type { Role, Task, TaskSequence } from '../role.ts'

/** What orders the tasks of a role, as it is printed. */
export interface RoleGraph {
  readonly role: string
  readonly tasks: readonly GraphTask[]
  readonly edges: readonly GraphEdge[]
}

export interface GraphTask {
  /** Unique in the graph: `t1`; of a task within a block `t1_0`. */
  readonly id: string
  readonly name: string
  /** `ensure`. */
  readonly kind: string
  /** The id of the task that holds it. Absent: the role does. */
  readonly within?: string | undefined
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** `reads $config`, `guard`, `sequence`. */
  readonly reason: string
  /** Whether the first one only has to end, with success or without. */
  readonly optional: boolean
}

export function graphOfRole(role: Role): RoleGraph {
  const lists: readonly Placed[] = [
    { list: role, prefix: 't' },
    ...(role.finalize ? [{ list: { tasks: role.finalize }, prefix: 'f' }] : []),
  ]
  const all = lists.flatMap(withHeld)
  return { role: role.name, tasks: all.flatMap(tasksOf), edges: all.flatMap(edgesOf) }
}

/** A list of tasks. The id of each begins with the prefix. */
interface Placed {
  readonly list: TaskSequence
  readonly prefix: string
  readonly within?: string | undefined
}

/** A list with the lists that its tasks hold. */
function withHeld(placed: Placed): readonly Placed[] {
  const held = placed.list.tasks.flatMap((task, index) =>
    task.lists.flatMap((list, place) => {
      const id = idOf(placed, index)
      return withHeld({ list, prefix: `${id}_${place === 0 ? '' : list.field}`, within: id })
    }),
  )
  return [placed, ...held]
}

function idOf({ prefix }: Placed, index: number): string {
  return `${prefix}${index}`
}

function tasksOf(placed: Placed): readonly GraphTask[] {
  const { within } = placed
  return placed.list.tasks.map(({ name, kind }: Task, index) => ({
    id: idOf(placed, index),
    name,
    kind: kind.name,
    ...(within !== undefined && { within }),
  }))
}

function edgesOf(placed: Placed): readonly GraphEdge[] {
  const { tasks, graph } = placed.list
  if (!graph) return tasks.slice(1).map((_task, index) => sequenceEdge(placed, index))
  return graph.edges.flatMap((edges, index) =>
    edges.map(({ from, reason, about, isOptional }) => ({
      from: idOf(placed, from),
      to: idOf(placed, index),
      reason: [reason, ...(about === undefined ? [] : [reason === 'reads' ? `$${about}` : about])].join(' '),
      optional: isOptional,
    })),
  )
}

function sequenceEdge(placed: Placed, index: number): GraphEdge {
  return { from: idOf(placed, index), to: idOf(placed, index + 1), reason: 'sequence', optional: false }
}
