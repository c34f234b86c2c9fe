import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'

/** How the first entry of a map looks as an item of the list that is wanted: `- {name: A, value: x}`. */
export function listHint(map: JsonObject, { items }: Schema): string | undefined {
  const [first] = Object.entries(map)
  if (items === undefined || first === undefined) return undefined
  const [name, value = null] = first
  if (items.properties?.name === undefined || name.includes('${')) return DASHES
  if (isJsonObject(value)) return hintOf([`name: ${printed(name, 'string')}`, '…'])
  const field = valueField(items)
  const type = field && items.properties[field]?.type
  return field === undefined
    ? DASHES
    : hintOf([`name: ${printed(name, 'string')}`, `${field}: ${printed(value, type)}`])
}

const DASHES = 'each item of a list begins with `- `'

function hintOf(fields: readonly string[]): string {
  return `each entry is an item of the list: \`- {${fields.join(', ')}}\``
}

/** Where an item has what a map has as the value of an entry: the `value` of a variable, the `containerPort` of a port. */
function valueField({ properties = {}, required = [] }: Schema): string | undefined {
  if (properties.value !== undefined) return 'value'
  const [only, ...others] = required.filter((name) => name !== 'name')
  return others.length === 0 ? only : undefined
}

function printed(value: JsonValue, type: string | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = typeof value === 'string' ? /^[a-zA-Z][\w./-]*$/.test(value) : type !== 'string'
  return isPlain ? text : JSON.stringify(text)
}
