import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../../core/base/json.ts'
import { isCondition } from '../../../core/kube/condition.ts'
import type { StatusPort } from '../../role/run-context.ts'
import { Secrecy } from '../../role/secrecy.ts'
import { type RunOutcome, TaskFailure } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'

/** The limit for what tasks set. The whole resource must fit into what a server takes, and every watcher receives it. */
export const MOST_BYTES = 512 * 1024

/** Collects what the `status` tasks of one run set. */
export class RunStatus implements StatusPort {
  readonly #secrecy: Secrecy
  #fields: JsonObject = {}

  constructor(secrecy = new Secrecy()) {
    this.#secrecy = secrecy
  }

  get fields(): JsonObject {
    return this.#fields
  }

  set(fields: JsonObject): void {
    const leak = this.#leakIn(fields)
    if (leak) throw leak
    const merged = mergeObjects(this.#fields, fields, [])
    const bytes = Buffer.byteLength(JSON.stringify(merged))
    if (bytes > MOST_BYTES) {
      const remedy = 'show less, or put it into a ConfigMap'
      throw new TaskFailure(
        'Failed',
        `cannot set the status: it would take ${bytes} bytes of at most ${MOST_BYTES} (${remedy})`,
      )
    }
    this.#fields = merged
  }

  /** Judges the status at the end of a run, when all secrets are known. A value of a Secret makes the run fail. */
  judge(outcome: RunOutcome): RunOutcome {
    const leak = this.#leakIn(this.#fields)
    if (!leak) return outcome
    this.#fields = {}
    return {
      ...outcome,
      complete: false,
      stoppedBy: outcome.stoppedBy ?? { task: 'status', outcome: toFailedOutcome(leak) },
    }
  }

  #leakIn(fields: JsonObject): TaskFailure | undefined {
    const path = this.#secrecy.find(fields)
    if (!path) return undefined
    const remedy = 'leave it out, or give a digest: `$sha256(…)`'
    return new TaskFailure(
      'Failed',
      `cannot set \`${printPath(['status', ...path])}\`: it would show a value of a Secret (${remedy})`,
    )
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
    `cannot set \`status.${printPath(path)}\`: two \`status\` tasks give it different values (keep one)`,
  )
}

/** Merges conditions by type, whatever the schema says. What is not a condition is left out. */
function mergeConditions(left: JsonArray, right: JsonArray): JsonArray {
  const byType = new Map(left.filter(isCondition).map((condition) => [condition.type, condition]))
  for (const condition of right.filter(isCondition)) {
    const { type } = condition
    const other = byType.get(type)
    if (other !== undefined && !jsonEquals(other, condition)) {
      throw new TaskFailure(
        'Failed',
        `cannot set condition "${type}": two \`status\` tasks set it differently (keep one)`,
      )
    }
    byType.set(type, condition)
  }
  return [...byType.values()]
}
