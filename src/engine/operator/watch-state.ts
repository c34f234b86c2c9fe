/** What is seen of the objects of a kind. */
export interface WatchState {
  readonly kind: string
  /** What happens now will be seen. */
  readonly live: boolean
  /** Its objects have been seen once. */
  readonly isSynced: boolean
  /** Whether the project watches the kind itself, and not only a role some objects of it. */
  readonly isMain: boolean
  /** Whether the project needs it. One for what only former roles made or patched may fail: its rights, or its kind, may be gone. */
  readonly isNeeded: boolean
  /** Milliseconds for which it has not been live. */
  readonly blindFor: number
}
