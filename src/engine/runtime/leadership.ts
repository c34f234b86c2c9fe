import { CodedError } from '../../core/base/coded-error.ts'

/** Whether this process is the leader. At most one process of an installation is, and only the leader may write. */
export interface Leadership {
  /** Whether the lease is valid at this moment, by the monotonic clock. To be checked right before each write. */
  readonly leads: boolean
  /** Calls the listener with each change. The returned function ends that. */
  onChange(listener: (leads: boolean) => void): () => void
}

/** For a process without replicas: it always leads. */
export const soleLeader: Leadership = { leads: true, onChange: () => () => undefined }

/** The error of a write that was not sent because the process may not lead any more. */
export function notLeading(): CodedError {
  return new CodedError('NotLeading', 'cannot write: another process may lead')
}

export function isNotLeading(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'NotLeading'
}
