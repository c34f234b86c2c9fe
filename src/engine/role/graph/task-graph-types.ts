/** The order of the tasks of a list: `data` follows what they need of one another, `sequential` follows the list. */
export type TaskOrder = 'data' | 'sequential'

/**
 * Why a task comes after another one of its list. `reads`: it reads a variable that the other one sets. `after`: its `after`
 * names the other one. `guard`: the other one holds up all later tasks. `object`: both may be about one object, and one of them
 * writes it. `kind`: the object of the other one must exist first. `status`: both set the status. `report`: it reports what
 * earlier tasks have done.
 */
export type OrderReason = 'reads' | 'after' | 'guard' | 'object' | 'kind' | 'status' | 'report'

export interface TaskEdge {
  /** The index of the task that comes first. */
  readonly from: number
  readonly reason: OrderReason
  /** The variable, or the kind. */
  readonly about?: string | undefined
  /** Whether the other one only has to end, with success or without. */
  readonly isOptional: boolean
}

/** The order of the tasks of a list. Edges lead from earlier tasks to later ones, so the list itself is one valid order. */
export interface TaskGraph {
  /** For each task: what it comes after. */
  readonly edges: readonly (readonly TaskEdge[])[]
  /** For each task: what comes after it, in the order of the list. */
  readonly followers: readonly (readonly TaskLink[])[]
}

/** Another task of a list. `isOptional`: whether it only has to end, with success or without. */
export interface TaskLink {
  readonly index: number
  readonly isOptional: boolean
}
