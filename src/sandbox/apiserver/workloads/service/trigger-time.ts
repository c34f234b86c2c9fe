import { isJsonArray, type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { timestamp, withAnnotations, withoutAnnotation } from '../common/objects.ts'

const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time'

/** Endpoints, or a slice of them, that say when the change happened by which items came; nothing if items only went. */
export function withTriggerTime(
  object: KubeObject,
  { items, before }: { items: readonly JsonObject[]; before: JsonValue | undefined },
  now: number,
): KubeObject {
  const known = isJsonArray(before) ? before : []
  const isNew = items.some((item) => !known.some((each) => jsonEquals(item, each)))
  return isNew ? triggeredAt(object, now) : withoutAnnotation(object, TRIGGER_TIME)
}

export function triggeredAt(object: KubeObject, now: number): KubeObject {
  return withAnnotations(object, { [TRIGGER_TIME]: timestamp(now) })
}
