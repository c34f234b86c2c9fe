import { nearestName } from '../base/nearest-name.ts'
import type { Schema } from './schema.ts'
import { validate } from './validate.ts'

/**
 * What to write for a number, true or false where text is wanted: its quotes, which do not help where the schema refuses that text
 * as well.
 */
export function textHint(text: string, schema: Schema): string | undefined {
  if (validate(text, schema).length === 0) return `write "${text}"`
  const texts = schema.enum?.filter((one) => typeof one === 'string') ?? []
  const nearest = nearestName(text, texts)
  const described = describeTexts(schema)
  return nearest === undefined ? described && `it takes ${described}` : `did you mean "${nearest}"?`
}

function describeTexts({ enum: allowed, pattern, format, minLength, maxLength }: Schema): string | undefined {
  if (allowed !== undefined) return `one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`
  const rules = [
    ...(pattern === undefined ? [] : [`that matches '${pattern}'`]),
    ...(format === undefined ? [] : [`of the format ${format}`]),
    ...(minLength === undefined ? [] : [`of at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`of at most ${maxLength} characters`]),
  ]
  return rules.length === 0 ? undefined : `text ${rules.join(', ')}`
}
