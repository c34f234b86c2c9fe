import type { ObjectNode, TaskEdge, TaskNode } from './model.ts'

/** Where a node stands: its column, and its place in it. */
export interface PlacedNode {
  readonly id: string
  readonly kind: 'task' | 'object'
  readonly title: string
  readonly note: string
  /** A word for its colour: the state of a task, the health of an object. */
  readonly state: string
  readonly column: number
  readonly line: number
}

export interface PlacedEdge {
  readonly from: PlacedNode
  readonly to: PlacedNode
  readonly isOptional: boolean
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
  readonly columns: number
  readonly lines: number
}

export interface Graph {
  readonly tasks: readonly TaskNode[]
  readonly edges: readonly TaskEdge[]
  readonly objects: readonly ObjectNode[]
}

/**
 * Each task has a line of its own, in the column after the last of those that it comes after. What it made stands at the end of its line, so
 * that no edge to an object passes through another task. Objects that no task names fill the gaps.
 */
export function layoutOf({ tasks, edges, objects }: Graph): GraphLayout {
  const columnOf = columnsOf(tasks, edges)
  const last = Math.max(-1, ...columnOf.values()) + 1
  const unplaced = new Map(objects.map((object) => [nameOf(object), object]))
  const nodes: PlacedNode[] = []
  let line = 0
  const placeObjects = (names: readonly string[]): void => {
    for (const name of names) {
      const object = unplaced.get(name)
      if (object) nodes.push({ ...nodeOfObject(object), column: last, line: line++ })
      unplaced.delete(name)
    }
  }
  for (const task of tasks) {
    const own = line
    nodes.push({ ...nodeOfTask(task), column: columnOf.get(task.id) ?? 0, line: own })
    placeObjects(task.objects)
    line = Math.max(line, own + 1)
  }
  const taken = new Set(nodes.filter(({ column }) => column === last).map((node) => node.line))
  let free = 0
  for (const object of unplaced.values()) {
    while (taken.has(free)) free++
    nodes.push({ ...nodeOfObject(object), column: last, line: free++ })
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return {
    nodes,
    edges: [...edges.map(toOrder), ...tasks.flatMap(toObjects)].flatMap(({ from, to, isOptional }) => {
      const [start, end] = [byId.get(from), byId.get(to)]
      return start && end ? [{ from: start, to: end, isOptional }] : []
    }),
    columns: Math.max(0, ...nodes.map(({ column }) => column + 1)),
    lines: Math.max(line, free),
  }
}

interface Ends {
  readonly from: string
  readonly to: string
  readonly isOptional: boolean
}

function toOrder({ from, to, optional }: TaskEdge): Ends {
  return { from, to, isOptional: optional }
}

function toObjects({ id, objects }: TaskNode): readonly Ends[] {
  return objects.map((object) => ({ from: id, to: object, isOptional: false }))
}

type Unplaced = Omit<PlacedNode, 'column' | 'line'>

function nodeOfTask({ id, name, kind, state }: TaskNode): Unplaced {
  return { id, kind: 'task', title: name, note: kind, state }
}

function nodeOfObject(object: ObjectNode): Unplaced {
  const { kind, name, health } = object
  return { id: nameOf(object), kind: 'object', title: name, note: kind, state: health }
}

/** The name by which tasks refer to an object. */
function nameOf({ kind, namespace, name }: ObjectNode): string {
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`
}

/** Edges lead from earlier tasks to later ones, so one pass is enough. A task within another one stands behind it. */
function columnsOf(tasks: readonly TaskNode[], edges: readonly TaskEdge[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>()
  for (const { id, within } of tasks) {
    const before = edges.filter(({ to }) => to === id).map(({ from }) => from)
    const all = within === undefined ? before : [...before, within]
    columns.set(id, Math.max(-1, ...all.map((one) => columns.get(one) ?? -1)) + 1)
  }
  return columns
}
