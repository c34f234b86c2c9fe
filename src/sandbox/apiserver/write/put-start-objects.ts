import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { randomIdentities } from './identities.ts'
import { type ServerState, timestampOf } from './write-request.ts'

/** What stands for all times in a recording. */
const NOW = '<now>'

/**
 * Stores objects as they were recorded on a real server, with `<now>` for all times. It bypasses the write pipeline, which would make a start
 * three times as long. Objects that exist already stay as they are. Servers share what has no times in it.
 */
export function putStartObjects(state: ServerState, recorded: readonly KubeObject[]): void {
  const now = timestampOf(state.clock.now())
  for (const object of recorded) {
    const resource = state.registry.ofKind(gvkOf(object))
    const { namespace, name } = keyOf(object)
    if (!resource || state.store.get(resource.table, namespace, name)) continue
    state.store.put(resource.table, startObject(object, (state.identities ?? randomIdentities).uidOf(object), now))
  }
}

function startObject({ metadata, status, ...object }: KubeObject, uid: string, now: string): KubeObject {
  const managedFields = metadata.managedFields?.map((entry) => ({ ...entry, time: now }))
  return {
    ...object,
    metadata: { ...metadata, uid, creationTimestamp: now, managedFields },
    ...(status !== undefined && { status: withTimes(status, now) }),
  }
}

function withTimes(value: JsonValue, now: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withTimes(item, now))
  if (!isJsonObject(value)) return value === NOW ? now : value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inner && withTimes(inner, now)]))
}
