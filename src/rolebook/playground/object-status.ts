import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'

/** How far an object is, in the words of `kubectl get`: `Running 1/1`, `2/3 ready`, `Bound`. Empty: nothing is known. */
export function objectStatus({ kind, metadata, spec, status }: KubeObject): string {
  const facts = { spec: objectOf(spec), status: objectOf(status) }
  if (metadata.deletionTimestamp !== undefined) return 'Terminating'
  return RULES[kind]?.(facts) ?? textOf(facts.status.phase)
}

interface Facts {
  readonly spec: JsonObject
  readonly status: JsonObject
}

const RULES: Readonly<Record<string, (facts: Facts) => string>> = {
  Pod: podStatus,
  ReplicaSet: replicas,
  StatefulSet: replicas,
  Deployment: replicas,
  Job: ({ spec, status }) => `${numberOf(status.succeeded)}/${numberOf(spec.completions, 1)} done`,
}

function podStatus({ spec, status }: Facts): string {
  const containers = listOf(status.containerStatuses)
  const reasons = containers.map(({ state }) => textOf(objectOf(objectOf(state).waiting).reason))
  const ready = containers.filter((container) => container.ready === true).length
  const word = reasons.find((reason) => reason !== '') ?? textOf(status.phase)
  return word === 'Succeeded' ? word : `${word} ${ready}/${listOf(spec.containers).length}`.trim()
}

function replicas({ spec, status }: Facts): string {
  return `${numberOf(status.readyReplicas)}/${numberOf(spec.replicas, 1)} ready`
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : []
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: JsonValue | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise
}
