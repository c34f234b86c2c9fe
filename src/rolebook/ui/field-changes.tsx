import type { FieldChange } from './model.ts'

/** Fields with their value before and after. */
export function FieldChanges({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <ul class="changes">
      {fields.map(({ field, from, to, expression }) => (
        <li key={field}>
          <code class="field">{field}</code>{' '}
          {from !== undefined && (
            <del>
              <code>{from}</code>
            </del>
          )}{' '}
          {to === undefined ? (
            <span class="muted">removed</span>
          ) : (
            <ins>
              <code>{to}</code>
            </ins>
          )}
          {expression !== undefined && (
            <span class="muted">
              {' '}
              by <code>{expression}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
