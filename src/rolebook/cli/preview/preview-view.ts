import type { Preview } from './preview.ts'
import type { PartDiff } from './preview-diff.ts'

/** Shows a preview as it changes: on a screen all that there is, in a pipe what has changed. */
export interface PreviewView {
  show(state: PreviewState): void
  stop(): void
}

export interface PreviewState {
  /** The last one that could be rendered. Absent: there is none yet. */
  readonly preview?: Preview | undefined
  /** How it differs from the last good one before it. Absent: there is none before it. */
  readonly diff?: readonly PartDiff[] | undefined
  /** What is wrong, and what is waited for. Empty: nothing. */
  readonly said: string
}
