import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { shapeOf } from './mutations.ts'

/** A field of a schema, as one base has it or could have it. */
export interface Field {
  readonly path: JsonPath
  readonly schema: Schema
  /** How many steps of the path the base has. */
  readonly depth: number
  /** Within a schema that stands in many places. */
  readonly shared: boolean
  /** Of the schema: several items of a list have one. */
  readonly key: string
}

interface Place extends Field {
  readonly value: JsonValue | undefined
  readonly definitions: readonly string[]
}

/** Where schemas begin that are tried in full elsewhere: the metadata of ConfigMaps, the containers of a pod… */
const SHARED = new Set(
  [
    'core.v1.PodTemplateSpec',
    'core.v1.PersistentVolumeSpec',
    'core.v1.EphemeralContainer',
    'resource.v1.ResourceClaimSpec',
  ].map((name) => `io.k8s.api.${name}`),
)
/** Bookkeeping of the server, whose refusals are those of metadata. */
const LEFT_OUT = new Set(['managedFields'])

/** Every field of a schema, with each place where an object has it or could have it. */
export function fieldsOf(schema: Schema, object: JsonValue): readonly Field[] {
  const found: Field[] = []
  const root = { path: [], schema, depth: 0, shared: false, key: '', value: object, definitions: [] }
  for (const child of childrenOf(root)) collect(child, found)
  return found
}

function collect(place: Place, found: Field[]): void {
  const { value: _value, definitions: _definitions, ...field } = place
  found.push(field)
  for (const child of childrenOf(place)) collect(child, found)
}

function childrenOf(place: Place): readonly Place[] {
  const { schema, value, definitions } = place
  const { definition } = schema
  // A schema that holds itself goes on for as long as the object does.
  if (definition !== undefined && definitions.includes(definition) && value === undefined) return []
  const below = { ...place, definitions: definition === undefined ? definitions : [...definitions, definition] }
  const shape = shapeOf(schema)
  if (shape === 'object') {
    const names = Object.keys(schema.properties ?? {}).filter((name) => !LEFT_OUT.has(name))
    return names.map((name) => childOf(below, name, schema.properties?.[name] as Schema))
  }
  if (shape === 'array' && schema.items) {
    const { items } = schema
    // Items may have different fields: a volume has one source.
    return (isJsonArray(value) && value.length > 0 ? value : [null]).map((_item, index) => childOf(below, index, items))
  }
  if (shape !== 'map') return []
  const [key = 'key'] = isJsonObject(value) ? Object.keys(value) : []
  return [childOf(below, key, schema.additionalProperties as Schema)]
}

function childOf(parent: Place, step: string | number, schema: Schema): Place {
  const { value } = parent
  const child = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined
  const name = shapeOf(parent.schema) === 'object' ? `.${step}` : '[]'
  return {
    path: [...parent.path, step],
    schema,
    depth: child === undefined ? parent.depth : parent.path.length + 1,
    shared: parent.shared || SHARED.has(schema.definition ?? ''),
    key: parent.key + name,
    value: child,
    definitions: parent.definitions,
  }
}
