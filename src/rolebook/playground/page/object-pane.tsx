import { useEffect, useRef, useState } from 'preact/hooks'
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
  const [draft, setDraft] = useState(EMPTY)
  const [isOpen, setOpen] = useState(false)
  const { objects = [] } = state.cluster ?? {}
  const edit = async (object: ObjectView): Promise<void> => {
    setDraft({ verb: 'edit', text: await store.yamlOf(object) })
    setOpen(true)
  }
  const send = async (): Promise<void> => {
    await store.act({ type: draft.verb, text: draft.text }, draft.verb === 'apply' ? 'Applied.' : 'Edited.')
  }
  const cancel = (): void => {
    setDraft(EMPTY)
    setOpen(false)
  }
  return (
    <>
      {isOpen ? (
        <ManifestForm
          draft={draft}
          onInput={(text) => setDraft({ ...draft, text })}
          onSend={() => void send()}
          onCancel={cancel}
        />
      ) : (
        <p class="objects-head">
          <button type="button" class="action" onClick={() => setOpen(true)}>
            Apply YAML
          </button>
        </p>
      )}
      <ul class="objects" aria-label="Objects of the cluster">
        {objects.map((object) => (
          <ObjectLine key={object.uid} object={object} store={store} onEdit={() => void edit(object)} />
        ))}
      </ul>
    </>
  )
}

const EMPTY: Draft = { verb: 'apply', text: '' }

interface ManifestFormProps {
  readonly draft: Draft
  onInput(text: string): void
  onSend(): void
  onCancel(): void
}

function ManifestForm({ draft: { verb, text }, onInput, onSend, onCancel }: ManifestFormProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [verb])
  return (
    <div class="manifest">
      <label for="manifest">{verb === 'apply' ? 'YAML to apply' : 'The object to edit'}</label>
      <textarea
        id="manifest"
        rows={14}
        spellcheck={false}
        value={text}
        ref={area}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <button type="button" class="action is-main" onClick={onSend}>
        {verb === 'apply' ? 'Apply' : 'Save the edit'}
      </button>{' '}
      <button type="button" class="action" onClick={onCancel}>
        Cancel
      </button>
    </div>
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
  const verb = kind === 'Pod' ? 'Kill' : 'Delete'
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
      <span class="object-line">
        <span class="object-name">
          <span class="muted">{kind}</span> <span class="item-name">{formatName(object)}</span>
        </span>
        <Badge tone={TONES[health]}>{TEXTS[health]}</Badge>
        <span class="actions">
          {replicas !== undefined && (
            <>
              {scale(-1, 'down')}
              <span class="muted">{replicas}</span>
              {scale(1, 'up')}
            </>
          )}
          <button type="button" class="action" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </button>
          <button
            type="button"
            class="action"
            aria-label={`${verb} ${name}`}
            onClick={() => void store.act({ type: 'delete', object }, `${name} is deleted.`)}
          >
            {verb}
          </button>
        </span>
      </span>
      {message !== '' && <span class="item-after muted">{message}</span>}
    </li>
  )
}
