import type { Turn } from './long-turns.ts'
import type { Priority } from './priority.ts'

/** Which object to look at. It carries no version (versions are views of one object) and nothing of the event that led to it. */
export interface Request {
  readonly group: string
  readonly kind: string
  /** Empty for a cluster-scoped object. */
  readonly namespace: string
  readonly name: string
}

/** When to look again. An empty result means: only when something changes. */
export interface ReconcileResult {
  /** Look again after this many milliseconds at the latest. */
  readonly requeueAfter?: number | undefined
  /** The class in which `requeueAfter` queues. Defaults to `retry`. */
  readonly requeuePriority?: Priority | undefined
  /** Look again with the exponential backoff of the queue for this request (0.2 s … 5 min). Without it the backoff starts anew. */
  readonly retry?: boolean | undefined
  /** With `retry`: not before this many milliseconds, as a server may have asked. */
  readonly minimumDelay?: number | undefined
  /** The run gave up because it computes for long: again, with the backoff as it was, when the turn of long ones comes. */
  readonly needsLongTurn?: boolean | undefined
}

/** A run that was aborted at its deadline. */
export interface TimedOutRun {
  readonly request: Request
  readonly error: Error
  /** Whether it goes on all the same. */
  readonly isHung: boolean
  /** The signal that it was given. */
  readonly run: AbortSignal
}

/**
 * Brings one object to its declared state.
 *
 * Level-triggered: it is told which object, never what happened. It is never called twice at once for the same request.
 * What it throws is logged and retried like `{retry: true}`. `signal` aborts at the deadline of the run and when the controller stops. Without a long `turn`
 * it gives up what computes for long (`needsLongTurn`); without any it has all time.
 */
export interface Reconciler {
  reconcile(request: Request, signal: AbortSignal, turn?: Turn): Promise<ReconcileResult>
  /** Says on the object that a run was aborted at its deadline, and does nothing else: the run may go on. Defaults to saying nothing. */
  timedOut?(run: TimedOutRun, signal: AbortSignal): Promise<void>
}

/** The text that stands for a request as a key. */
export function requestKey({ group, kind, namespace, name }: Request): string {
  return `${kind}.${group}/${namespace}/${name}`
}
