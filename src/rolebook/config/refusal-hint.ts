import type { JsonValue } from '../../core/base/json.ts'
import { nearestName } from '../../core/base/nearest-name.ts'
import type { FieldError } from '../../core/schema/field-error.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { textHint } from '../../core/schema/text-hint.ts'

/** Types of schemas, after their names in other languages. */
const TYPES: readonly (readonly [readonly string[], string])[] = [
  [['bool'], 'boolean'],
  [['int', 'int32', 'int64', 'long'], 'integer'],
  [['float', 'double', 'decimal'], 'number'],
  [['str', 'text'], 'string'],
  [['list', 'slice'], 'array'],
  [['map', 'dict', 'struct'], 'object'],
]

interface RefusedValue {
  readonly value: JsonValue | undefined
  /** Its text in the file. */
  readonly written: string
  /** Of the field. Absent: it is not known what else is refused. */
  readonly schema?: Schema | undefined
}

/** What to write in place of a value that a server refuses, where that is plain. */
export function refusalHint(error: FieldError, { value, written, schema = {} }: RefusedValue): string | undefined {
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean'
  // A server speaks of the format where the schema has one.
  const wantsText = /\bmust be of type string\b/.test(error.detail) || schema.type === 'string'
  if (isUnquoted && wantsText && error.type === 'TypeInvalid') return textHint(written, schema)
  if (typeof value !== 'string' || error.type !== 'NotSupported') return undefined
  const [, list = ''] = /^supported values: (.*)$/.exec(error.detail) ?? []
  const names = [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
  const [, type = ''] = TYPES.find(([others]) => others.includes(value.toLowerCase())) ?? []
  const nearest = names.includes(type) ? type : nearestName(value, names)
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`
}
