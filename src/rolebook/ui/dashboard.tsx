import type { ComponentChildren } from 'preact'
import { Badge } from './badge.tsx'
import type { Model, ResourceDetails } from './model.ts'
import { OverviewBar } from './overview-bar.tsx'
import { ResourceList } from './resource-list.tsx'
import { ResourceView } from './resource-view.tsx'

export interface DashboardProps {
  readonly model: Model
  /** Why what is shown may be old. Absent: it is live. */
  readonly problem: string | undefined
  /** The key of the resource that is open. */
  readonly selected: string | undefined
  /** Of that resource; `missing`: there is none. Absent: they have not arrived yet. */
  readonly details: ResourceDetails | 'missing' | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  hrefOf(key: string): string
}

/** A page about an operator and all of its resources. */
export function Dashboard({ model, problem, selected, details, now, hrefOf }: DashboardProps) {
  return (
    <div class={selected === undefined ? 'dashboard' : 'dashboard has-selection'}>
      <Header model={model} problem={problem} />
      <OverviewBar model={model} />
      <main class="panes">
        <ResourceList model={model} selected={selected} hrefOf={hrefOf} />
        <div class="pane">
          {selected !== undefined && (
            <a class="back" href="#/">
              ← All resources
            </a>
          )}
          <Pane selected={selected} details={details} now={now} />
        </div>
      </main>
    </div>
  )
}

function Header({ model: { overview }, problem }: Pick<DashboardProps, 'model' | 'problem'>) {
  return (
    <header class="bar">
      <h1>
        <a href="#/">rolebook</a>
      </h1>
      {overview && <span class="muted instance">{overview.instance}</span>}
      <span class="bar-end" role="status">
        {problem === undefined ? (
          overview && <Badge tone={overview.leads ? 'good' : 'calm'}>{overview.leads ? 'Live' : 'Standby'}</Badge>
        ) : (
          <Badge tone="warn">{problem}</Badge>
        )}
      </span>
    </header>
  )
}

function Pane({ selected, details, now }: Pick<DashboardProps, 'selected' | 'details' | 'now'>) {
  if (selected === undefined) return <Hint>Choose a resource to see why it is as it is.</Hint>
  if (details === undefined) return <Hint>Reading the resource…</Hint>
  if (details === 'missing') return <Hint>There is no such resource any more.</Hint>
  return <ResourceView key={details.row.uid} details={details} now={now} />
}

function Hint({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty muted">{children}</p>
}
