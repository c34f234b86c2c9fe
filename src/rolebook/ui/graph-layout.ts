import type { ObjectNode, OwnedNode, OwnedObjects, TaskEdge, TaskNode } from './model.ts'

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
 * that no edge to an object passes through another task, and what that owns stands behind it. Objects that no task names fill the gaps.
 */
export function layoutOf({ tasks, edges, objects }: Graph): GraphLayout {
  const columnOf = columnsOf(tasks, edges)
  const last = Math.max(-1, ...columnOf.values()) + 1
  const unplaced = new Map(objects.map((object) => [nameOf(object), object]))
  const nodes: PlacedNode[] = []
  const ends: Ends[] = [...edges.map(toOrder), ...tasks.flatMap(toObjects)]
  let line = 0
  const place = (object: ObjectNode, at: number): number => {
    const node = { ...nodeOfObject(object), column: last, line: at }
    nodes.push(node)
    return object.owned ? Math.max(1, placeOwned(object.owned, node, nodes, ends)) : 1
  }
  for (const task of tasks) {
    const own = line
    nodes.push({ ...nodeOfTask(task), column: columnOf.get(task.id) ?? 0, line: own })
    for (const name of task.objects) {
      const object = unplaced.get(name)
      if (object) line += place(object, line)
      unplaced.delete(name)
    }
    line = Math.max(line, own + 1)
  }
  for (const object of unplaced.values()) place(object, gapIn(nodes, last, heightOf(object.owned)))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return {
    nodes,
    edges: ends.flatMap(({ from, to, isOptional }) => {
      const [start, end] = [byId.get(from), byId.get(to)]
      return start && end ? [{ from: start, to: end, isOptional }] : []
    }),
    columns: Math.max(0, ...nodes.map(({ column }) => column + 1)),
    lines: Math.max(line, ...nodes.map((node) => node.line + 1)),
  }
}

/** The first line from which on there is room, from a column to the right. */
function gapIn(nodes: readonly PlacedNode[], column: number, height: number): number {
  const taken = new Set(nodes.filter((node) => node.column >= column).map((node) => node.line))
  const isFree = (line: number): boolean =>
    Array.from({ length: height }, (_, one) => line + one).every((one) => !taken.has(one))
  let line = 0
  while (!isFree(line)) line++
  return line
}

/** Lines that an object takes with what it owns. */
function heightOf(owned: OwnedObjects | undefined): number {
  if (!owned) return 1
  const heights = owned.nodes.map((one) => heightOf(one.owned))
  return Math.max(1, sum(heights) + (owned.more > 0 ? 1 : 0))
}

/** Places what an object owns in the next column, from its line on. Returns the lines that it takes. */
function placeOwned(
  { nodes, more, moreUnready }: OwnedObjects,
  owner: PlacedNode,
  all: PlacedNode[],
  ends: Ends[],
): number {
  let taken = 0
  const put = (node: Unplaced, owned?: OwnedObjects): void => {
    const placed = { ...node, column: owner.column + 1, line: owner.line + taken }
    all.push(placed)
    ends.push({ from: owner.id, to: placed.id, isOptional: false })
    taken += owned ? Math.max(1, placeOwned(owned, placed, all, ends)) : 1
  }
  for (const node of nodes) put(nodeOfOwned(node), node.owned)
  if (more > 0) put(nodeOfMore(owner.id, more, moreUnready))
  return taken
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
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

function nodeOfOwned({ uid, kind, name, health, status }: OwnedNode): Unplaced {
  return { id: uid, kind: 'object', title: name, note: status === '' ? kind : `${kind} · ${status}`, state: health }
}

function nodeOfMore(owner: string, more: number, unready: number): Unplaced {
  const note = unready === 0 ? 'all ready' : `${unready} not ready`
  return {
    id: `${owner} more`,
    kind: 'object',
    title: `+${more} more`,
    note,
    state: unready === 0 ? 'ready' : 'notReady',
  }
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
