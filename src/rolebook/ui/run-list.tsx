import { Badge, type Tone } from './badge.tsx'
import { describeTrigger } from './describe-trigger.ts'
import { FieldChanges } from './field-changes.tsx'
import { formatAge, formatAgo, formatCount, formatDuration } from './format.ts'
import type { Run, RunObject, RunTask } from './model.ts'
import { Said } from './said.tsx'

export interface RunListProps {
  readonly runs: readonly Run[]
  readonly skipped: number
  readonly skippedAt?: number | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The last runs: why each began, what it changed field by field, and who had changed it before. */
export function RunList({ runs, skipped, skippedAt, now }: RunListProps) {
  return (
    <>
      {skipped > 0 && (
        <p class="muted">
          Since the last run nothing had changed, {formatCount(skipped, 'time')}
          {skippedAt === undefined ? '' : `, the last ${formatAge(now - skippedAt)} ago`}.
        </p>
      )}
      {runs.length === 0 && (
        <p class="muted">No run is remembered: the operator has done its part, or has just started.</p>
      )}
      <ol class="runs">
        {runs.map((run, index) => (
          <li key={run.at}>
            <details open={index === 0}>
              <summary>
                <RunHead run={run} now={now} />
              </summary>
              <RunBody run={run} />
            </details>
          </li>
        ))}
      </ol>
    </>
  )
}

const TONES: Readonly<Record<string, Tone>> = {
  complete: 'good',
  waiting: 'busy',
  deleting: 'busy',
  failed: 'bad',
}

function RunHead({ run, now }: { readonly run: Run; readonly now: number }) {
  const changes = run.tasks.reduce((sum, { objects = [] }) => sum + objects.filter(isWrite).length, 0)
  const removed = run.removed?.length ?? 0
  const did = changes + removed === 0 ? 'changed nothing' : `changed ${formatCount(changes + removed, 'object')}`
  return (
    <>
      <Badge tone={TONES[run.outcome] ?? 'calm'}>{run.outcome}</Badge>
      <time dateTime={run.at}>{formatAgo(run.at, now)}</time>
      <span>{did}</span>
      <span class="muted">
        {run.woken.map(describeTrigger).join('; ')} · {formatDuration(run.milliseconds)}
      </span>
    </>
  )
}

function RunBody({ run }: { readonly run: Run }) {
  const { tasks, more = 0, removed = [], status = [], ready, requests } = run
  const sent = Object.entries(requests).map(([verb, count]) => `${count} ${verb}`)
  return (
    <div class="run-body">
      {ready !== undefined && (
        <p>
          <Said text={ready} />
        </p>
      )}
      <ul class="run-tasks">
        {tasks.map((task, index) => (
          <RunTaskItem key={index} task={task} />
        ))}
      </ul>
      {more > 0 && <p class="muted">and {formatCount(more, 'task')} more</p>}
      {removed.length > 0 && <p>Removed: {removed.join(', ')}</p>}
      <p class="muted">
        {status.length > 0 ? `Status written: ${status.join(', ')}. ` : ''}
        Requests: {sent.length === 0 ? 'none' : sent.join(', ')}.
      </p>
    </div>
  )
}

function RunTaskItem({ task }: { readonly task: RunTask }) {
  const { name, item, outcome, why = [], objects = [] } = task
  const shown = objects.filter((object) => isWrite(object) || object.did === 'missing')
  if (shown.length === 0 && why.length === 0) return null
  return (
    <li>
      <span class="item-head">
        <span class="item-name">{item === undefined ? name : `${name} [${item}]`}</span>
        <span class="muted">{outcome}</span>
      </span>
      {why.map((reason) => (
        <span key={reason} class="item-why">
          <Said text={reason} />
        </span>
      ))}
      {shown.map((object, index) => (
        <ObjectChange key={index} object={object} />
      ))}
    </li>
  )
}

function ObjectChange({
  object: { object, did, fields = [], more = 0, lost = [], by },
}: {
  readonly object: RunObject
}) {
  const who = by === undefined ? 'another client' : by
  return (
    <div class="object-change">
      {VERBS[did]} {object}
      {lost.length > 0 && (
        <span>
          : <strong>{who}</strong> had changed {lost.join(', ')}
        </span>
      )}
      {fields.length > 0 && <FieldChanges fields={fields} />}
      {more > 0 && <p class="muted">and {formatCount(more, 'field')} more</p>}
    </div>
  )
}

const VERBS: Readonly<Record<RunObject['did'], string>> = {
  read: 'Read',
  listed: 'Listed',
  missing: 'Found no',
  unchanged: 'Left',
  created: 'Created',
  adopted: 'Adopted',
  changed: 'Changed',
  corrected: 'Put back',
}

function isWrite({ did }: RunObject): boolean {
  return did === 'created' || did === 'adopted' || did === 'changed' || did === 'corrected'
}
