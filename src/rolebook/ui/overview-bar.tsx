import { formatDuration } from './format.ts'
import { countsOf } from './list-state.ts'
import type { Latency, Model, Overview } from './model.ts'

/** The operator at a glance: how many resources are ready, what waits, and how fast it is. */
export function OverviewBar({ model }: { readonly model: Model }) {
  const { rows, overview } = model
  const counts = countsOf(rows.values())
  const queued = depthOf(overview)
  return (
    <section class="overview" aria-label="Overview">
      <dl class="figures">
        <Figure label="Ready" value={`${counts.all - counts.notReady} of ${counts.all}`} />
        <Figure label="Need attention" value={String(counts.attention)} isAlarm={counts.attention > 0} />
        <Figure label="In the queue" value={String(queued)} />
        <Figure label="Wait in the queue, p95" value={longest(overview?.wait)} />
        <Figure label="Duration of runs, p95" value={longest(overview?.runs)} />
        <Figure label="Runs" value={(overview?.runs?.count ?? 0).toLocaleString('en')} />
      </dl>
      {troublesOf(overview).map((trouble) => (
        <p key={trouble} class="trouble tone-bad" role="alert">
          {trouble}
        </p>
      ))}
    </section>
  )
}

function Figure({ label, value, isAlarm = false }: { label: string; value: string; isAlarm?: boolean }) {
  return (
    <div class={isAlarm ? 'figure is-alarm' : 'figure'}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function depthOf(overview: Overview | undefined): number {
  const depths = (overview?.kinds ?? []).flatMap(({ depth }) => Object.values(depth))
  return depths.reduce((sum, count) => sum + count, 0)
}

function longest(latency: Latency | undefined): string {
  return latency === undefined ? '–' : `≤ ${formatDuration(latency.p95)}`
}

function troublesOf(overview: Overview | undefined): readonly string[] {
  if (!overview) return []
  const { blind, failing, hung } = overview
  return [
    ...blind.map((kind) => `Changes of ${kind} are not seen now: the watch is down, and is opened again.`),
    ...failing.map((kind) => `The controller of ${kind} has failed, and starts again soon (see the log).`),
    ...hung.map((kind) => `A run of ${kind} goes on although it was aborted: its resource waits for its end.`),
  ]
}
