import type { JsonValue } from '../../core/base/json.ts'
import { nearestName } from '../../core/base/nearest-name.ts'
import type { FieldError } from '../../core/schema/field-error.ts'

/** What to write in place of a value that a server refuses, where that is plain. `written` is its text in the file. */
export function refusalHint(error: FieldError, value: JsonValue | undefined, written: string): string | undefined {
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean'
  if (isUnquoted && /\bmust be of type string\b/.test(error.detail)) return `write "${written}"`
  if (typeof value !== 'string' || error.type !== 'NotSupported') return undefined
  const [, list = ''] = /^supported values: (.*)$/.exec(error.detail) ?? []
  const nearest = nearestName(
    value,
    [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name),
  )
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`
}
