import { isJsonArray } from '../../core/base/json.ts'
import type { AnySchema } from './schema-places.ts'

/** `text`, `list of objects`: what a schema wants, in a few words. */
export function printSchemaType(schema: AnySchema): string {
  const { type, items, format, $ref } = schema
  if ($ref !== undefined) return 'list of tasks'
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return 'number or text'
  const types = isJsonArray(type) ? type : [type]
  const names = types.flatMap((one) => (typeof one === 'string' ? [NAMES[one] ?? one] : []))
  if (names.length > 0) return type === 'array' && items ? `list of ${printSchemaType(items)}` : names.join(' or ')
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(printSchemaType)
  if (schema.enum !== undefined) return 'text'
  return forms.length > 0 ? [...new Set(forms)].join(' or ') : 'anything'
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
}

/** What a schema says of a value for people, as Markdown. */
export function schemaDoc(schema: AnySchema): string {
  const { description, default: byDefault, enum: allowed, examples } = schema
  const lines = [
    description,
    isJsonArray(allowed) ? `One of ${allowed.map((one) => `\`${String(one)}\``).join(', ')}.` : undefined,
    byDefault === undefined ? undefined : `Defaults to \`${JSON.stringify(byDefault)}\`.`,
    isJsonArray(examples)
      ? `For example: ${examples.map((one) => `\`${JSON.stringify(one)}\``).join(', ')}.`
      : undefined,
  ]
  return lines.filter((line) => line !== undefined).join('\n\n')
}
