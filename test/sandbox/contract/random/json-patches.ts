import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { additionalSchemaOf, type Schema } from '../../../../src/core/schema/schema.ts'
import { fieldSchema, namesOf, type Values, valuesOf } from './values.ts'

interface Place {
  readonly pointer: string
  readonly schema: Schema
}

/** A few operations on places that objects of the schema may have. */
export function jsonPatches(schema: Schema): Values {
  const places = fc.oneof({ weight: 5, arbitrary: placesIn(schema, '', 0) }, { weight: 1, arbitrary: metadataPlaces })
  return fc.array(operations(places), { minLength: 1, maxLength: 3 })
}

const metadataPlaces: fc.Arbitrary<Place> = fc.constantFrom<Place[]>(
  { pointer: '/metadata/labels', schema: { type: 'object', additionalProperties: { type: 'string' } } },
  { pointer: '/metadata/labels/app', schema: { type: 'string', enum: ['x', 'y'] } },
  { pointer: '/metadata/annotations/x.io~1zone', schema: { type: 'string', enum: ['x', 'y'] } },
  { pointer: '/metadata/finalizers/0', schema: { type: 'string', enum: ['x.io/a', 'x.io/b'] } },
  { pointer: '/metadata/finalizers/-', schema: { type: 'string', enum: ['x.io/a', 'x.io/c'] } },
)

function operations(places: fc.Arbitrary<Place>): Values {
  return fc
    .tuple(fc.constantFrom('add', 'add', 'replace', 'replace', 'remove', 'test', 'copy', 'move'), places, places)
    .chain(([op, { pointer, schema }, other]): Values => {
      if (op === 'remove') return fc.constant({ op, path: pointer })
      const takes = op === 'copy' || op === 'move'
      if (takes && !pointer.startsWith('/metadata')) return fc.constant({ op, from: other.pointer, path: pointer })
      const kind = takes ? 'replace' : op
      return valuesOf(schema).map((value): JsonObject => ({ op: kind, path: pointer, value: value as JsonValue }))
    })
}

/** From a schema down a random way. */
function placesIn(schema: Schema, pointer: string, depth: number): fc.Arbitrary<Place> {
  const here = fc.constant({ pointer, schema })
  const steps = depth > 7 ? [] : stepsBelow(schema)
  if (steps.length === 0) return here
  const below = fc.constantFrom(...steps).chain(([name, inner]) => placesIn(inner, `${pointer}/${name}`, depth + 1))
  return pointer === '' ? below : fc.oneof({ weight: 1, arbitrary: here }, { weight: 3, arbitrary: below })
}

function stepsBelow(schema: Schema): readonly (readonly [name: string, schema: Schema])[] {
  const { items } = schema
  if (schema.type === 'array' && items) return ['0', '0', '1', '-'].map((index) => [index, items])
  const additional = additionalSchemaOf(schema)
  if (additional) return ['a', 'b'].map((key) => [key, additional])
  const names = namesOf(schema).filter((name) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name))
  return names.map((name) => [name, fieldSchema(schema, name)])
}
