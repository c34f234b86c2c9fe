import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { MadeValues } from '../trial/made-values.ts'
import type { Dice } from './dice.ts'

const DEEPEST = 10
const MOST_ITEMS = 3
/** Numbers beyond make a cluster of nothing but pods. */
const LARGEST = 5
const KEYS = ['made', 'other']

/** Chooses values that a schema allows, near to what a sample has. */
export class RandomSpec {
  readonly #dice: Dice
  readonly #made = new MadeValues()

  constructor(dice: Dice) {
    this.#dice = dice
  }

  /** Texts that nothing but chance has chosen: what a role makes of them proves nothing against it. */
  get invented(): ReadonlySet<string> {
    return this.#made.invented
  }

  /** `undefined`: left out, or none can be made. */
  valueFor(schema: Schema, sample: JsonValue | undefined, name = '', depth = 0): JsonValue | undefined {
    if (depth > DEEPEST) return sample
    const { type, properties, items, additionalProperties } = schema
    const isObject = type === 'object' || properties !== undefined
    if (isObject && properties) return this.#object(schema, sample, depth)
    if (isObject && typeof additionalProperties === 'object') return this.#map(additionalProperties, sample, depth)
    // What a schema leaves open is only known by the sample.
    if (isObject) return sample
    if (type === 'array') return items ? this.#list(schema, items, sample, { name, depth }) : sample
    return this.#scalar(schema, sample, name)
  }

  #object({ properties = {}, required = [] }: Schema, sample: JsonValue | undefined, depth: number): JsonObject {
    const given = isJsonObject(sample) ? sample : {}
    const fields = Object.entries(properties).flatMap(([key, inner]) => {
      const share = given[key] === undefined ? 40 : 75
      if (!required.includes(key) && !this.#dice.percent(share)) return []
      const value = this.valueFor(inner, given[key], key, depth + 1)
      return value === undefined ? [] : [[key, value] as const]
    })
    return Object.fromEntries(fields)
  }

  #map(values: Schema, sample: JsonValue | undefined, depth: number): JsonObject {
    const given = isJsonObject(sample) ? sample : {}
    const keys = [...Object.keys(given), ...KEYS].filter(() => this.#dice.percent(40))
    const entries = keys.map((key) => [key, this.valueFor(values, given[key], key, depth + 1)] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  #list(
    { minItems = 0, maxItems = MOST_ITEMS, 'x-kubernetes-list-type': listType }: Schema,
    items: Schema,
    sample: JsonValue | undefined,
    { name, depth }: { readonly name: string; readonly depth: number },
  ): JsonValue {
    const given = isJsonArray(sample) ? sample : []
    const isSet = listType === 'set'
    const most = Math.max(minItems, Math.min(maxItems, MOST_ITEMS))
    const count = minItems + this.#dice.below(most - minItems + 1)
    const list = Array.from({ length: count }, (_, index) => {
      const like = given[index] ?? (given.length > 0 ? this.#dice.pick(given) : undefined)
      return this.valueFor(items, like, name, depth + 1) ?? null
    })
    return isSet ? [...new Set(list)] : list
  }

  #scalar(schema: Schema, sample: JsonValue | undefined, name: string): JsonValue | undefined {
    const { enum: allowed, type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
    if (allowed && allowed.length > 0) return this.#dice.pick(allowed)
    if (type === 'boolean') return this.#dice.percent(50)
    if (sample !== undefined && this.#dice.percent(60)) return sample
    if (type === 'integer' || type === 'number') {
      const usual = this.#made.scalar(schema, name)
      if (typeof usual === 'number' && usual > LARGEST) return usual
      return minimum + this.#dice.below(Math.min(maximum - minimum, LARGEST) + 1)
    }
    if (schema.default !== undefined && this.#dice.percent(30)) return schema.default
    return sample !== undefined && this.#dice.percent(50) ? sample : this.#made.scalar(schema, name)
  }
}
