import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../../src/core/base/json.ts'
import { junk, junkKey, junkText } from './junk.ts'
import type { Random } from './random.ts'

/** A value with a few of its places changed. */
export function mutate(random: Random, value: JsonValue, times = 1 + random.below(3)): JsonValue {
  let mutated = value
  for (let time = 0; time < times; time++) mutated = changeAt(mutated, random.pick(pathsOf(mutated)), random)
  return mutated
}

/** Every place in a value. */
export function pathsOf(value: JsonValue | undefined, path: JsonPath = []): readonly JsonPath[] {
  if (isJsonArray(value)) return [path, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))]
  if (!isJsonObject(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function changeAt(value: JsonValue | undefined, [step, ...rest]: JsonPath, random: Random): JsonValue {
  if (step === undefined) return changed(value ?? null, random)
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? changeAt(item, rest, random) : item))
  const entries = Object.entries((value ?? {}) as JsonObject)
  const kept = entries.map(([key, inner]) => [key, key === step ? changeAt(inner, rest, random) : inner] as const)
  return rest.length > 0 || random.chance(0.6) ? Object.fromEntries(kept) : changedKey(kept, String(step), random)
}

type Entries = readonly (readonly [string, JsonValue | undefined])[]

/** The key itself is lost, named otherwise, or there twice under names that look alike. */
function changedKey(entries: Entries, key: string, random: Random): JsonValue {
  const rename = (name: string): Entries => entries.map(([each, inner]) => [each === key ? name : each, inner])
  return Object.fromEntries(
    random.weighted<Entries>([
      [2, () => entries.filter(([each]) => each !== key)],
      [1, () => rename(junkKey(random))],
      [1, () => [...entries, [key.toUpperCase(), junk(random)]]],
      [1, () => [...entries, [junkKey(random), junk(random)]]],
    ]),
  )
}

function changed(value: JsonValue, random: Random): JsonValue {
  return random.weighted<JsonValue>([
    [4, () => junk(random)],
    [1, () => null],
    [1, () => [value, value]],
    [1, () => ({ [junkKey(random)]: value })],
    [typeof value === 'string' ? 2 : 0, () => `${value}${junkText(random)}`],
    [typeof value === 'number' ? 2 : 0, () => -Number(value)],
    [isJsonArray(value) ? 3 : 0, () => [...(value as readonly JsonValue[]), ...(value as readonly JsonValue[])]],
    [isJsonObject(value) ? 2 : 0, () => ({ ...(value as JsonObject), [junkKey(random)]: junk(random) })],
  ])
}
