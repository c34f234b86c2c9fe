import { isJsonObject } from '../../core/base/json.ts'
import { type Condition, conditionsOf, findCondition } from '../../core/kube/condition.ts'
import { formatGroupKind, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { readinessOf } from '../../core/kube/readiness.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { ObjectEvent } from '../../sandbox/apiserver/object-api.ts'
import { isOfInterest, nameOf } from './object-name.ts'
import type { ClusterState, ConditionView, EventView, ObjectView, ResourceView } from './protocol.ts'

/** Objects that are shown: a page that shows more helps nobody. */
const MOST_OBJECTS = 500
const MOST_EVENTS = 100

/** The objects of a cluster, as the page shows them. */
export class ClusterView {
  readonly #objects = new Map<string, KubeObject>()
  readonly #events = new Map<string, KubeObject>()
  #isChanged = true

  /** Tells of a change in the store. */
  changed({ type, object }: ObjectEvent): void {
    const known = object.kind === 'Event' ? this.#events : this.#objects
    const uid = object.metadata.uid ?? ''
    // What was changed last comes last.
    if (type === 'DELETED' || object.kind === 'Event') known.delete(uid)
    if (type !== 'DELETED' && (object.kind === 'Event' || isOfInterest(object))) known.set(uid, object)
    this.#isChanged = true
  }

  /** Whether something has changed since the last call. */
  takeChange(): boolean {
    const isChanged = this.#isChanged
    this.#isChanged = false
    return isChanged
  }

  show({ watches }: Pick<Project, 'watches'>): Pick<ClusterState, 'resources' | 'objects' | 'events'> {
    const watched = new Set(watches.map(({ watch }) => formatGroupKind(watch.gvk)))
    const objects = [...this.#objects.values()]
    const isWatched = (object: KubeObject): boolean => watched.has(formatGroupKind(gvkOf(object)))
    return {
      resources: objects.filter(isWatched).slice(0, MOST_OBJECTS).map(resourceView),
      objects: objects.filter((object) => !isWatched(object)).slice(0, MOST_OBJECTS).map(objectView),
      events: [...this.#events.values()].slice(-MOST_EVENTS).reverse().map(eventView),
    }
  }
}

function resourceView(object: KubeObject): ResourceView {
  const conditions = conditionsOf(object)
  const ready = findCondition(conditions, 'Ready')
  return {
    ...nameOf(object),
    uid: object.metadata.uid ?? '',
    ready: ready?.status === 'True' || ready?.status === 'False' ? ready.status : 'Unknown',
    reason: ready?.reason ?? '',
    message: ready?.message ?? '',
    conditions: conditions.map(conditionView),
    isDeleting: object.metadata.deletionTimestamp !== undefined,
  }
}

function conditionView({ type, status, reason = '', message = '' }: Condition): ConditionView {
  return { type, status, reason, message }
}

function objectView(object: KubeObject): ObjectView {
  const readiness = readinessOf(object)
  const replicas = isJsonObject(object.spec) ? object.spec.replicas : undefined
  return {
    ...nameOf(object),
    uid: object.metadata.uid ?? '',
    owners: (object.metadata.ownerReferences ?? []).map(({ uid }) => uid),
    health: readiness.kind === 'unobserved' ? 'notReady' : readiness.kind,
    message: 'message' in readiness ? readiness.message : '',
    ...(typeof replicas === 'number' && { replicas }),
  }
}

function eventView(event: KubeObject): EventView {
  const about = isJsonObject(event.regarding) ? event.regarding : isJsonObject(event.involvedObject) ? event.involvedObject : {}
  const series = isJsonObject(event.series) ? event.series : {}
  const at = [series.lastObservedTime, event.lastTimestamp, event.eventTime, event.metadata.creationTimestamp]
  const time = at.find((one) => typeof one === 'string')
  return {
    type: String(event.type ?? ''),
    reason: String(event.reason ?? ''),
    message: String(event.message ?? event.note ?? ''),
    about: `${about.kind} ${about.namespace ? `${about.namespace}/` : ''}${about.name}`,
    count: Number(series.count ?? event.count ?? 1) || 1,
    at: Date.parse(String(time)),
  }
}
