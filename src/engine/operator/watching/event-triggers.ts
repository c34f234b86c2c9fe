import { jsonEquals } from '../../../core/base/json.ts'
import { jsonChanges } from '../../../core/base/json-changes.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatObject } from '../../../core/kube/object.ts'
import { contentOf } from '../../reconcile/run/resource-content.ts'
import type { Trigger } from '../../reconcile/trace/run-trace.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'

const MOST_FIELDS = 5

/** The trigger that a change of a resource is for its role; `undefined` if the change concerns no role. */
export function triggerOfResource(event: CacheEvent, annotationsRead: readonly string[] | 'all'): Trigger | undefined {
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

/** The trigger that a change of an object is for the roles that read it. */
export function triggerOfObject({ type, object }: CacheEvent): Trigger {
  return {
    kind: 'changed',
    object: formatObject(object),
    how: type,
    resourceVersion: object.metadata.resourceVersion,
  }
}
