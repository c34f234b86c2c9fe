import type { ComponentChildren } from 'preact'
import { FieldChanges } from './field-changes.tsx'
import { formatAgo, formatCount } from './format.ts'
import type { Deletion, Fight, Problem, ResourceDetails, Rollout } from './model.ts'
import { Said } from './said.tsx'

const TITLES: Readonly<Record<Problem['kind'], string>> = {
  rollout: 'The rollout is halted',
  fight: 'Another client fights over a field',
  deletion: 'The deletion is stuck',
  failure: 'A run fails',
}

export interface CausesProps {
  readonly details: ResourceDetails
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Why a resource is not as it should be, with what one needs to mend it. */
export function Causes({ details, now }: CausesProps) {
  const { row, rollouts, fights, deletion } = details
  const isStuck = row.problems.some(({ kind }) => kind === 'deletion')
  const failures = row.problems.filter(({ kind }) => kind === 'failure')
  return (
    <>
      {deletion && <DeletionCause deletion={deletion} isStuck={isStuck} now={now} />}
      {rollouts
        .filter(({ state }) => state !== 'complete')
        .map((rollout) => (
          <RolloutCause key={rollout.object} rollout={rollout} now={now} />
        ))}
      {fights.map((fight) => (
        <FightCause key={fight.message} fight={fight} />
      ))}
      {failures.map(({ message }) => (
        <Cause key={message} title={TITLES.failure} tone="bad">
          <p>
            <Said text={message} />
          </p>
        </Cause>
      ))}
    </>
  )
}

interface CauseProps {
  readonly title: string
  readonly tone: 'bad' | 'warn' | 'busy'
  readonly children: ComponentChildren
}

function Cause({ title, tone, children }: CauseProps) {
  return (
    <section class={`cause tone-${tone}`}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function RolloutCause({ rollout, now }: { readonly rollout: Rollout; readonly now: number }) {
  const { object, state, wanted, ready, images, message, causedBy } = rollout
  const isHalted = state === 'halted'
  return (
    <Cause title={isHalted ? TITLES.rollout : 'A rollout is under way'} tone={isHalted ? 'bad' : 'busy'}>
      <p>
        <strong>{object}</strong>: <Said text={message} />
      </p>
      <p class="progress">
        <progress value={ready} max={Math.max(1, wanted)} aria-label={`New pods of ${object} that are ready`} />
        <span>
          {ready} of {wanted} new pods are ready
        </span>
      </p>
      {images.length > 0 && (
        <p>
          {images.length === 1 ? 'Image ' : 'Images '}
          {images.map((image) => (
            <code key={image}>{image}</code>
          ))}
        </p>
      )}
      {causedBy && (
        <>
          <p class="cause-before">The last change, {formatAgo(causedBy.at, now)}:</p>
          <FieldChanges fields={causedBy.fields} />
        </>
      )}
    </Cause>
  )
}

const OWN_FIELD = 'Let one of the two own the field: stop the other client, or take the field out of the role.'
const OWN_OBJECT = 'Let one of the two own the object: stop the other client, or take the object out of the role.'

function FightCause({ fight }: { readonly fight: Fight }) {
  const { object, fields, by, corrections, isGivenUp, message } = fight
  return (
    <Cause title={TITLES.fight} tone={isGivenUp ? 'bad' : 'warn'}>
      <p>
        <Said text={message} />
      </p>
      <dl class="facts">
        <dt>Object</dt>
        <dd>{object}</dd>
        {fields.length > 0 && (
          <>
            <dt>{fields.length === 1 ? 'Field' : 'Fields'}</dt>
            <dd>
              {fields.map((field) => (
                <code key={field}>{field}</code>
              ))}
            </dd>
          </>
        )}
        <dt>Changed by</dt>
        <dd>{by === '' ? 'another client' : <code>{by}</code>}</dd>
        {corrections > 0 && (
          <>
            <dt>Put back</dt>
            <dd>
              {formatCount(corrections, 'time')}
              {isGivenUp ? '; it is left alone for a while now' : ''}
            </dd>
          </>
        )}
      </dl>
      <p class="muted">{fields.length > 0 ? OWN_FIELD : OWN_OBJECT}</p>
    </Cause>
  )
}

interface DeletionCauseProps {
  readonly deletion: Deletion
  readonly isStuck: boolean
  readonly now: number
}

function DeletionCause({ deletion, isStuck, now }: DeletionCauseProps) {
  const { since, blockers } = deletion
  return (
    <Cause title={isStuck ? TITLES.deletion : 'The resource is being deleted'} tone={isStuck ? 'bad' : 'busy'}>
      <p>It was deleted {formatAgo(since, now)}. Before it is gone:</p>
      <ol>
        {blockers.map(({ name, message }) => (
          <li key={name}>{message}</li>
        ))}
      </ol>
    </Cause>
  )
}
