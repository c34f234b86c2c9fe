import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { fieldText } from '../jsonata-text.ts'
import { Undecided } from '../undecided.ts'
import type { CelScope } from './cel-scope.ts'
import { operandText, type Translation, translation } from './translation.ts'

/** A field of a value. @throws Undecided when the schema of the resource has no such field */
export function fieldOf(from: Translation, field: string, { inStep }: CelScope): Translation {
  const schema = fieldSchema(from, field)
  const made = isJsonObject(from.made) ? from.made[field] : undefined
  const missing = mayBeMissing(from, field, made)
  const specPath = pathInSpec(from, field)
  return translation(textOf(from, field, inStep), {
    schema,
    optional: missing || from.optional,
    // What CEL asked for with a question mark has a way out from there on.
    pending: from.optional && !from.pending ? false : missing || from.pending,
    needs: from.needs,
    specPath,
    made,
  })
}

/** The resource, as expressions see it. */
export const RESOURCE = '$'

function textOf(from: Translation, field: string, inStep: boolean): string {
  if (from.text !== RESOURCE) return fieldText(operandText(from), field)
  return inStep ? fieldText('$$', field) : fieldText('', field).slice(1)
}

/** Of the resource, only the spec has fields that a person leaves out. */
function pathInSpec(from: Translation, field: string): readonly string[] | undefined {
  if (from.text === RESOURCE) return field === 'spec' ? ['spec'] : undefined
  return from.specPath && [...from.specPath, field]
}

function fieldSchema({ schema, specPath }: Translation, field: string): Schema | undefined {
  const known = schema?.properties?.[field]
  if (known) return known
  const others = schema?.additionalProperties
  if (typeof others === 'object') return others
  const open = schema?.['x-kubernetes-preserve-unknown-fields'] === true || schema?.properties === undefined
  if (specPath !== undefined && !open)
    throw new Undecided('RB1705', `\`${specPath.join('.')}\` has no field \`${field}\``)
  return undefined
}

/** What every object has, once it is made, and what stands in its metadata. */
const OF_OBJECTS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
const OF_METADATA: ReadonlySet<string> = new Set(['name', 'namespace', 'uid'])

function mayBeMissing({ schema, text, specPath }: Translation, field: string, made: JsonValue | undefined): boolean {
  if (made !== undefined) return false
  if (specPath === undefined && /^\$\w+$/.test(text) && OF_OBJECTS.has(field)) return false
  if (specPath === undefined && /\.metadata$/.test(text) && OF_METADATA.has(field)) return false
  if (text === RESOURCE || text === '$$.metadata' || text === 'metadata') return !RESOURCE_FIELDS.has(field)
  const isThere = schema?.required?.includes(field) || schema?.properties?.[field]?.default !== undefined
  return !isThere
}

const RESOURCE_FIELDS: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'spec', 'name', 'namespace', 'uid', 'generation', 'creationTimestamp'],
])

/** An item of a list, by its number. */
export function itemAt(from: Translation, index: number): Translation {
  if (index < 0) throw new Undecided('RB1705', 'CEL has no items before the first one')
  const made = isJsonArray(from.made) ? from.made[index] : undefined
  return translation(`${operandText(from)}[${index}]`, {
    schema: from.schema?.items,
    optional: made === undefined,
    pending: from.optional && !from.pending ? false : made === undefined,
    needs: from.needs,
    made,
  })
}
