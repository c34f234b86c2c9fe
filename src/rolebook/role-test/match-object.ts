import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
} from '../../core/base/json.ts'
import { compileRegex } from '../../core/base/regex.ts'
import { propertySchema, type Schema } from '../../core/schema/schema.ts'
import { matcherOf } from './matcher.ts'

/** One place where an object is not as expected. */
export interface Difference {
  /** In the expectation. */
  readonly path: JsonPath
  /** In the object, where lists may have more items. */
  readonly actualPath: JsonPath
  readonly expected: JsonValue
  /** `undefined`: there is nothing. */
  readonly actual: JsonValue | undefined
  /** What is wrong, where the two values do not say it. */
  readonly reason?: string | undefined
}

interface Place {
  readonly path: JsonPath
  readonly actualPath: JsonPath
  readonly schema: Schema | undefined
}

/** Where an object lacks what is expected of it. What it has besides does not count. */
export function matchObject(
  expected: JsonObject,
  actual: JsonObject,
  schema: Schema | undefined,
): readonly Difference[] {
  return match(expected, actual, { path: [], actualPath: [], schema })
}

function match(expected: JsonValue, actual: JsonValue | undefined, place: Place): readonly Difference[] {
  const matched = matchByMatcher(expected, actual, place)
  if (matched) return matched
  if (isJsonObject(expected) && isJsonObject(actual)) return matchFields(expected, actual, place)
  if (isJsonArray(expected) && isJsonArray(actual)) return matchList(expected, actual, place)
  const isSame = jsonEquals(expected, actual) || (expected === null && actual === undefined)
  return isSame ? [] : [different(expected, actual, place)]
}

function matchByMatcher(
  expected: JsonValue,
  actual: JsonValue | undefined,
  place: Place,
): readonly Difference[] | undefined {
  const matcher = matcherOf(expected)
  switch (matcher?.kind) {
    case undefined:
      return undefined
    case 'absent':
      return actual === undefined || actual === null ? [] : [different(expected, actual, place)]
    case 'equals': {
      const inner = { ...place, path: [...place.path, 'equals'] }
      return jsonEquals(matcher.value, actual) ? [] : [different(matcher.value, actual, inner)]
    }
    case 'matches': {
      const isText = typeof actual === 'string' || typeof actual === 'number' || typeof actual === 'boolean'
      const isFound = isText && compileRegex(matcher.source, '').exec(String(actual), 0) !== undefined
      return isFound ? [] : [different(expected, actual, place)]
    }
  }
}

function matchFields(
  expected: JsonObject,
  actual: JsonObject,
  { path, actualPath, schema }: Place,
): readonly Difference[] {
  return Object.entries(expected).flatMap(([key, value]) => {
    if (value === undefined) return []
    const inner = schema && propertySchema(schema, key)
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined
    return match(value, found, { path: [...path, key], actualPath: [...actualPath, key], schema: inner })
  })
}

function matchList(expected: JsonArray, actual: JsonArray, place: Place): readonly Difference[] {
  const keys = mergeKeys(place.schema) ?? (isConditions(expected, place) ? ['type'] : undefined)
  if (keys)
    return expected.flatMap((item, index) => matchKeyed(item, actual, { ...place, path: [...place.path, index], keys }))
  if (place.schema?.['x-kubernetes-list-type'] === 'set') {
    return expected.flatMap((item, index) => {
      const isThere = actual.some((one) => match(item, one, ANYWHERE).length === 0)
      return isThere ? [] : [different(item, undefined, { ...place, path: [...place.path, index] })]
    })
  }
  if (expected.length !== actual.length) {
    const reason = `${expected.length} items are expected and ${actual.length} are there`
    return [{ ...different(expected, actual, place), reason }]
  }
  return expected.flatMap((item, index) => match(item, actual[index], itemPlace(place, index, index)))
}

const ANYWHERE: Place = { path: [], actualPath: [], schema: undefined }

/** `undefined` for a list whose items are matched by their places. */
function mergeKeys(schema: Schema | undefined): readonly string[] | undefined {
  const keys = schema?.['x-kubernetes-list-map-keys']
  if (keys && keys.length > 0) return keys
  const key = schema?.['x-kubernetes-patch-merge-key']
  return key === undefined ? undefined : [key]
}

/** Conditions have a type each, also where a CRD does not say that they are a map (API conventions). */
function isConditions(expected: JsonArray, { actualPath }: Place): boolean {
  return actualPath.at(-1) === 'conditions' && expected.every((item) => isJsonObject(item) && item.type !== undefined)
}

interface KeyedPlace extends Place {
  readonly keys: readonly string[]
}

/** The item that has the keys which the expectation names; of several, the one that is most like it. */
function matchKeyed(expected: JsonValue, actual: JsonArray, { keys, ...place }: KeyedPlace): readonly Difference[] {
  const item = isJsonObject(expected) ? expected : {}
  const named = keys.filter((key) => item[key] !== undefined)
  let best: readonly Difference[] | undefined
  for (const [index, candidate] of actual.entries()) {
    const fits =
      isJsonObject(candidate) && named.every((key) => match(item[key] ?? null, candidate[key], ANYWHERE).length === 0)
    if (!fits) continue
    const inner = { ...place, actualPath: [...place.actualPath, index], schema: place.schema?.items }
    const found = match(expected, candidate, inner)
    if (best === undefined || found.length < best.length) best = found
  }
  return best ?? [{ ...different(expected, undefined, place), reason: `there is no such item among ${actual.length}` }]
}

function itemPlace({ path, actualPath, schema }: Place, index: number, actualIndex: number): Place {
  return { path: [...path, index], actualPath: [...actualPath, actualIndex], schema: schema?.items }
}

function different(expected: JsonValue, actual: JsonValue | undefined, { path, actualPath }: Place): Difference {
  return { path, actualPath, expected, actual }
}
