import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Schema } from './schema.ts'

/** Facts about the Go struct behind a definition that an OpenAPI document does not contain; see `Schema`. */
export interface GoFields {
  readonly valueFields: readonly string[]
  readonly zeroFields: { readonly [field: string]: JsonValue }
  readonly embeddedFields: { readonly [field: string]: string }
  /** The names of types that the schema of the field does not contain: `v1.Protocol`, `[]v1.TaintEffect`. */
  readonly types: { readonly [field: string]: string }
}

export interface DefinitionSource {
  /** The OpenAPI definition of a name, parsed. */
  definition(name: string): JsonObject | undefined
  goFields(name: string): GoFields | undefined
}

const REFERENCE = '#/components/schemas/'

/** Turns OpenAPI definitions that point at each other into `Schema`s, each when it is first asked for. */
export class Definitions {
  readonly #source: DefinitionSource
  readonly #schemas = new Map<string, Schema>()

  constructor(source: DefinitionSource) {
    this.#source = source
  }

  get(name: string): Schema | undefined {
    const known = this.#schemas.get(name)
    if (known !== undefined) return known
    const json = this.#source.definition(name)
    if (json === undefined) return undefined
    const go = this.#source.goFields(name)
    const schema = Object.freeze({
      ...this.#convert(json, go?.types),
      definition: name,
      ...(go && {
        valueFields: new Set(go.valueFields),
        zeroFields: go.zeroFields,
        embeddedFields: go.embeddedFields,
      }),
    })
    this.#schemas.set(name, schema)
    return schema
  }

  /** A schema as it stands in a definition. What it refers to is merged under its own keys. */
  #resolve(json: JsonObject): Schema {
    const name = referenceOf(json)
    if (name === undefined) return Object.freeze(this.#convert(json))
    const { $ref: _ref, allOf: _allOf, ...siblings } = json
    const target = this.get(name) ?? {}
    return Object.keys(siblings).length === 0 ? target : Object.freeze({ ...target, ...(siblings as Schema) })
  }

  #convert(json: JsonObject, types?: GoFields['types']): Schema {
    const { properties, items, additionalProperties, allOf, anyOf, oneOf, ...rest } = json
    const schema: { -readonly [key in keyof Schema]: Schema[key] } = rest as Schema
    if (isJsonObject(properties)) schema.properties = this.#lazyProperties(properties, types)
    if (items !== undefined) schema.items = this.#resolve(items as JsonObject)
    if (additionalProperties !== undefined) {
      schema.additionalProperties =
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : this.#resolve(additionalProperties as JsonObject)
    }
    for (const [key, list] of [
      ['allOf', allOf],
      ['anyOf', anyOf],
      ['oneOf', oneOf],
    ] as const) {
      if (isJsonArray(list)) schema[key] = list.map((item) => this.#resolve(item as JsonObject))
    }
    return schema
  }

  /** Properties that are resolved when read: a definition may contain itself. */
  #lazyProperties(properties: JsonObject, types: GoFields['types'] = {}): { readonly [name: string]: Schema } {
    const lazy: { [name: string]: Schema } = {}
    for (const name of Object.keys(properties)) {
      let schema: Schema | undefined
      const get = (): Schema => {
        schema ??= typed(this.#resolve(properties[name] as JsonObject), types[name])
        return schema
      }
      Object.defineProperty(lazy, name, { enumerable: true, get })
    }
    return Object.freeze(lazy)
  }
}

/** The schema with the name of its Go type, also where it is a list or a map of such. */
function typed(schema: Schema, goType: string | undefined): Schema {
  if (goType === undefined) return schema
  const { items, additionalProperties } = schema
  const inner = /^(?:\[\]|map\[[^\]]*\])(.+)$/.exec(goType)?.[1]
  return Object.freeze({
    ...schema,
    goType,
    ...(items && { items: typed(items, inner) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: typed(additionalProperties, inner) }),
  })
}

/** The definition a schema stands for: `$ref`, alone or in an `allOf` of one. */
function referenceOf(json: JsonObject): string | undefined {
  const own = json.$ref
  if (typeof own === 'string') return own.slice(REFERENCE.length)
  const allOf = json.allOf
  const only = isJsonArray(allOf) && allOf.length === 1 ? allOf[0] : undefined
  return isJsonObject(only) && typeof only.$ref === 'string' ? only.$ref.slice(REFERENCE.length) : undefined
}
