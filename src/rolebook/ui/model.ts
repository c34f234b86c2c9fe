/** What a page shows of an operator, as plain JSON: a dashboard gets it from a server, a playground from the operator in the page. */

export interface ResourceName {
  /** Empty for the core group. */
  readonly group: string
  readonly kind: string
  /** Empty for a cluster-scoped resource. */
  readonly namespace: string
  readonly name: string
}

/** A line of the list of resources. */
export interface ResourceRow extends ResourceName {
  readonly uid: string
  readonly ready: 'True' | 'False' | 'Unknown'
  /** Of the `Ready` condition. Empty before the first run. */
  readonly reason: string
  readonly message: string
  /** `metadata.generation`: it counts the edits of the spec. */
  readonly generation?: number | undefined
  /** The generation that the status is about. */
  readonly observedGeneration?: number | undefined
  /** RFC 3339. */
  readonly created: string
  /** RFC 3339, since when it is being deleted. */
  readonly deleting?: string | undefined
  /** The role that its entry names. Absent: no entry selects it. */
  readonly role?: string | undefined
  /** How many objects made for it exist. */
  readonly objects: number
  /** What needs a person, the worst first. */
  readonly problems: readonly Problem[]
}

/** What keeps a resource from being ready and does not pass by itself. */
export interface Problem {
  /**
   * `rollout`: a workload does not come to its end. `fight`: another client keeps changing a field. `deletion`: something keeps the resource.
   * `failure`: a task fails.
   */
  readonly kind: 'rollout' | 'fight' | 'deletion' | 'failure'
  /** The cause in one sentence, for people. */
  readonly message: string
}

/** Everything that is known of one resource. */
export interface ResourceDetails {
  readonly row: ResourceRow
  readonly conditions: readonly Condition[]
  readonly tasks: readonly TaskNode[]
  readonly edges: readonly TaskEdge[]
  readonly objects: readonly ObjectNode[]
  readonly rollouts: readonly Rollout[]
  readonly fights: readonly Fight[]
  /** Absent while it is not being deleted. */
  readonly deletion?: Deletion | undefined
  /** The latest first. */
  readonly runs: readonly Run[]
  /** Runs since the last of these that found nothing changed. */
  readonly skipped: number
  /** Milliseconds since 1970 of the last one that was skipped. */
  readonly skippedAt?: number | undefined
  /** The latest first. */
  readonly events: readonly EventLine[]
  /** Why there are no events. Absent: they could be read. */
  readonly eventsProblem?: string | undefined
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  /** RFC 3339, or empty. */
  readonly since: string
}

/** A task of the role, and what it came to in the last run. */
export interface TaskNode {
  /** Unique in the role: `t1`; of a task within a block `t1_0`; of a `finalize` task `f0`. */
  readonly id: string
  readonly name: string
  /** `ensure`. */
  readonly kind: string
  /** The id of the task that holds it. Absent: the role does. */
  readonly within?: string | undefined
  /** `idle`: the last run did not reach it. */
  readonly state: TaskState | 'idle'
  readonly milliseconds?: number | undefined
  /** Conditions that were false, what it waits for, or how it failed. */
  readonly why: readonly string[]
  /** Names of objects that it read or made: `Deployment default/web`. */
  readonly objects: readonly string[]
}

export type TaskState = 'changed' | 'unchanged' | 'skipped' | 'waiting' | 'failed'

/** The second task comes after the first one. */
export interface TaskEdge {
  readonly from: string
  readonly to: string
  /** `reads $config`, `guard`, `sequence`. */
  readonly reason: string
  /** Whether the first one only has to end, with success or without. */
  readonly optional: boolean
}

/** An object that was made for the resource and exists. */
export interface ObjectNode extends ResourceName {
  readonly uid: string
  readonly health: 'ready' | 'notReady' | 'failed'
  /** Why it is not ready. */
  readonly message: string
  /** RFC 3339. */
  readonly created: string
  /** RFC 3339, since when it is being deleted. */
  readonly deleting?: string | undefined
  readonly finalizers: readonly string[]
  /** What it owns. Absent: not known, as for an operator that does not watch Pods. */
  readonly owned?: OwnedObjects | undefined
}

/** What one object owns. */
export interface OwnedObjects {
  readonly nodes: readonly OwnedNode[]
  /** How many are not listed. */
  readonly more: number
  /** How many of those are not ready. */
  readonly moreUnready: number
}

/** An object that another object owns, such as a Pod of a ReplicaSet. */
export interface OwnedNode extends Pick<ObjectNode, 'uid' | 'kind' | 'namespace' | 'name' | 'health' | 'message'> {
  /** In the words of `kubectl get`: `Running 1/1`. Empty: not known. */
  readonly status: string
  readonly owned: OwnedObjects
}

/** A workload on its way to a new template. */
export interface Rollout {
  /** `Deployment default/web`. */
  readonly object: string
  readonly state: 'progressing' | 'halted' | 'complete'
  readonly wanted: number
  /** Pods of the new template. */
  readonly updated: number
  /** How many of those are ready at least. */
  readonly ready: number
  /** Images of its containers. */
  readonly images: readonly string[]
  /** What the controller of the workload says. */
  readonly message: string
  /** The last write that changed it. */
  readonly causedBy?: RolloutCause | undefined
}

export interface RolloutCause {
  /** RFC 3339. */
  readonly at: string
  readonly fields: readonly FieldChange[]
}

/** A field that the operator and another client keep changing. */
export interface Fight {
  /** `ConfigMap default/settings`. */
  readonly object: string
  readonly fields: readonly string[]
  /** The other client. Empty if it is not known. */
  readonly by: string
  /** How often it was put back in the runs that are remembered. */
  readonly corrections: number
  /** Whether the operator leaves the field alone for a while. */
  readonly isGivenUp: boolean
  readonly message: string
}

/** How far the deletion of a resource is. */
export interface Deletion {
  /** RFC 3339. */
  readonly since: string
  /** What must happen before it is gone, the next first. */
  readonly blockers: readonly DeletionBlocker[]
}

export interface DeletionBlocker {
  /**
   * `object`: one that was made for the resource still exists. `finalizer`: another controller has to take its own away. `task`: a `finalize`
   * task waits or fails. `operator`: the operator is at work.
   */
  readonly kind: 'object' | 'finalizer' | 'task' | 'operator'
  /** The object, the finalizer or the task. */
  readonly name: string
  readonly message: string
}

/** What one run did and why. */
export interface Run {
  /** RFC 3339. */
  readonly at: string
  readonly milliseconds: number
  readonly generation?: number | undefined
  readonly outcome: string
  /** Reason and message of the `Ready` condition, as the run judged it. */
  readonly ready?: string | undefined
  readonly woken: readonly Trigger[]
  readonly tasks: readonly RunTask[]
  /** How many tasks and items of loops are not listed. */
  readonly more?: number | undefined
  /** Objects that the role does not make any more. */
  readonly removed?: readonly string[] | undefined
  /** Fields of the status that were written. */
  readonly status?: readonly string[] | undefined
  /** Requests that the run sent, by verb. */
  readonly requests: Readonly<Record<string, number>>
}

/** Why a run began. */
export interface Trigger {
  readonly kind:
    | 'created'
    | 'edited'
    | 'overwritten'
    | 'deleted'
    | 'changed'
    | 'started'
    | 'reloaded'
    | 'served'
    | 'retry'
    | 'wait'
    | 'period'
  /** `Deployment default/web`. */
  readonly object?: string | undefined
  readonly how?: string | undefined
  /** The fields of the resource that were edited or overwritten. */
  readonly fields?: readonly string[] | undefined
}

/** A task of a run, or one item of its loop. */
export interface RunTask {
  readonly name: string
  /** How many tasks contain it. Defaults to none. */
  readonly depth?: number | undefined
  /** Its index in the loop of the task that contains it. */
  readonly item?: number | undefined
  readonly outcome: TaskState
  readonly milliseconds?: number | undefined
  readonly why?: readonly string[] | undefined
  readonly objects?: readonly RunObject[] | undefined
}

/** What a task did to an object. */
export interface RunObject {
  readonly object: string
  /** `corrected`: another client had changed fields of ours. */
  readonly did: 'read' | 'listed' | 'missing' | 'unchanged' | 'created' | 'adopted' | 'changed' | 'corrected'
  readonly count?: number | undefined
  readonly fields?: readonly FieldChange[] | undefined
  /** How many fields differ that are not listed. */
  readonly more?: number | undefined
  /** Fields that another client had changed. */
  readonly lost?: readonly string[] | undefined
  /** That client, if it is known. */
  readonly by?: string | undefined
}

/** A field that a write changed. */
export interface FieldChange {
  readonly field: string
  /** JSON, cut. Absent if the field was absent. */
  readonly from?: string | undefined
  /** JSON, cut. Absent if the field was removed. */
  readonly to?: string | undefined
  /** The source of the expression that gave the new value. */
  readonly expression?: string | undefined
}

export interface EventLine {
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly count: number
  /** RFC 3339, when it was last seen. */
  readonly at: string
  /** The component that reports it. */
  readonly from: string
}

/** What is known of the operator as a whole. */
export interface Overview {
  readonly version: string
  /** The process, by the name of its pod. */
  readonly instance: string
  /** Whether it works. Otherwise it waits for the lease. */
  readonly leads: boolean
  /** Empty if the resources are not split. */
  readonly shards: readonly Shard[]
  readonly kinds: readonly KindOverview[]
  /** How long requests stood ready before a worker took them. Absent: nothing is measured. */
  readonly wait?: Latency | undefined
  /** How long runs took. */
  readonly runs?: Latency | undefined
  /** Runs that go on although they were aborted, by kind. */
  readonly hung: readonly string[]
  /** Kinds whose changes are not seen now, because a watch is down. */
  readonly blind: readonly string[]
  /** Kinds whose controllers have failed and have not started again yet. */
  readonly failing: readonly string[]
}

export interface Shard {
  readonly index: number
  /** Whether this process works on it. */
  readonly held: boolean
  readonly resources: number
}

/** The queue of a kind. */
export interface KindOverview {
  /** `Memcached.cache.example.com`. */
  readonly kind: string
  /** How many requests are ready for a worker, by urgency. */
  readonly depth: Readonly<Record<string, number>>
}

/** Since the operator started. Times are milliseconds: at least so many percent took at most so long. */
export interface Latency {
  readonly count: number
  readonly p50: number
  readonly p95: number
}

/** Everything that a page holds without asking. */
export interface Model {
  /** By `keyOf`. */
  readonly rows: ReadonlyMap<string, ResourceRow>
  readonly overview: Overview | undefined
  /** Whether all resources have arrived that there were at the begin. */
  readonly isSynced: boolean
}

/** What is sent to a page. */
export type Increment =
  /** Everything known before is out of date: all rows follow. */
  | { readonly type: 'reset' }
  /** `gone`: keys of resources that exist no more. */
  | { readonly type: 'rows'; readonly rows: readonly ResourceRow[]; readonly gone: readonly string[] }
  /** All rows of this moment have been sent. */
  | { readonly type: 'synced' }
  | { readonly type: 'overview'; readonly overview: Overview }

export const EMPTY_MODEL: Model = { rows: new Map(), overview: undefined, isSynced: false }

/** Identifies a resource. */
export function keyOf({ group, kind, namespace, name }: ResourceName): string {
  return [group, kind, namespace, name].join('/')
}

/** The model after an increment. It changes nothing. */
export function applyIncrement(model: Model, increment: Increment): Model {
  switch (increment.type) {
    case 'reset':
      return { ...model, rows: new Map(), isSynced: false }
    case 'synced':
      return { ...model, isSynced: true }
    case 'overview':
      return { ...model, overview: increment.overview }
    case 'rows':
      return { ...model, rows: withRows(model.rows, increment) }
  }
}

function withRows(
  known: Model['rows'],
  { rows, gone }: Extract<Increment, { readonly type: 'rows' }>,
): ReadonlyMap<string, ResourceRow> {
  const next = new Map(known)
  for (const key of gone) next.delete(key)
  for (const row of rows) next.set(keyOf(row), row)
  return next
}
