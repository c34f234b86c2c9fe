import { type JsonPath, printPath } from '../../../core/base/json.ts'
import { schemaAt } from '../../../core/schema/navigate.ts'
import type { Schema } from '../../../core/schema/schema.ts'

/** An object whose schema lacks a field. */
export interface LackingObject {
  readonly schema: Schema
  /** Of the whole object, and where in it the schema stands. */
  readonly root: Schema
  readonly path: JsonPath
  /** The keys that the object has. */
  readonly written: readonly string[]
}

/** How many levels below an object are looked through, and how many schemas in all. */
const DEEPEST = 3
const MOST_SCHEMAS = 2_000
/** A name that more places have says nothing about the one that is meant. */
const MOST_PLACES = 3

/** A hint that says where the object has a field of this name. `undefined`: nowhere near, or in too many places. */
export function otherPlaceHint(name: string, object: LackingObject): string | undefined {
  const { schema, written, root, path } = object
  const isWithin = schemaAt(root, path) === schema
  const places = [
    () => below(name, schema, { levels: 1, written }),
    ...(isWithin ? [() => above(name, root, path), () => beside(name, root, path)] : []),
    () => below(name, schema, { levels: DEEPEST, written }),
  ]
  for (const look of places) {
    const found = look()
    if (found.length > MOST_PLACES) return undefined
    if (found.length > 0) return `\`${name}\` is a field ${found.join(' or ')}`
  }
  return undefined
}

function above(name: string, root: Schema, path: JsonPath): readonly string[] {
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const place = path.slice(0, length)
    if (hasField(schemaAt(root, place), name)) return [ofPlace(place.length === 0 ? '' : printPath(place))]
  }
  return []
}

/** In the fields of what is around the object, the nearest first. */
function beside(name: string, root: Schema, path: JsonPath): readonly string[] {
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const place = path.slice(0, length)
    const found = below(
      name,
      schemaAt(root, place),
      { levels: 1, written: [] },
      place.length === 0 ? '' : printPath(place),
    )
    if (found.length > 0) return found
  }
  return []
}

/** In the fields of a schema, level by level. Of several places, those in fields that are written. */
function below(
  name: string,
  schema: Schema | undefined,
  { levels, written }: { readonly levels: number; readonly written: readonly string[] },
  around = '',
): readonly string[] {
  const seen = new Set<Schema>()
  let level: readonly (readonly [string, Schema])[] = schema ? [[around, schema]] : []
  for (let depth = 0; depth < levels && seen.size < MOST_SCHEMAS; depth += 1) {
    level = level.flatMap(fieldsOf).filter(([, field]) => !seen.has(field))
    for (const [, field] of level) seen.add(field)
    const found = level.filter(([, field]) => hasField(field, name)).map(([place]) => place)
    const inWritten = found.filter((place) => written.includes(/^[^.[]*/.exec(place)?.[0] ?? ''))
    if (found.length > 0) return (inWritten.length > 0 ? inWritten : found).map(ofPlace)
  }
  return []
}

/** The status of an object is not what a manifest gives. */
function fieldsOf([place, { properties = {} }]: readonly [string, Schema]): readonly (readonly [string, Schema])[] {
  const isObject = properties.metadata !== undefined
  const entries = Object.entries(properties).filter(([key]) => !(isObject && key === 'status'))
  return entries.map(([key, field]) => {
    const here = place === '' ? key : `${place}.${key}`
    return field.items === undefined ? [here, field] : [`${here}[]`, field.items]
  })
}

function hasField(schema: Schema | undefined, name: string): boolean {
  return schema?.properties !== undefined && Object.hasOwn(schema.properties, name)
}

function ofPlace(place: string): string {
  return place === '' ? 'of the object itself' : `of \`${place}\``
}
