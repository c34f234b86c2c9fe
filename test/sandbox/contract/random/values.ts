import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { additionalSchemaOf, type Schema } from '../../../../src/core/schema/schema.ts'
import { SPECIAL, VOCABULARY } from './vocabulary.ts'

export type Values<T extends JsonValue = JsonValue> = fc.Arbitrary<T>

/** What is wanted of random values. */
export interface Wishes {
  /** In a merge patch, null removes. */
  readonly nulls?: boolean
  /** Fields that are nearly always there may be missing: the value is a part of an object. */
  readonly partial?: boolean
  /** Directives of strategic merge patches. */
  readonly directives?: boolean
  /** Nothing that a schema refuses. */
  readonly valid?: boolean
}

const KEYS = ['a', 'b', 'c']
const STRINGS = ['', 'x', 'y', 'yes', '1', 'null', 'ü"\\']
const DEPTH = 9

/** Random values of a schema, nearly always valid ones. */
export function valuesOf(schema: Schema, wishes: Wishes = {}, depth = 0): Values {
  const known = hasInlined(schema) ? { ...wishes, valid: true } : wishes
  const values = depth > DEPTH ? fc.constant(null) : soundValues(schema, known, depth)
  if (known.valid) return values
  return fc.oneof({ weight: 400, arbitrary: values }, { weight: 1, arbitrary: NONSENSE }, ...nulls(schema))
}

/** Go structs with others inlined: refusals of nonsense name these by ways of their own. */
function hasInlined({ definition = '' }: Schema): boolean {
  return ['.Probe', '.Volume', '.IngressRule'].some((name) => definition.endsWith(name))
}

const NONSENSE: Values = fc.constantFrom<JsonValue[]>(null, 'nonsense', 17, true, {}, [{}])

function nulls(schema: Schema): { weight: number; arbitrary: Values }[] {
  return schema.nullable ? [{ weight: 60, arbitrary: fc.constant(null) }] : []
}

function soundValues(schema: Schema, wishes: Wishes, depth: number): Values {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string')
    return fc.constantFrom<JsonValue[]>(1, 2, '10%', 'a')
  if (isQuantity(schema)) return fc.constantFrom<JsonValue[]>(...SPECIAL.quantities)
  if (schema['x-kubernetes-embedded-resource']) return embedded(schema, wishes, depth)
  if (schema.type === 'array') return listsOf(schema, wishes, depth)
  if (schema.type === 'object' || schema.properties) return objectsOf(schema, wishes, depth)
  if (schema['x-kubernetes-preserve-unknown-fields']) return anything
  return scalars(schema)
}

function isQuantity({ definition = '' }: Schema): boolean {
  return definition.endsWith('.Quantity')
}

function scalars({ type, minimum = 0, maximum = 5, maxLength = 9 }: Schema): Values {
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  if (type === 'number') return fc.constantFrom(minimum, 0.5, 1, 2.25, 1e21, -0.1)
  return fc.constantFrom(...STRINGS.filter((text) => text.length <= maxLength))
}

const anything: Values = fc.oneof(
  fc.constantFrom<JsonValue[]>(1, 'x', true, 0.5, [], {}, ['b', 'a']),
  fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom<JsonValue[]>(1, 'x', null, { d: 1 }, [{ e: 2 }])),
)

function embedded(schema: Schema, wishes: Wishes, depth: number): Values {
  const metadata = fc.constantFrom<JsonValue[]>({ name: 'inner' }, { name: 'inner', labels: { a: '1' } })
  const head = fc.record({ apiVersion: fc.constantFrom('v1', 'x.io/v1'), kind: fc.constant('Thing'), metadata })
  return fc.tuple(objectsOf(schema, wishes, depth), head).map(([fields, own]) => ({ ...fields, ...own }))
}

function listsOf(schema: Schema, wishes: Wishes, depth: number): Values {
  const items = schema.items ?? {}
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  // Directives in lists that are replaced as a whole are but unknown fields.
  const itemWishes = { ...wishes, partial: false, directives: wishes.directives === true && mergeKey !== undefined }
  const sound = valuesOf(items, itemWishes, depth + 1)
  const item = wishes.directives && mergeKey !== undefined ? directedItems(sound, mergeKey) : sound
  const keys = schema['x-kubernetes-list-map-keys'] ?? (mergeKey === undefined ? [] : [mergeKey])
  const selector = (value: JsonValue): string =>
    JSON.stringify(
      keys.length === 0
        ? value
        : keys.map((key) => fieldOf(value, key) ?? fieldOf(items.properties?.[key]?.default ?? null, '')),
    )
  // Empty lists of built-in kinds become null in ways of each kind's own.
  const minLength = wishes.partial && items.definition === undefined ? 0 : 1
  const unique = fc.uniqueArray(item, { selector, minLength, maxLength: 3 })
  const isAtomic = schema['x-kubernetes-list-type'] === 'atomic' && keys.length === 0
  const any = fc.array(item, { minLength, maxLength: 3 })
  return wishes.valid
    ? unique
    : fc.oneof({ weight: isAtomic ? 5 : 40, arbitrary: unique }, { weight: 1, arbitrary: any })
}

function fieldOf(value: JsonValue, key: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject)[key] : undefined
}

function directedItems(items: Values, mergeKey: string): Values {
  const directed = fc.tuple(items, fc.constantFrom('delete', 'delete', 'replace', 'merge')).map(([item, directive]) => {
    const key = fieldOf(item, mergeKey)
    const rest = directive === 'delete' ? (key === undefined ? {} : { [mergeKey]: key }) : (item as JsonObject)
    return { ...rest, $patch: directive }
  })
  return fc.oneof({ weight: 5, arbitrary: items }, { weight: 1, arbitrary: directed })
}

/** Objects with some of the fields that the vocabulary, or the schema of a custom kind, lists. */
export function objectsOf(
  schema: Schema,
  wishes: Wishes = {},
  depth = 0,
  skipped: readonly string[] = [],
): Values<JsonObject> {
  const additional = additionalSchemaOf(schema)
  if (additional) return mapsOf(additional, wishes, depth)
  const fields = fieldsOf(schema, wishes, depth, skipped)
  const model = Object.fromEntries(fields.map(({ name, values }) => [name, wishes.nulls ? orNull(values) : values]))
  const isRequired = wishes.partial ? () => false : ({ required }: Field) => required
  const requiredKeys = fields.filter(isRequired).map(({ name }) => name)
  const sound: Values<JsonObject> = fc.record(model, { requiredKeys })
  if (wishes.valid) return sound
  const unknown = sound.map((object) => ({ ...object, unknown: 1 }))
  const lacking: Values<JsonObject> = fc.record(model, { requiredKeys: [] })
  return fc.oneof(
    { weight: 150, arbitrary: sound },
    { weight: schema['x-kubernetes-preserve-unknown-fields'] ? 50 : 1, arbitrary: unknown },
    { weight: 1, arbitrary: lacking },
    ...directedObjects(wishes, sound, schema),
  )
}

function directedObjects(
  wishes: Wishes,
  objects: Values<JsonObject>,
  { definition }: Schema,
): { weight: number; arbitrary: Values<JsonObject> }[] {
  if (!wishes.directives || definition === undefined) return []
  const arbitrary = objects.map((object): JsonObject => ({ ...object, $patch: 'replace' }))
  return [{ weight: 4, arbitrary }]
}

function orNull(values: Values): Values {
  return fc.oneof({ weight: 6, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) })
}

function mapsOf(schema: Schema, wishes: Wishes, depth: number): Values<JsonObject> {
  const keys = isQuantity(schema) ? ['cpu', 'memory'] : KEYS
  const values = valuesOf(schema, wishes, depth + 1)
  return fc.dictionary(fc.constantFrom(...keys), wishes.nulls ? orNull(values) : values, { maxKeys: 3 })
}

interface Field {
  readonly name: string
  readonly values: Values
  readonly required: boolean
}

/** Names of the fields that random objects may have; a `!` says that one nearly always is there. */
function wordsOf(schema: Schema): readonly string[] {
  if (schema.definition === undefined) return Object.keys(schema.properties ?? {})
  return Object.keys(VOCABULARY[shortName(schema.definition)] ?? {})
}

export function namesOf(schema: Schema): readonly string[] {
  return wordsOf(schema).map((word) => word.replace('!', ''))
}

/** A field, with the values that the vocabulary has for it. */
export function fieldSchema(schema: Schema, name: string): Schema {
  const words = VOCABULARY[shortName(schema.definition ?? '')]
  const known = words?.[name] ?? words?.[`${name}!`]
  return Array.isArray(known) ? { enum: known } : (schema.properties?.[name] ?? {})
}

function fieldsOf(schema: Schema, wishes: Wishes, depth: number, skipped: readonly string[]): readonly Field[] {
  return wordsOf(schema)
    .map((word) => ({ word, name: word.replace('!', '') }))
    .filter(({ name }) => !skipped.includes(name))
    .map(({ word, name }) => {
      const known = VOCABULARY[shortName(schema.definition ?? '')]?.[word]
      const property = schema.properties?.[name] ?? {}
      const values = Array.isArray(known)
        ? fc.constantFrom<JsonValue[]>(...known)
        : fieldValues(name, property, wishes, depth)
      return { name, values, required: word !== name || (schema.required?.includes(name) ?? false) }
    })
}

function fieldValues(name: string, schema: Schema, wishes: Wishes, depth: number): Values {
  if (name === 'metadata' && schema.definition !== undefined)
    return fc.constantFrom<JsonValue[]>(...SPECIAL.templateMetadata)
  return valuesOf(schema, wishes, depth + 1)
}

function shortName(definition: string): string {
  return definition.replace(/.*\./, '')
}
