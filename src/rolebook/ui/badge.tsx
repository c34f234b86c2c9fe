import type { ComponentChildren } from 'preact'
import type { ResourceRow } from './model.ts'

/** What a colour means. It never is the only sign. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'calm'

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge tone-${tone}`}>{children}</span>
}

export function ReadyBadge({ row }: { readonly row: ResourceRow }) {
  const { tone, text } = readyOf(row)
  return <Badge tone={tone}>{text}</Badge>
}

function readyOf({ ready, reason, problems, deleting }: ResourceRow): { readonly tone: Tone; readonly text: string } {
  const hasProblem = problems.length > 0
  if (deleting !== undefined) return { tone: hasProblem ? 'bad' : 'busy', text: 'Deleting' }
  if (ready === 'True') return { tone: hasProblem ? 'warn' : 'good', text: 'Ready' }
  if (ready === 'Unknown') return { tone: 'calm', text: 'Not run yet' }
  return { tone: hasProblem ? 'bad' : 'busy', text: reason === 'NotReady' || reason === '' ? 'Not ready' : reason }
}
