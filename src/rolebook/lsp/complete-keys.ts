import { getPath, isJsonObject } from '../../core/base/json.ts'
import { modifiersBeside } from '../../engine/role/parse/misplaced-modifiers.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'
import { type Cursor, MARK } from './cursor.ts'
import { printSchemaType, schemaDoc } from './print-schema.ts'
import { type AnySchema, type SchemaRules, schemaPlaceAt } from './schema-places.ts'
import type { Suggestion } from './suggestion.ts'

/** Keys that may stand at the cursor and do not stand there yet. */
export function completeKeys(cursor: Cursor, rules: SchemaRules): readonly Suggestion[] {
  const { document, place } = cursor
  const parent = place.path.slice(0, -1)
  const here = schemaPlaceAt(document.value, parent, rules)
  const value = getPath(document.value, parent)
  const given = isJsonObject(value) ? Object.keys(value).filter((key) => !key.includes(MARK)) : []
  const found = new Map<string, Suggestion>()
  for (const schema of here.schemas) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (given.includes(name) || (found.has(name) && property.description === undefined)) continue
      found.set(name, suggestionFor(name, property, { schema, cursor }))
    }
  }
  return here.isTask ? taskKeys([...found.values()], given, rules.kinds) : [...found.values()]
}

function suggestionFor(
  name: string,
  property: AnySchema,
  { schema, cursor }: { readonly schema: AnySchema; readonly cursor: Cursor },
): Suggestion {
  const isRequired = Array.isArray(schema.required) && schema.required.includes(name)
  return {
    label: name,
    kind: 'field',
    detail: `${printSchemaType(property)}${isRequired ? ', required' : ''}`,
    doc: schemaDoc(property),
    rank: isRequired ? 0 : 1,
    insert: cursor.hasColon ? name : `${name}:${layoutFor(property, cursor)}`,
  }
}

/** What stands behind the colon of a new key: where its value begins. */
function layoutFor({ type, $ref, properties }: AnySchema, { document, start }: Cursor): string {
  const { source } = document
  const lineStart = source.text.lastIndexOf('\n', start - 1) + 1
  const lead = source.text.slice(lineStart, start)
  // In the brackets of a flow map, lines mean nothing.
  if (!/^[\s-]*$/.test(lead)) return ' '
  const indent = ' '.repeat(lead.length + 2)
  if (type === 'array' || $ref !== undefined) return `\n${indent}- `
  return type === 'object' && properties !== undefined ? `\n${indent}` : ' '
}

/** A task has one kind, and the modifiers that the kind takes. */
function taskKeys(
  found: readonly Suggestion[],
  given: readonly string[],
  kinds: readonly TaskKind[],
): readonly Suggestion[] {
  const kind = kinds.find(({ name }) => given.includes(name))
  const isKind = ({ label }: Suggestion): boolean => kinds.some(({ name }) => name === label)
  const taken = kind && modifiersBeside(kind)
  return found.flatMap((one) => {
    if (isKind(one)) return kind ? [] : [{ ...one, kind: 'task' as const, rank: one.rank + 1 }]
    return taken && !taken.includes(one.label) ? [] : [{ ...one, rank: one.label === 'name' ? 0 : 3 }]
  })
}
