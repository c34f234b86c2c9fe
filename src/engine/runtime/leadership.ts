import { CodedError } from '../../core/base/coded-error.ts'
import type { ObjectKey } from '../../core/kube/object.ts'

/** Whether this process is the leader. At most one process of an installation is, and only the leader may write. */
export interface Leadership {
  /** Whether the lease is valid at this moment, by the monotonic clock. To be checked right before each write. */
  readonly leads: boolean
  /** Calls the listener with each change. The returned function ends that. */
  onChange(listener: (leads: boolean) => void): () => void
}

/** A share of the resources. At most one process leads it, and only that process may write for them. */
export interface Shard extends Leadership {
  /** From 0 to `count - 1`. */
  readonly index: number
  /** How many shards there are. */
  readonly count: number
  owns(key: ObjectKey): boolean
  /** The index of the shard that owns a resource. */
  indexFor(key: ObjectKey): number
  /** Calls `finish` before the shard is given to another process, which happens once `finish` resolves. */
  beforeRelease(finish: () => Promise<void>): void
}

/** For a process without replicas: it always leads. */
export const soleLeader: Leadership = { leads: true, onChange: () => () => undefined }

/** All resources as one shard. */
export function wholeOf(leadership: Leadership): Shard {
  return {
    index: 0,
    count: 1,
    owns: () => true,
    indexFor: () => 0,
    beforeRelease: () => undefined,
    get leads() {
      return leadership.leads
    },
    onChange: (listener) => leadership.onChange(listener),
  }
}

/** The error of a write that was not sent because the process may not lead any more. */
export function notLeading(): CodedError {
  return new CodedError('NotLeading', 'cannot write: another process may lead')
}

export function isNotLeading(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'NotLeading'
}
