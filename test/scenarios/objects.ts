import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../src/core/base/json.ts'
import { apiVersionOf, type Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Expectation } from './cluster-driver.ts'

/** An object of a kind with a name and a spec. */
export function newObject(gvk: Gvk, name: string, spec: JsonObject): KubeObject {
  return {
    apiVersion: apiVersionOf(gvk),
    kind: gvk.kind,
    metadata: { name },
    spec,
  }
}

/** The value at `spec.template…` of an object; missing steps give `undefined`. */
export function at(object: KubeObject | undefined, ...path: JsonPath): JsonValue | undefined {
  return getPath(object, path)
}

export interface SeenCondition {
  readonly status: JsonValue | undefined
  readonly reason: JsonValue | undefined
  readonly message: string
}

export function conditionOf(object: KubeObject | undefined, type: string): SeenCondition | undefined {
  const conditions = at(object, 'status', 'conditions')
  const found = isJsonArray(conditions) ? conditions.filter(isJsonObject).find((one) => one.type === type) : undefined
  return (
    found && {
      status: found.status,
      reason: found.reason,
      message: String(found.message ?? ''),
    }
  )
}

/** The resource is Ready for its present generation. */
export const ready: Expectation = {
  what: 'is Ready',
  holds: (object) =>
    conditionOf(object, 'Ready')?.status === 'True' &&
    at(object, 'status', 'observedGeneration') === object?.metadata.generation,
}

export const gone: Expectation = {
  what: 'is gone',
  holds: (object) => object === undefined,
}

/** This very object is gone, whatever has taken its name since. */
export const goneOrReplaced = (before: KubeObject | undefined): Expectation => ({
  what: 'is gone',
  holds: (object) => object === undefined || object.metadata.uid !== before?.metadata.uid,
})

export const there: Expectation = {
  what: 'exists',
  holds: (object) => object !== undefined,
}

/** The value at a path equals `value` (compared as JSON text). */
export function has(path: JsonPath, value: JsonValue): Expectation {
  return {
    what: `has ${path.join('.')} = ${JSON.stringify(value)}`,
    holds: (object) => object !== undefined && JSON.stringify(at(object, ...path)) === JSON.stringify(value),
  }
}

/** A Ready condition that is not true, with this reason. */
export function notReady(reason: string): Expectation {
  return {
    what: `is not Ready, with reason ${reason}`,
    holds: (object) => {
      const condition = conditionOf(object, 'Ready')
      return condition?.status === 'False' && condition.reason === reason
    },
  }
}
