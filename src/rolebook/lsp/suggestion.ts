/** Something that may stand at the cursor. */
export interface Suggestion {
  readonly label: string
  readonly kind: 'task' | 'field' | 'value' | 'variable' | 'function' | 'file' | 'name'
  /** In one line. */
  readonly detail?: string | undefined
  /** Markdown. */
  readonly doc?: string | undefined
  /** Smaller ones come first; those of one rank by their label. */
  readonly rank: number
  /** Defaults to the label. */
  readonly insert?: string | undefined
}
