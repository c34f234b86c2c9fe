/** What orders the tasks of a list: what they need of one another, or where they stand. */
export type TaskOrder = 'data' | 'sequential'

/**
 * Why a task comes after another one of its list. `reads`: it reads a variable that the other gives. `after`: it says so.
 * `guard`: the other holds up whatever follows. `object`: both may be about one object, and one of them writes it. `kind`: the
 * object of the other has to be there first. `status`: both set the status. `report`: it tells of what was done before it.
 */
export type OrderReason = 'reads' | 'after' | 'guard' | 'object' | 'kind' | 'status' | 'report'

export interface TaskEdge {
  /** The index of the task that comes first. */
  readonly from: number
  readonly reason: OrderReason
  /** The variable, or the kind. */
  readonly about?: string | undefined
  /** Whether the other one only has to end, in whatever way. */
  readonly isOptional: boolean
}

/** What orders the tasks of a list. Edges lead from earlier tasks to later ones, so the list itself is one valid order. */
export interface TaskGraph {
  /** For each task: what it comes after. */
  readonly edges: readonly (readonly TaskEdge[])[]
  /** For each task: what comes after it, in the order of the list. */
  readonly followers: readonly (readonly TaskLink[])[]
}

/** Another task of a list. `isOptional`: whether it only has to end, in whatever way. */
export interface TaskLink {
  readonly index: number
  readonly isOptional: boolean
}
