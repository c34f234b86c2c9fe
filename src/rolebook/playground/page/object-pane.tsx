import { useState } from 'preact/hooks'
import { Badge } from '../../ui/badge.tsx'
import { formatName } from '../../ui/format.ts'
import type { ObjectView } from '../protocol.ts'
import type { PaneProps } from './store.ts'

/** What the form holds: an object to edit, or anything to apply. */
interface Draft {
  readonly verb: 'apply' | 'edit'
  readonly text: string
}

/** All objects with what `kubectl` would do to them, and a form for YAML. */
export function ObjectPane({ store, state }: PaneProps) {
  const [draft, setDraft] = useState<Draft>({ verb: 'apply', text: '' })
  const { objects = [] } = state.cluster ?? {}
  const edit = async (object: ObjectView): Promise<void> => {
    setDraft({ verb: 'edit', text: await store.yamlOf(object) })
    document.getElementById('manifest')?.focus()
  }
  const send = async (): Promise<void> => {
    await store.act({ type: draft.verb, text: draft.text }, draft.verb === 'apply' ? 'Applied.' : 'Edited.')
  }
  return (
    <>
      <ul class="objects" aria-label="Objects of the cluster">
        {objects.map((object) => (
          <ObjectLine key={object.uid} object={object} store={store} onEdit={() => void edit(object)} />
        ))}
      </ul>
      <div class="manifest">
        <label for="manifest">{draft.verb === 'apply' ? 'YAML to apply' : 'The object to edit'}</label>
        <textarea
          id="manifest"
          rows={12}
          spellcheck={false}
          value={draft.text}
          onInput={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
        />
        <button type="button" class="action" onClick={() => void send()}>
          {draft.verb === 'apply' ? 'Apply' : 'Save the edit'}
        </button>{' '}
        {draft.verb === 'edit' && (
          <button type="button" class="action" onClick={() => setDraft({ verb: 'apply', text: '' })}>
            Cancel
          </button>
        )}
      </div>
    </>
  )
}

interface ObjectLineProps extends Pick<PaneProps, 'store'> {
  readonly object: ObjectView
  onEdit(): void
}

const TONES = { ready: 'good', notReady: 'busy', failed: 'bad' } as const
const TEXTS = { ready: 'Ready', notReady: 'Not ready', failed: 'Failed' } as const

function ObjectLine({ object, store, onEdit }: ObjectLineProps) {
  const { kind, health, message, replicas } = object
  const name = `${kind} ${formatName(object)}`
  const scale = (change: number, text: string) => (
    <button
      type="button"
      class="action"
      aria-label={`Scale ${name} ${text}`}
      onClick={() => {
        const wanted = Math.max(0, (replicas ?? 0) + change)
        void store.act({ type: 'scale', object, replicas: wanted }, `${name} is scaled to ${wanted}.`)
      }}
    >
      {change > 0 ? '+' : '−'}
    </button>
  )
  return (
    <li>
      <span class="item-head">
        <span class="item-name">{name}</span>
        <Badge tone={TONES[health]}>{TEXTS[health]}</Badge>
      </span>
      {message !== '' && <span class="item-why">{message}</span>}
      <span class="actions">
        <button type="button" class="action" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </button>
        <button
          type="button"
          class="action"
          aria-label={`Delete ${name}`}
          onClick={() => void store.act({ type: 'delete', object }, `${name} is deleted.`)}
        >
          Delete
        </button>
        {replicas !== undefined && (
          <>
            {scale(-1, 'down')}
            <span class="muted">{replicas}</span>
            {scale(1, 'up')}
          </>
        )}
      </span>
    </li>
  )
}
