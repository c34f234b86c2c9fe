import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { CelRuntimeError } from './cel-error.ts'
import { type CelType, DYN } from './cel-type.ts'
import { parseDuration, parseTimestamp } from './time.ts'
import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  typeNameOf,
} from './values.ts'

/** JSON as the type says; what the type leaves open, as JSON itself says. */
export function toCel(value: JsonValue | undefined, type: CelType): CelValue {
  if (value === undefined || value === null) return null
  const { kind } = type
  if (Array.isArray(value)) return listFrom(value, kind === 'list' ? type : undefined)
  if (isJsonObject(value)) return new JsonMap(value, kind === 'object' || kind === 'map' ? type : undefined)
  if (typeof value === 'number') return numberFrom(value, kind)
  if (typeof value === 'string') return textFrom(value, kind)
  return value as boolean
}

/** Back to JSON. Throws for what JSON has no form for. */
export function fromCel(value: CelValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof CelUint) return Number(value.value)
  if (value instanceof CelList) return [...value].map(fromCel)
  if (value instanceof CelMap) {
    return Object.fromEntries(value.keys().map((key) => [String(key), fromCel(value.get(key) as CelValue)]))
  }
  if (value instanceof CelOptional && value.value !== undefined) return fromCel(value.value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  throw new CelRuntimeError(`type conversion error from '${typeNameOf(value)}' to JSON`)
}

function listFrom(items: readonly JsonValue[], type: CelType | undefined): CelList {
  const element = type?.params[0] ?? DYN
  return new CelList(items.length, (index) => toCel(items[index], element), type?.json)
}

function numberFrom(value: number, kind: CelType['kind']): CelValue {
  if (kind === 'double') return value
  if (!Number.isInteger(value)) return value
  return kind === 'uint' ? new CelUint(BigInt(value)) : BigInt(value)
}

function textFrom(text: string, kind: CelType['kind']): CelValue {
  if (kind === 'timestamp') return new CelTimestamp(parseTimestamp(text) ?? parseTimestamp(`${text}T00:00:00Z`) ?? 0n)
  if (kind === 'duration') return new CelDuration(parseDuration(text) ?? 0n)
  return kind === 'bytes' ? Uint8Array.from(Buffer.from(text, 'base64')) : text
}

/** An object of JSON; its fields become values when they are asked for. Keys are spelt as in expressions; null fields of objects
 * count as absent. */
export class JsonMap extends CelMap {
  readonly typeName: string
  readonly #object: JsonObject
  readonly #type: CelType | undefined

  constructor(object: JsonObject, type: CelType | undefined) {
    super()
    this.#object = object
    this.#type = type
    this.typeName = type?.kind === 'object' ? type.name : 'map'
  }

  get size(): number {
    return this.keys().length
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined
    const name = this.#type?.json?.jsonNames?.get(key) ?? key
    const field = this.#fieldType(key)
    if (!field || !Object.hasOwn(this.#object, name)) return undefined
    const value = this.#object[name]
    const isAbsent = value === undefined || (value === null && this.#type?.kind === 'object')
    return isAbsent ? undefined : toCel(value, field)
  }

  keys(): readonly CelValue[] {
    const names = Object.keys(this.#object).filter((name) => this.#object[name] !== undefined)
    if (this.#type?.kind !== 'object') return names
    const { fields, json } = this.#type
    const spelt = [...(fields as ReadonlyMap<string, CelType>).keys()]
    return spelt.filter((field) => names.includes(json?.jsonNames?.get(field) ?? field))
  }

  #fieldType(key: string): CelType | undefined {
    if (this.#type?.kind === 'object') return this.#type.fields?.get(key)
    return this.#type?.params[1] ?? DYN
  }
}
