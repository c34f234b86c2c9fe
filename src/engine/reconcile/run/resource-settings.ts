import { parseDuration } from '../../../core/kube/duration.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { RECONCILE_PERIOD } from '../../role/reconcile-period.ts'
import { type Owner, PAUSED_ANNOTATION, RECONCILE_PERIOD_ANNOTATION } from '../ownership/marks.ts'
import type { WatchEntry } from '../watch-entry.ts'

/** Whether the annotation `rolebook.dev/paused` forbids all writes for this resource. */
export function isPaused(resource: KubeObject): boolean {
  return resource.metadata.annotations?.[PAUSED_ANNOTATION] === 'true'
}

/** Milliseconds until a resource at rest is reconciled again; 0 is never. The annotation of the resource overrides its entry. */
export function periodOf({ entry, owner }: { readonly entry: WatchEntry; readonly owner: Owner }): number {
  const text = owner.resource.metadata.annotations?.[RECONCILE_PERIOD_ANNOTATION]
  const period = text === undefined ? undefined : parseDuration(text)
  if (period === undefined || (period > 0 && period < RECONCILE_PERIOD.min)) return entry.reconcilePeriod
  return Math.min(period, RECONCILE_PERIOD.max)
}
