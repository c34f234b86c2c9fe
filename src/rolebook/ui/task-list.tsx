import { Badge, type Tone } from './badge.tsx'
import { formatAgo, formatDuration, formatName } from './format.ts'
import type { ObjectNode, OwnedObjects, TaskEdge, TaskNode } from './model.ts'
import { Said } from './said.tsx'

const TONES: Readonly<Record<TaskNode['state'], Tone>> = {
  changed: 'good',
  unchanged: 'good',
  skipped: 'calm',
  idle: 'calm',
  waiting: 'busy',
  failed: 'bad',
}

export interface TaskListProps {
  readonly tasks: readonly TaskNode[]
  readonly edges: readonly TaskEdge[]
}

/** The tasks of a role: what each came to in the last run, and what it waits for. */
export function TaskList({ tasks, edges }: TaskListProps) {
  const names = new Map(tasks.map(({ id, name }) => [id, name]))
  return (
    <ol class="tasks">
      {tasks.map((task) => (
        <li key={task.id} class={task.within === undefined ? '' : 'is-within'}>
          <span class="item-head">
            <span class="item-name">{task.name}</span>
            <span class="muted">{task.kind}</span>
            <Badge tone={TONES[task.state]}>{task.state === 'idle' ? 'not reached' : task.state}</Badge>
            {task.milliseconds !== undefined && <span class="muted">{formatDuration(task.milliseconds)}</span>}
          </span>
          {task.why.map((reason) => (
            <span key={reason} class="item-why">
              <Said text={reason} />
            </span>
          ))}
          <After edges={edges.filter(({ to }) => to === task.id)} names={names} />
        </li>
      ))}
    </ol>
  )
}

function After({ edges, names }: { readonly edges: readonly TaskEdge[]; readonly names: ReadonlyMap<string, string> }) {
  if (edges.length === 0) return null
  const texts = edges.map(({ from, reason }) => `${names.get(from)} (${reason})`)
  return <span class="muted item-after">after {texts.join(', ')}</span>
}

const HEALTH: Readonly<Record<ObjectNode['health'], { readonly tone: Tone; readonly text: string }>> = {
  ready: { tone: 'good', text: 'ready' },
  notReady: { tone: 'busy', text: 'not ready' },
  failed: { tone: 'bad', text: 'failed' },
}

export interface ObjectListProps {
  readonly objects: readonly ObjectNode[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The objects that were made for a resource, each with its health. */
export function ObjectList({ objects, now }: ObjectListProps) {
  if (objects.length === 0) return <p class="muted">No object is made for it.</p>
  return (
    <ul class="objects">
      {objects.map((object) => {
        const { tone, text } = object.deleting === undefined ? HEALTH[object.health] : DELETING
        return (
          <li key={object.uid}>
            <span class="item-head">
              <span class="item-name">{formatName(object)}</span>
              <span class="muted">{object.kind}</span>
              <Badge tone={tone}>{text}</Badge>
              <span class="muted">{formatAgo(object.created, now)}</span>
            </span>
            {object.message !== '' && <span class="item-why">{object.message}</span>}
            {object.finalizers.length > 0 && (
              <span class="muted item-after">finalizers: {object.finalizers.join(', ')}</span>
            )}
            {object.owned && <OwnedList owner={`${object.kind} ${formatName(object)}`} owned={object.owned} />}
          </li>
        )
      })}
    </ul>
  )
}

/** What an object owns, as a list within its line. */
function OwnedList({
  owner,
  owned: { nodes, more, moreUnready },
}: {
  readonly owner: string
  readonly owned: OwnedObjects
}) {
  if (nodes.length === 0) return null
  return (
    <ul class="owned" aria-label={`Owned by ${owner}`}>
      {nodes.map(({ uid, kind, name, health, message, status, owned }) => (
        <li key={uid}>
          <span class="item-head">
            <span>{name}</span>
            <span class="muted">{kind}</span>
            <Badge tone={HEALTH[health].tone}>{status === '' ? HEALTH[health].text : status}</Badge>
          </span>
          {message !== '' && <span class="item-after muted">{message}</span>}
          <OwnedList owner={`${kind} ${name}`} owned={owned} />
        </li>
      ))}
      {more > 0 && (
        <li class="muted">
          +{more} more, {moreUnready === 0 ? 'all ready' : `${moreUnready} not ready`}
        </li>
      )}
    </ul>
  )
}

const DELETING = { tone: 'busy', text: 'being deleted' } as const
