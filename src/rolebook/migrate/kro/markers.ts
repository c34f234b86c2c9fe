import type { JsonValue } from '../../../core/base/json.ts'
import { Undecided } from '../undecided.ts'
import type { NewSchema } from './new-schema.ts'

/** What stands behind the type of a field: `required=true default="a" minimum=1`. @throws Undecided */
export function readMarkers(
  text: string,
  { type }: NewSchema,
): { readonly schema: NewSchema; readonly required: boolean } {
  const schema: NewSchema = {}
  let required = false
  for (const [name, value] of splitMarkers(text)) {
    if (name === 'required') required = value === 'true'
    else if (name === 'default') schema.default = defaultOf(value, type)
    else applyMarker(name, value, schema, type)
  }
  return { schema, required }
}

function applyMarker(name: string, value: string, schema: NewSchema, type: NewSchema['type']): void {
  const keys: readonly string[] = schema['x-kubernetes-list-map-keys'] ?? []
  if (name === 'description' || name === 'pattern') schema[name] = value
  else if (NUMBERS.has(name)) schema[name as 'minimum'] = numberOf(value, name)
  else if (name === 'enum')
    schema.enum = value.split(',').map((one) => (type === 'integer' ? numberOf(one, name) : one.trim()))
  else if (name === 'validation') addRule(schema, value, 'validation failed')
  else if (name === 'immutable') value === 'true' && addRule(schema, 'self == oldSelf', 'field is immutable')
  else if (name === 'uniqueItems') value === 'true' && Object.assign(schema, { 'x-kubernetes-list-type': 'set' })
  else if (name === 'listType') Object.assign(schema, { 'x-kubernetes-list-type': value })
  else if (name === 'listMapKey') schema['x-kubernetes-list-map-keys'] = [...keys, value]
  else throw new Undecided('RB1705', `there is no marker \`${name}\``)
}

const NUMBERS: ReadonlySet<string> = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'])

function addRule(schema: NewSchema, rule: string, message: string): void {
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), { rule, message }]
}

function numberOf(value: string, name: string): number {
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number))
    throw new Undecided('RB1705', `\`${name}\` is a number, not \`${value}\``)
  return number
}

/** Text stands for itself; anything else is JSON. */
function defaultOf(value: string, type: NewSchema['type']): JsonValue {
  if (type === 'string') return value
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    throw new Undecided('RB1705', `\`${value}\` is not a default for this type`)
  }
}

/** Names and values; spaces within quotes and brackets are part of a value. @throws Undecided */
function splitMarkers(text: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  const marker = /\s*(?:\|\s*)?([A-Za-z]+)\s*=\s*/y
  let position = 0
  while (text.slice(position).trim() !== '') {
    marker.lastIndex = position
    const [whole, name = ''] = marker.exec(text) ?? []
    if (whole === undefined) throw new Undecided('RB1705', `\`${text.slice(position).trim()}\` is not a marker`)
    const start = position + whole.length
    const end = endOfValue(text, start)
    found.push([name, unquoted(text.slice(start, end))])
    position = end
  }
  return found
}

function endOfValue(text: string, start: number): number {
  let inQuotes = false
  let depth = 0
  for (let position = start; position < text.length; position += 1) {
    const character = text.charAt(position)
    if (character === '\\' && inQuotes) position += 1
    else if (character === '"') inQuotes = !inQuotes
    else if (!inQuotes && '{['.includes(character)) depth += 1
    else if (!inQuotes && '}]'.includes(character)) depth -= 1
    else if (!inQuotes && depth === 0 && /\s/.test(character)) return position
  }
  return text.length
}

function unquoted(value: string): string {
  if (!/^".*"$/s.test(value)) return value
  return value.slice(1, -1).replace(/\\(["\\])/g, '$1')
}
