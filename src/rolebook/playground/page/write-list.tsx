import { FieldChanges } from '../../ui/field-changes.tsx'
import { formatName } from '../../ui/format.ts'
import type { WriteView } from '../protocol.ts'

/** Who wrote what and when, the latest first, field by field. */
export function WriteList({ writes }: { readonly writes: readonly WriteView[] }) {
  if (writes.length === 0) return <p class="empty muted">Nothing was written yet.</p>
  return (
    <ol class="writes" aria-label="Writes, the latest first">
      {writes.map(({ number, at, verb, object, by, fields, more }) => (
        <li key={number}>
          <span class="item-head">
            <time class="muted" dateTime={new Date(at).toISOString()}>
              {new Date(at).toISOString().slice(11, 19)}
            </time>{' '}
            <span class="item-name">
              {object.kind} {formatName(object)}
            </span>{' '}
            <span>{verb}</span> {by !== '' && <span class="muted">by {by}</span>}
          </span>
          {fields.length > 0 && <FieldChanges fields={fields} />}
          {more > 0 && <p class="muted">and {more} fields more</p>}
        </li>
      ))}
    </ol>
  )
}
