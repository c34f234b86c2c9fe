import { formatGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { Task } from '../role.ts'
import { mustComeFirst } from './kind-order.ts'
import { mayBeSameObject, type ObjectUse } from './object-use.ts'
import type { TaskEdge, TaskGraph, TaskLink } from './task-graph-types.ts'

/** What the graph is made of. */
export type OrderedTask = Pick<Task, 'reads' | 'gives' | 'uses' | 'isGuard' | 'setsStatus' | 'kind' | 'after'>

/** The order of tasks by what they need of one another. An edge that others imply is left out, unless the role states it. */
export function taskGraph(tasks: readonly OrderedTask[]): TaskGraph {
  const before: TaskPredecessors[] = []
  const edges = tasks.map((task, index) => {
    const found = new TaskPredecessors()
    // From the nearest one up: what it comes after need not be said again.
    for (let from = index - 1; from >= 0; from--) {
      const edge = edgeBetween(tasks[from] as OrderedTask, task, from)
      if (edge) found.add(edge, before[from] as TaskPredecessors)
    }
    before.push(found)
    return Object.freeze(found.edges.toReversed())
  })
  return Object.freeze({ edges: Object.freeze(edges), followers: followersOf(edges) })
}

/** The tasks before one task. */
class TaskPredecessors {
  readonly edges: TaskEdge[] = []
  /** The tasks that must succeed, directly or through others, and those that only have to end. */
  readonly #needed = new Set<number>()
  readonly #ended = new Set<number>()

  add(edge: TaskEdge, itsOwn: TaskPredecessors): void {
    const { from, isOptional, reason } = edge
    const isStated = reason === 'reads' || reason === 'after'
    if (!isStated && (this.#needed.has(from) || (isOptional && this.#ended.has(from)))) return
    this.edges.push(edge)
    this.#ended.add(from)
    for (const one of itsOwn.#ended) this.#ended.add(one)
    if (isOptional) return
    this.#needed.add(from)
    for (const one of itsOwn.#needed) this.#needed.add(one)
  }
}

/** The first reason that holds. The most useful reasons for people come first. */
function edgeBetween(earlier: OrderedTask, later: OrderedTask, from: number): TaskEdge | undefined {
  const variable = sharedName(earlier, later)
  if (variable !== undefined) return { from, reason: 'reads', about: variable, isOptional: false }
  const stated = later.after.find(({ index }) => index === from)
  if (stated && !stated.isOptional) return { from, reason: 'after', isOptional: false }
  if (earlier.isGuard) return { from, reason: 'guard', isOptional: false }
  const object = usesPair(earlier, later, isSameAndWritten)
  if (object) return { from, reason: 'object', about: formatGroupKind(object.kind), isOptional: false }
  const first = usesPair(earlier, later, mustComeFirst)
  if (first) return { from, reason: 'kind', about: formatGroupKind(first.kind), isOptional: false }
  if (later.kind.tellsOfEarlierTasks) return { from, reason: 'report', isOptional: false }
  if (stated) return { from, reason: 'after', isOptional: true }
  return earlier.setsStatus && later.setsStatus ? { from, reason: 'status', isOptional: true } : undefined
}

/** A name that one of them gives and the other one reads or gives as well. */
function sharedName(earlier: OrderedTask, later: OrderedTask): string | undefined {
  for (const name of earlier.gives) if (later.reads.has(name) || later.gives.has(name)) return name
  for (const name of later.gives) if (earlier.reads.has(name)) return name
  return undefined
}

function usesPair(
  earlier: OrderedTask,
  later: OrderedTask,
  holds: (first: ObjectUse, second: ObjectUse) => boolean,
): ObjectUse | undefined {
  return earlier.uses.find((first) => later.uses.some((second) => holds(first, second)))
}

function isSameAndWritten(first: ObjectUse, second: ObjectUse): boolean {
  return (first.access === 'write' || second.access === 'write') && mayBeSameObject(first, second)
}

function followersOf(edges: readonly (readonly TaskEdge[])[]): TaskGraph['followers'] {
  const followers: TaskLink[][] = edges.map(() => [])
  for (const [index, before] of edges.entries())
    for (const { from, isOptional } of before) followers[from]?.push({ index, isOptional })
  return Object.freeze(followers.map((one) => Object.freeze(one)))
}
