import type { Turn } from './long-turns.ts'
import type { Priority } from './priority.ts'

/** Which object to reconcile. It has no version, since versions are views of one object, and nothing of the event that caused it. */
export interface Request {
  readonly group: string
  readonly kind: string
  /** Empty for a cluster-scoped object. */
  readonly namespace: string
  readonly name: string
}

/** When to reconcile again. An empty result means: only when something changes. */
export interface ReconcileResult {
  /** Reconcile again after this many milliseconds at the latest. */
  readonly requeueAfter?: number | undefined
  /** The class in which `requeueAfter` queues. Defaults to `retry`. */
  readonly requeuePriority?: Priority | undefined
  /** Reconcile again with the exponential backoff of the queue (0.2 s … 5 min). Without it the backoff starts anew. */
  readonly retry?: boolean | undefined
  /** With `retry`: the least number of milliseconds, which a server may have asked for. */
  readonly minimumDelay?: number | undefined
  /** The run gave up because it computes for long. It is queued again as a long run, with its backoff unchanged. */
  readonly needsLongTurn?: boolean | undefined
}

/** A run that was aborted at its deadline. */
export interface TimedOutRun {
  readonly request: Request
  readonly error: Error
  /** Whether it continues in spite of that. */
  readonly isHung: boolean
  /** The signal that the run was given. */
  readonly run: AbortSignal
}

/**
 * Brings one object to its declared state.
 *
 * It is level-triggered: it gets the object and not what happened. It is never called twice at once for the same request. What it throws is
 * logged and retried like `{retry: true}`. `signal` aborts at the deadline of the run and when the controller stops. With a short `turn` it
 * gives up what computes for long (`needsLongTurn`); without a turn it may compute as long as it needs.
 */
export interface Reconciler {
  reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult>
  /** Reports on the object that a run was aborted at its deadline, and does nothing else, since the run may continue. */
  timedOut?(run: TimedOutRun, signal: AbortSignal): Promise<void>
}

/** The key of a request, as text. */
export function requestKey({ group, kind, namespace, name }: Request): string {
  return `${kind}.${group}/${namespace}/${name}`
}
