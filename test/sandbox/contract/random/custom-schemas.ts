import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Schema } from '../../../../src/core/schema/schema.ts'
import { valuesOf } from './values.ts'

type Schemas = fc.Arbitrary<Schema>

const LEAVES: readonly Schema[] = [
  { type: 'string' },
  { type: 'string', enum: ['x', 'y', 'z'] },
  { type: 'string', maxLength: 3 },
  { type: 'string', nullable: true },
  { type: 'integer' },
  { type: 'integer', format: 'int32', minimum: 1, maximum: 9 },
  { type: 'number' },
  { type: 'boolean' },
  { 'x-kubernetes-int-or-string': true },
]

const leaves: Schemas = fc.constantFrom(...LEAVES)

const keySchemas: fc.Arbitrary<Readonly<Record<string, Schema>>> = fc.constantFrom<Readonly<Record<string, Schema>>[]>(
  { k: { type: 'string' } },
  { k: { type: 'integer' } },
  { k: { type: 'string' }, l: { type: 'string', default: 'x' } },
  { l: { type: 'string', default: 'x' } },
  { k: { type: 'boolean' }, l: { type: 'integer', default: 1 } },
)

const { fields } = fc.letrec<{ node: Schema; object: Schema; fields: Schema }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 6, arbitrary: withDefault(leaves) },
    { weight: 3, arbitrary: withDefault(tie('object')) },
    {
      weight: 2,
      arbitrary: withDefault(fc.tuple(tie('node'), fc.constantFrom('granular', 'atomic', undefined)).map(toMap)),
    },
    { weight: 2, arbitrary: withDefault(fc.tuple(tie('node'), fc.constantFrom('atomic', undefined)).map(toList)) },
    { weight: 2, arbitrary: withDefault(fc.tuple(leaves, fc.constant('set')).map(toSet)) },
    { weight: 3, arbitrary: withDefault(fc.tuple(tie('object'), keySchemas).map(toListMap)) },
    { weight: 1, arbitrary: fc.constant<Schema>({ 'x-kubernetes-preserve-unknown-fields': true }) },
    { weight: 1, arbitrary: tie('object').map((schema): Schema => ({ ...schema, nullable: true })) },
    {
      weight: 1,
      arbitrary: tie('object').map((schema): Schema => ({ ...schema, 'x-kubernetes-preserve-unknown-fields': true })),
    },
    { weight: 1, arbitrary: tie('object').map(toEmbedded) },
  ),
  object: fc
    .tuple(tie('fields'), fc.constantFrom(undefined, undefined, 'atomic', 'granular'))
    .map(
      ([schema, type]): Schema =>
        type === undefined ? schema : { ...schema, 'x-kubernetes-map-type': type as 'atomic' },
    ),
  fields: fc
    .tuple(
      fc.dictionary(fc.constantFrom('f', 'g', 'h', 'i', 'j'), tie('node') as Schemas, { minKeys: 1, maxKeys: 4 }),
      fc.integer({ min: 0, max: 5 }),
    )
    .map(([properties, required]) => objectSchema(properties, required)),
}))

function objectSchema(properties: Readonly<Record<string, Schema>>, required: number): Schema {
  const first = Object.keys(properties)[0]
  return { type: 'object', properties, ...(required === 0 && first !== undefined && { required: [first] }) }
}

function toMap([values, type]: [Schema, string | undefined]): Schema {
  return {
    type: 'object',
    additionalProperties: values,
    ...(type !== undefined && { 'x-kubernetes-map-type': type as 'atomic' }),
  }
}

function toList([items, type]: [Schema, string | undefined]): Schema {
  return { type: 'array', items, ...(type !== undefined && { 'x-kubernetes-list-type': type as 'atomic' }) }
}

/** Items of a set are not nullable. */
function toSet([{ nullable: _nullable, ...items }]: [Schema, string]): Schema {
  return { type: 'array', items, 'x-kubernetes-list-type': 'set' }
}

function toListMap([item, keys]: [Schema, Readonly<Record<string, Schema>>]): Schema {
  const required = Object.entries(keys).filter(([, key]) => key.default === undefined)
  const { 'x-kubernetes-map-type': _type, default: _default, required: others = [], ...rest } = item
  const items: Schema = {
    ...rest,
    properties: { ...item.properties, ...keys },
    required: [...others, ...required.map(([name]) => name)],
  }
  return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': Object.keys(keys) }
}

function toEmbedded({ default: _default, ...schema }: Schema): Schema {
  return { ...schema, 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
}

/** Now and then with a default that fits. */
function withDefault(schemas: fc.Arbitrary<Schema>): Schemas {
  const defaulted = schemas.chain((schema) =>
    valuesOf(schema, { valid: true }).map((value): Schema => ({ ...schema, default: value as JsonValue })),
  )
  return fc.oneof({ weight: 3, arbitrary: schemas }, { weight: 1, arbitrary: defaulted })
}

export interface CustomShape {
  readonly spec: Schema
  readonly status: Schema
  readonly hasStatus: boolean
  readonly hasScale: boolean
  readonly versions: readonly string[]
}

const REPLICAS: Schema = { type: 'integer', format: 'int32', minimum: 0 }

/** What a random CRD says of its objects. */
export const customShapes: fc.Arbitrary<CustomShape> = fc
  .record({
    spec: fields,
    status: fields,
    hasStatus: fc.constantFrom(true, true, false),
    hasScale: fc.boolean(),
    versions: fc.constantFrom(['v1'], ['v1', 'v2']),
  })
  .map((shape) => ({ ...shape, spec: { ...shape.spec, properties: { ...shape.spec.properties, replicas: REPLICAS } } }))

/** The schema of whole objects. */
export function rootSchema({ spec, status }: CustomShape): Schema {
  return { type: 'object', properties: { spec, status } }
}

export function customDefinition(shape: CustomShape, group: string, index: number): JsonObject {
  const kind = `Random${index}`
  const plural = `${kind.toLowerCase()}s`
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const subresources = { ...(shape.hasStatus && { status: {} }), ...(shape.hasScale && { scale }) }
  const versions = shape.versions.map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: rootSchema(shape) },
    subresources,
  }))
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: versions as unknown as JsonValue },
  }
}
