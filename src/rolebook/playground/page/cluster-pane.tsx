import { useEffect, useState } from 'preact/hooks'
import { ReadyBadge } from '../../ui/badge.tsx'
import { formatName } from '../../ui/format.ts'
import type { ResourceRow } from '../../ui/model.ts'
import { ResourceView } from '../../ui/resource-view.tsx'
import type { ClusterState } from '../protocol.ts'
import { ObjectPane } from './object-pane.tsx'
import type { PaneProps, Store } from './store.ts'
import { TestPane } from './test-pane.tsx'
import { WriteList } from './write-list.tsx'

const VIEWS = ['Resources', 'Objects', 'Writes', 'Tests'] as const
type View = (typeof VIEWS)[number]

/** The cluster: what runs on it, and what a person can do to it. */
export function ClusterPane({ store, state }: PaneProps) {
  const [view, setView] = useState<View>('Resources')
  const { cluster, writes } = state
  return (
    <section class="cluster" aria-labelledby="cluster-title">
      <h2 id="cluster-title" class="pane-title">
        Cluster
      </h2>
      {cluster && <Controls store={store} cluster={cluster} />}
      <fieldset class="choice is-views">
        <legend class="visually-hidden">What is shown of the cluster</legend>
        {VIEWS.map((one) => (
          <button key={one} type="button" data-view={one} aria-pressed={one === view} onClick={() => setView(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <section class="cluster-body" aria-label={view} tabIndex={0}>
        {view === 'Resources' && <Resources store={store} state={state} />}
        {view === 'Objects' && <ObjectPane store={store} state={state} />}
        {view === 'Writes' && <WriteList writes={writes} />}
        {view === 'Tests' && <TestPane store={store} state={state} />}
      </section>
    </section>
  )
}

function Controls({ store, cluster }: { readonly store: Store; readonly cluster: ClusterState }) {
  const { isClockRunning, isConnected, isIdle } = cluster
  const now = useNow(cluster)
  const move = (milliseconds: number, text: string) => (
    <button
      type="button"
      class="action"
      aria-label={`Move the clock ${text} forward`}
      onClick={() => void store.act({ type: 'advance', milliseconds }, `The clock was moved ${text} forward.`)}
    >
      +{text}
    </button>
  )
  return (
    <div class="controls">
      <time dateTime={new Date(now).toISOString()}>{new Date(now).toISOString().slice(11, 19)}</time>
      <button
        type="button"
        class="action"
        aria-pressed={!isClockRunning}
        onClick={() => void store.act({ type: 'runClock', isRunning: !isClockRunning }, clockText(!isClockRunning))}
      >
        Stop the clock
      </button>
      {move(60_000, '1 min')}
      {move(3_600_000, '1 h')}
      <button
        type="button"
        class="action"
        aria-pressed={!isConnected}
        onClick={() => void store.act({ type: 'connect', isConnected: !isConnected }, serverText(!isConnected))}
      >
        Server away
      </button>
      <span class="muted">{isIdle ? 'The operator rests.' : 'The operator works…'}</span>
    </div>
  )
}

/** The time of the cluster, which goes on while nothing happens. */
function useNow(cluster: ClusterState): number {
  const [now, setNow] = useState(cluster.now)
  useEffect(() => {
    const began = performance.now()
    setNow(cluster.now)
    if (!cluster.isClockRunning) return undefined
    const timer = setInterval(() => setNow(cluster.now + performance.now() - began), SECOND)
    return () => clearInterval(timer)
  }, [cluster])
  return now
}

const SECOND = 1000

function clockText(isRunning: boolean): string {
  return isRunning ? 'The clock runs.' : 'The clock stands still.'
}

function serverText(isConnected: boolean): string {
  return isConnected ? 'The operator reaches the API server again.' : 'The operator does not reach the API server.'
}

function Resources({ store, state }: PaneProps) {
  const { cluster, selected, details } = state
  if (!cluster) return <p class="empty muted">There is no cluster yet.</p>
  if (cluster.rows.length === 0) {
    return <p class="empty muted">There are no resources yet: apply one under Objects, and it appears here.</p>
  }
  return (
    <>
      {cluster.rows.length > 1 && <Rows store={store} rows={cluster.rows} selected={selected} />}
      {details && <ResourceView key={details.row.uid} details={details} now={cluster.now} />}
    </>
  )
}

interface RowsProps extends Pick<PaneProps, 'store'> {
  readonly rows: readonly ResourceRow[]
  readonly selected: string | undefined
}

/** To choose one of several resources. */
function Rows({ store, rows, selected }: RowsProps) {
  return (
    <ul class="rows" aria-label="Resources">
      {rows.map((row) => (
        <li key={row.uid}>
          <button
            type="button"
            data-name={row.name}
            aria-current={row.uid === selected ? 'true' : undefined}
            onClick={() => store.select(row.uid)}
          >
            <span class="muted">{row.kind}</span> {formatName(row)} <ReadyBadge row={row} />
          </button>
        </li>
      ))}
    </ul>
  )
}
