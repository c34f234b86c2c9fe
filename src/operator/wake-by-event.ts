import { jsonEquals } from '../base/json.ts'
import { jsonChanges } from '../base/json-changes.ts'
import { isTerminating } from '../kube/finalizer.ts'
import { formatObject } from '../kube/object.ts'
import { contentOf } from '../reconcile/resource-content.ts'
import type { Wake } from '../reconcile/run-trace.ts'
import type { CacheEvent } from '../runtime/cache-event.ts'

const MOST_FIELDS = 5

/** Why a change of a resource runs its role; `undefined`: it does not. */
export function wakeByResource(event: CacheEvent, annotationsRead: readonly string[] | 'all'): Wake | undefined {
  const { resourceVersion } = event.object.metadata
  if (event.type === 'added') return event.initial ? { kind: 'started' } : { kind: 'created', resourceVersion }
  if (event.type === 'deleted' || (isTerminating(event.object) && !isTerminating(event.old))) {
    return { kind: 'deleted', resourceVersion }
  }
  const [before, after] = [event.old, event.object].map((one) => contentOf(one, annotationsRead))
  if (jsonEquals(before, after)) return undefined
  const fields = jsonChanges(before, after, MOST_FIELDS + 1)
    .map(({ field }) => field)
    .filter((field) => field !== 'metadata.generation')
  return { kind: 'edited', resourceVersion, fields: fields.slice(0, MOST_FIELDS).sort() }
}

/** Why a change of an object runs the roles that looked at it. */
export function wakeByObject({ type, object }: CacheEvent): Wake {
  return {
    kind: 'changed',
    object: formatObject(object),
    how: type,
    resourceVersion: object.metadata.resourceVersion,
  }
}
