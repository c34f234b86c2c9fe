import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { type UnknownField, unknownFieldsOf } from '../config/unknown-fields.ts'
import { matcherOf } from './matcher.ts'

/** Fields of an expectation that no object of this schema can have. */
export function unknownExpectations(expected: JsonObject, schema: Schema): readonly UnknownField[] {
  const values = withoutMatchers(expected)
  const unknown = isJsonObject(values) ? unknownFieldsOf(values, schema) : []
  return unknown.map((one) => ({ ...one, path: writtenPath(expected, one.path) }))
}

/** The values that are expected, as an object would have them. */
function withoutMatchers(expected: JsonValue): JsonValue {
  const matcher = matcherOf(expected)
  if (matcher) return matcher.kind === 'equals' ? matcher.value : null
  if (isJsonArray(expected)) return expected.map(withoutMatchers)
  if (!isJsonObject(expected)) return expected
  return Object.fromEntries(Object.entries(expected).map(([key, value = null]) => [key, withoutMatchers(value)]))
}

/** A path of the values as one of the expectation, which goes through the `equals` of a matcher. */
function writtenPath(expected: JsonValue, path: JsonPath): JsonPath {
  const written: (string | number)[] = []
  let here: JsonValue | undefined = expected
  for (const step of path) {
    const matcher = matcherOf(here)
    if (matcher?.kind === 'equals') {
      written.push('equals')
      here = matcher.value
    }
    written.push(step)
    if (isJsonArray(here)) here = here[Number(step)]
    else here = isJsonObject(here) ? here[step] : undefined
  }
  return written
}
