import { Badge, ReadyBadge } from './badge.tsx'
import { Causes } from './causes.tsx'
import { formatAgo, formatName } from './format.ts'
import type { Condition, EventLine, ResourceDetails } from './model.ts'
import { RunList } from './run-list.tsx'
import { Said } from './said.tsx'
import { TaskGraph } from './task-graph.tsx'
import { ObjectList, TaskList } from './task-list.tsx'

export interface ResourceViewProps {
  readonly details: ResourceDetails
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Everything about one resource: first why it is as it is, then what it consists of, then what happened. */
export function ResourceView({ details, now }: ResourceViewProps) {
  const { tasks, edges, objects, runs, skipped, skippedAt } = details
  return (
    <article class="resource" aria-labelledby="resource-title">
      <Heading details={details} now={now} />
      <Causes details={details} now={now} />
      <section>
        <h3>Tasks</h3>
        <TaskGraph graph={{ tasks, edges, objects }} />
        <TaskList tasks={tasks} edges={edges} />
      </section>
      <section>
        <h3>Objects</h3>
        <ObjectList objects={objects} now={now} />
      </section>
      <section>
        <h3>Conditions</h3>
        <Conditions conditions={details.conditions} now={now} />
      </section>
      <section>
        <h3>Runs</h3>
        <RunList runs={runs} skipped={skipped} skippedAt={skippedAt} now={now} />
      </section>
      <section>
        <h3>Events</h3>
        <Events events={details.events} problem={details.eventsProblem} now={now} />
      </section>
    </article>
  )
}

function Heading({ details: { row }, now }: ResourceViewProps) {
  const { generation, observedGeneration } = row
  const isSeen = generation === undefined || generation === observedGeneration
  return (
    <header class="resource-head">
      <p class="kind muted">{row.group === '' ? row.kind : `${row.kind}.${row.group}`}</p>
      <h2 id="resource-title" tabIndex={-1}>
        {formatName(row)} <ReadyBadge row={row} />
      </h2>
      <p class="muted">
        Role {row.role ?? 'none'} · created {formatAgo(row.created, now)} ·{' '}
        {isSeen
          ? `generation ${generation ?? '–'} seen`
          : `generation ${generation}, seen ${observedGeneration ?? 'none'}`}
      </p>
      {row.ready !== 'True' && row.problems.length === 0 && row.message !== '' && (
        <p class="ready-message">
          <Said text={row.message} />
        </p>
      )}
    </header>
  )
}

function Conditions({ conditions, now }: { readonly conditions: readonly Condition[]; readonly now: number }) {
  if (conditions.length === 0) return <p class="muted">It has no conditions yet.</p>
  return (
    <ul class="conditions">
      {conditions.map(({ type, status, reason, message, since }) => (
        <li key={type}>
          <span class="item-head">
            <span class="item-name">{type}</span>
            <Badge tone="calm">{status}</Badge>
            <span>{reason}</span>
            <span class="muted">{formatAgo(since, now)}</span>
          </span>
          {message !== '' && (
            <span class="item-why">
              <Said text={message} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface EventsProps {
  readonly events: readonly EventLine[]
  readonly problem: string | undefined
  readonly now: number
}

function Events({ events, problem, now }: EventsProps) {
  if (problem !== undefined) return <p class="muted">{problem}</p>
  if (events.length === 0) return <p class="muted">There are no events.</p>
  return (
    <ul class="events">
      {events.map(({ type, reason, message, count, at, from }) => (
        <li key={`${at} ${reason} ${message}`}>
          <span class="item-head">
            <span class="item-name">{reason}</span>
            {type !== 'Normal' && <Badge tone="warn">{type}</Badge>}
            <span class="muted">
              {formatAgo(at, now)}
              {count > 1 ? `, ${count} times` : ''} · {from}
            </span>
          </span>
          <span class="item-why">
            <Said text={message} />
          </span>
        </li>
      ))}
    </ul>
  )
}
