import { CelRuntimeError } from './cel-error.ts'
import type { CelType, JsonTraits } from './cel-type.ts'

/** What flows inside an evaluation. Integers are bigints, doubles are numbers. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelOptional
  | CelTypeValue
  | CelOpaque

export class CelUint {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** Nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

export class CelDuration {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A list; items may be made when they are asked for. */
export class CelList {
  readonly traits: JsonTraits | undefined
  readonly #size: number
  readonly #at: (index: number) => CelValue

  constructor(size: number, at: (index: number) => CelValue, traits?: JsonTraits) {
    this.#size = size
    this.#at = at
    this.traits = traits
  }

  static of(items: readonly CelValue[], traits?: JsonTraits): CelList {
    return new CelList(items.length, (index) => items[index] as CelValue, traits)
  }

  get size(): number {
    return this.#size
  }

  at(index: number): CelValue {
    return this.#at(index)
  }

  *[Symbol.iterator](): Iterator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.at(index)
  }
}

/** A list that a macro collects. */
export class GrowingList extends CelList {
  readonly #items: CelValue[]

  constructor() {
    const items: CelValue[] = []
    super(0, (index) => items[index] as CelValue)
    this.#items = items
  }

  override get size(): number {
    return this.#items.length
  }

  push(item: CelValue): void {
    this.#items.push(item)
  }
}

/** A map, or an object of a type with fields. Keys are compared by value, also between types of numbers. */
export abstract class CelMap {
  /** The name of the object's type; `map` otherwise. */
  abstract readonly typeName: string
  abstract readonly size: number
  abstract get(key: CelValue): CelValue | undefined
  abstract keys(): readonly CelValue[]
}

export class CelMapOf extends CelMap {
  readonly typeName: string
  readonly #entries: Map<string, readonly [CelValue, CelValue]>

  constructor(entries: readonly (readonly [CelValue, CelValue])[], typeName = 'map') {
    super()
    this.typeName = typeName
    this.#entries = new Map(entries.map((entry) => [mapKey(entry[0]), entry]))
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: CelValue): CelValue | undefined {
    return this.#entries.get(mapKey(key))?.[1]
  }

  keys(): readonly CelValue[] {
    return [...this.#entries.values()].map(([key]) => key)
  }

  /** For who made the map, while no one else knows it. */
  insert(key: CelValue, value: CelValue): void {
    this.#entries.set(mapKey(key), [key, value])
  }
}

/** Keys that are equal in CEL (`1`, `1u`, `1.0`) have the same text. */
export function mapKey(key: CelValue): string {
  if (typeof key === 'string') return `s${key}`
  if (typeof key === 'boolean') return `b${key}`
  if (typeof key === 'bigint' || typeof key === 'number') return `n${key}`
  if (key instanceof CelUint) return `n${key.value}`
  throw new CelRuntimeError(`unsupported key type: ${typeNameOf(key)}`)
}

export class CelOptional {
  static readonly none = new CelOptional(undefined)
  readonly value: CelValue | undefined

  constructor(value: CelValue | undefined) {
    this.value = value
  }
}

/** A type as a value: `int`, `type(x)`. */
export class CelTypeValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A value of a library: a quantity, an address. */
export abstract class CelOpaque {
  abstract readonly typeName: string
  abstract equals(other: CelOpaque): boolean
}

/** What `type(value)` is called. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type'
  switch (typeof value) {
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
    default:
      return typeNameOfObject(value)
  }
}

function typeNameOfObject(value: Exclude<CelValue, null | boolean | bigint | number | string>): string {
  if (value instanceof CelList) return 'list'
  if (value instanceof CelMap || value instanceof CelOpaque) return value.typeName
  if (value instanceof CelUint) return 'uint'
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp'
  if (value instanceof CelDuration) return 'google.protobuf.Duration'
  if (value instanceof CelOptional) return 'optional_type'
  return value instanceof CelTypeValue ? 'type' : 'bytes'
}

/** Whether a value may be handed to a parameter of the type. Of what is inside, only the first item of a list is looked at. */
export function hasType(value: CelValue, type: CelType): boolean {
  const { kind } = type
  if (kind === 'dyn' || kind === 'param') return true
  if (kind === 'list') {
    return value instanceof CelList && (value.size === 0 || hasType(value.at(0), type.params[0] as CelType))
  }
  if (kind === 'map') return value instanceof CelMap
  return typeNameOf(value) === type.name
}
