/** The state of a watch. */
export interface WatchState {
  readonly kind: string
  /** Whether changes are delivered now. */
  readonly live: boolean
  /** Whether its objects have been listed once. */
  readonly isSynced: boolean
  /** Whether the project has a watch entry for the kind. Else only a role uses it. */
  readonly isMain: boolean
  /** Whether the project needs the watch. One that only former roles needed may fail, since the right or the kind may be gone. */
  readonly isNeeded: boolean
  /** How many milliseconds it has not been live. */
  readonly blindFor: number
}
