import { explain } from '../../core/base/coded-error.ts'
import { isJsonObject, type JsonValue } from '../../core/base/json.ts'
import { isForbidden } from '../../core/kube/api-error.ts'
import type { Reader } from '../../core/kube/client.ts'
import { conditionsOf } from '../../core/kube/condition.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { readinessOf } from '../../core/kube/readiness.ts'
import type { ResourceHistory } from '../../engine/operator/run-history.ts'
import type { Role } from '../../engine/role/role.ts'
import type { Condition, EventLine, ObjectNode, ResourceDetails } from '../ui/model.ts'
import { deletionOf } from './deletion.ts'
import { fightsIn } from './fights.ts'
import { nameOf, rowOf } from './resource-row.ts'
import { isWorkload, rolloutOf } from './rollouts.ts'
import { tasksOf } from './task-nodes.ts'

/** What is known of a resource. */
export interface KnownResource {
  readonly resource: KubeObject
  readonly role: Role
  /** Made for it. */
  readonly objects: readonly KubeObject[]
  readonly history: ResourceHistory
  readonly events: ReadEvents
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The events of a resource, or why there are none. */
export interface ReadEvents {
  /** Of `v1`. */
  readonly items: readonly KubeObject[]
  readonly problem?: string | undefined
}

const EVENT = { group: '', version: 'v1', kind: 'Event' }
const MOST_EVENTS = 50

export function detailsOf({ resource, role, objects, history, events, now }: KnownResource): ResourceDetails {
  const { runs, skipped, skippedAt } = history
  const facts = { resource, role: role.name, objects, lastRun: runs[0] }
  return {
    row: rowOf(facts),
    conditions: conditionsOf(resource).map(toCondition),
    ...tasksOf(role, runs),
    objects: objects.map(toNode),
    rollouts: objects.filter(isWorkload).map((workload) => rolloutOf(workload, runs)),
    fights: fightsIn(runs, now),
    deletion: deletionOf(facts),
    runs,
    skipped,
    skippedAt,
    events: events.items.map(toLine).toSorted(latestFirst).slice(0, MOST_EVENTS),
    ...(events.problem !== undefined && { eventsProblem: events.problem }),
  }
}

/** Reads the events of a resource. The operator may lack the right to do so. */
export async function readEvents(
  { metadata }: KubeObject,
  { client, signal }: { readonly client: Pick<Reader, 'list'>; readonly signal?: AbortSignal },
): Promise<ReadEvents> {
  const { uid, namespace } = metadata
  // Events of resources without a namespace are in `default` or elsewhere, so the uid selects them.
  const query = { fieldSelector: `involvedObject.uid=${uid}`, ...(namespace && { namespace }) }
  try {
    return { items: (await client.list(EVENT, { ...query, ...(signal && { signal }) })).items }
  } catch (error) {
    const problem = isForbidden(error)
      ? 'the operator may not read events (use kubectl describe)'
      : `cannot read events: ${explain(error)}`
    return { items: [], problem }
  }
}

function toCondition({ type, status, reason, message, lastTransitionTime }: ReturnType<typeof conditionsOf>[number]) {
  const condition: Condition = {
    ...{ type, status, reason: reason ?? '', message: message ?? '', since: lastTransitionTime ?? '' },
  }
  return condition
}

function toNode(object: KubeObject): ObjectNode {
  const { uid = '', creationTimestamp: created = '', deletionTimestamp, finalizers = [] } = object.metadata
  const readiness = readinessOf(object)
  return {
    ...nameOf(object),
    uid,
    health: readiness.kind === 'unobserved' ? 'notReady' : readiness.kind,
    message: readiness.kind === 'ready' ? '' : readiness.message,
    created,
    ...(deletionTimestamp !== undefined && { deleting: deletionTimestamp }),
    finalizers,
  }
}

function toLine(event: KubeObject): EventLine {
  const { type, reason, message, count, lastTimestamp, eventTime, source, reportingComponent, metadata } = event
  const component = isJsonObject(source) ? source.component : undefined
  return {
    type: textOf(type),
    reason: textOf(reason),
    message: textOf(message),
    count: typeof count === 'number' ? count : 1,
    at: textOf(lastTimestamp) || textOf(eventTime) || textOf(metadata.creationTimestamp),
    from: textOf(reportingComponent) || textOf(component),
  }
}

function latestFirst(left: EventLine, right: EventLine): number {
  return left.at > right.at ? -1 : Number(left.at < right.at)
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
