import { CodedError } from '../../core/base/coded-error.ts'

/** Whether this process may change anything: of all processes of one installation, at most one may. */
export interface Leadership {
  /** Whether the lease is valid at this very moment, by the monotonic clock. Ask right before each write. */
  readonly leads: boolean
  /** Told of each change from then on, until the function returned is called. */
  onChange(listener: (leads: boolean) => void): () => void
}

/** For a process that shares its cluster with nobody. */
export const soleLeader: Leadership = { leads: true, onChange: () => () => undefined }

/** Of a write that was kept back. */
export function notLeading(): CodedError {
  return new CodedError('NotLeading', 'cannot write: another process may lead')
}

export function isNotLeading(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'NotLeading'
}
