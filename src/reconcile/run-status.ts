import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../base/json.ts'
import { isCondition } from '../kube/condition.ts'
import type { StatusPort } from '../role/run-context.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** Collects what the `status` tasks of one run set. */
export class RunStatus implements StatusPort {
  #fields: JsonObject = {}

  get fields(): JsonObject {
    return this.#fields
  }

  set(fields: JsonObject): void {
    this.#fields = mergeObjects(this.#fields, fields, [])
  }
}

function mergeObjects(left: JsonObject, right: JsonObject, path: JsonPath): JsonObject {
  const merged: { [key: string]: JsonValue | undefined } = { ...left }
  for (const [key, value] of Object.entries(right)) merged[key] = merge(left[key], value, [...path, key])
  return merged
}

function merge(left: JsonValue | undefined, right: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  if (left === undefined || jsonEquals(left, right)) return right
  if (isJsonObject(left) && isJsonObject(right)) return mergeObjects(left, right, path)
  if (path.length === 1 && path[0] === 'conditions' && isJsonArray(left) && isJsonArray(right))
    return mergeConditions(left, right)
  throw new TaskFailure(
    'Failed',
    `two \`status\` tasks set \`status.${printPath(path)}\` to different values: keep one`,
  )
}

/** Conditions are a map by type, whatever the schema says. What is none is left out. */
function mergeConditions(left: JsonArray, right: JsonArray): JsonArray {
  const byType = new Map(left.filter(isCondition).map((condition) => [condition.type, condition]))
  for (const condition of right.filter(isCondition)) {
    const { type } = condition
    const other = byType.get(type)
    if (other !== undefined && !jsonEquals(other, condition)) {
      throw new TaskFailure('Failed', `two \`status\` tasks set condition "${type}" differently: keep one`)
    }
    byType.set(type, condition)
  }
  return [...byType.values()]
}
