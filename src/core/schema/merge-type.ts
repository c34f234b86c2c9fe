import type { JsonValue } from '../base/json.ts'
import { additionalSchemaOf, type Schema } from './schema.ts'

/**
 * How values of a schema are merged and owned: the "atom" of structured-merge-diff. A type may allow more than one shape;
 * which one holds is deduced from the value.
 */
export interface MergeType {
  readonly scalar: ScalarType | undefined
  readonly list: ListType | undefined
  readonly map: MapType | undefined
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped'

export interface ListType {
  /** `atomic` lists have one owner; items of `set` and `map` lists have one each. */
  readonly kind: 'atomic' | 'set' | 'map'
  /** Fields that identify the items of a `map` list. */
  readonly keys: readonly string[]
  readonly element: MergeType
  /** What an item without the key field counts as having. */
  keyDefault(key: string): JsonValue | undefined
}

export interface MapType {
  readonly atomic: boolean
  /** Whether a field of the name is declared, rather than some additional one. */
  declares(name: string): boolean
  /** The type of a field; `undefined` when no field of the name is allowed. */
  field(name: string): MergeType | undefined
  /** A map about whose fields nothing is known. */
  readonly deduced: boolean
}

const UNTYPED_ATOMIC: MergeType = {
  scalar: 'untyped',
  get list() {
    return UNTYPED_LIST
  },
  get map() {
    return UNTYPED_MAP
  },
}

const UNTYPED_LIST: ListType = { kind: 'atomic', keys: [], element: UNTYPED_ATOMIC, keyDefault: () => undefined }
const UNTYPED_MAP: MapType = { atomic: true, declares: () => false, field: () => UNTYPED_ATOMIC, deduced: false }

/** The type of values that no schema describes: objects field by field, lists as a whole. */
export const DEDUCED: MergeType = {
  scalar: 'untyped',
  list: UNTYPED_LIST,
  get map() {
    return DEDUCED_MAP
  },
}

const DEDUCED_MAP: MapType = { atomic: false, declares: () => false, field: () => DEDUCED, deduced: true }

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension'
const QUANTITY_TYPE: MergeType = { scalar: 'untyped', list: undefined, map: undefined }

const plainTypes = new WeakMap<Schema, MergeType>()
const preservingTypes = new WeakMap<Schema, MergeType>()

/** The merge type of a schema. `preserving` says that a schema around it keeps unknown fields. */
export function mergeTypeOf(schema: Schema | undefined, preserving = false): MergeType {
  if (schema === undefined) return DEDUCED
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true
  const keep = preserves || (preserving && schema.definition === undefined)
  const cache = keep ? preservingTypes : plainTypes
  const known = cache.get(schema)
  if (known !== undefined) return known
  const type = convert(schema, keep)
  cache.set(schema, type)
  return type
}

function convert(schema: Schema, preserving: boolean): MergeType {
  if (schema.definition === QUANTITY) return QUANTITY_TYPE
  if (schema.definition === RAW_EXTENSION) return UNTYPED_ATOMIC
  const list = schema.type === undefined || schema.type === 'array' ? new SchemaList(schema, preserving) : undefined
  const map = schema.type === undefined || schema.type === 'object' ? new SchemaMap(schema, preserving) : undefined
  return { scalar: scalarOf(schema), list, map }
}

function scalarOf({ type, format }: Schema): ScalarType | undefined {
  switch (type) {
    case 'object':
    case 'array':
      return undefined
    case 'integer':
    case 'number':
      return 'numeric'
    case 'boolean':
      return 'boolean'
    case 'string':
      return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped'
    default:
      return 'untyped'
  }
}

class SchemaList implements ListType {
  readonly kind: 'atomic' | 'set' | 'map'
  readonly keys: readonly string[]
  readonly #items: Schema | undefined
  readonly #preserving: boolean

  constructor(schema: Schema, preserving: boolean) {
    const { 'x-kubernetes-list-type': kind = 'atomic', 'x-kubernetes-list-map-keys': keys = [] } = schema
    this.kind = kind
    this.keys = kind === 'map' ? keys : []
    this.#items = schema.items
    this.#preserving = preserving
  }

  get element(): MergeType {
    return this.#items === undefined ? UNTYPED_ATOMIC : mergeTypeOf(this.#items, this.#preserving)
  }

  keyDefault(key: string): JsonValue | undefined {
    return this.#items?.properties?.[key]?.default
  }
}

class SchemaMap implements MapType {
  readonly atomic: boolean
  readonly deduced: boolean
  readonly #schema: Schema
  readonly #preserving: boolean
  readonly #names: ReadonlySet<string>
  readonly #types = new Map<string, MergeType>()
  readonly #hasElement: boolean

  constructor(schema: Schema, preserving: boolean) {
    this.atomic = schema['x-kubernetes-map-type'] === 'atomic'
    this.#schema = schema
    this.#preserving = preserving
    this.#names = new Set(Object.keys(schema.properties ?? {}))
    const noFields = this.#names.size === 0
    const { additionalProperties } = schema
    this.#hasElement = additionalProperties === undefined ? preserving || noFields : additionalProperties !== false
    this.deduced = this.#hasElement && additionalSchemaOf(schema) === undefined && noFields
  }

  declares(name: string): boolean {
    return this.#names.has(name)
  }

  field(name: string): MergeType | undefined {
    const known = this.#types.get(name)
    if (known !== undefined) return known
    if (this.#names.has(name)) {
      const type = mergeTypeOf(this.#schema.properties?.[name], this.#preserving)
      this.#types.set(name, type)
      return type
    }
    if (!this.#hasElement) return undefined
    const element = additionalSchemaOf(this.#schema)
    return element === undefined ? DEDUCED : mergeTypeOf(element, this.#preserving)
  }
}
