import { isJsonArray, isJsonObject, type JsonPath, type JsonValue, printPath } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'

/** How many values of an object are left out, one at a time, to find the one that is refused. */
const MOST_TRIES = 200

/**
 * The field that a refusal without fields is about: the first one without which it is refused otherwise, or not at all. Empty
 * when there is none.
 *
 * @param says what is said to a changed object; `undefined` when it is accepted
 */
export function blamedField(
  object: KubeObject,
  message: string,
  says: (changed: KubeObject) => string | undefined,
): string {
  const unknown = /unknown field "([^"]+)"/.exec(message)?.[1]
  if (unknown !== undefined) return unknown
  const leaves = leavesOf(object as JsonValue, []).filter(([top]) => top !== 'apiVersion' && top !== 'kind')
  const blamed = leaves.slice(0, MOST_TRIES).find((path) => says(without(object, path)) !== message)
  return blamed === undefined ? '' : printPath(blamed)
}

function leavesOf(value: JsonValue | undefined, path: JsonPath): readonly JsonPath[] {
  if (isJsonArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]))
  if (!isJsonObject(value)) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

function without(object: KubeObject, path: JsonPath): KubeObject {
  return cut(object as JsonValue, path) as KubeObject
}

function cut(value: JsonValue | undefined, [step, ...rest]: JsonPath): JsonValue | undefined {
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== step) return [item]
      return rest.length === 0 ? [] : [cut(item, rest) as JsonValue]
    })
  }
  if (!isJsonObject(value)) return value
  const { [String(step)]: inner, ...others } = value
  return rest.length === 0 ? others : { ...value, [String(step)]: cut(inner, rest) }
}
