import { conditionsOf, findCondition } from '../../core/kube/condition.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { formatObject, type KubeObject, keyOf } from '../../core/kube/object.ts'
import { readinessOf } from '../../core/kube/readiness.ts'
import type { RunTrace } from '../../engine/reconcile/trace/run-trace.ts'
import type { Problem, ResourceName, ResourceRow } from '../ui/model.ts'
import { deletionOf } from './deletion.ts'
import { isGivenUp } from './fights.ts'
import { describeRollout, isWorkload, rolloutOf } from './rollouts.ts'

/** What is known of a resource without asking the API server. */
export interface ResourceFacts {
  readonly resource: KubeObject
  readonly role: string
  /** Made for it. */
  readonly objects: readonly KubeObject[]
  /** The latest run. Absent: none is remembered. */
  readonly lastRun: RunTrace | undefined
}

/** Characters of a message in the list. */
const LONGEST = 400
/** Reasons of `Ready` that say that a run failed. */
const FAILURES = new Set(['Failed', 'Forbidden', 'Invalid', 'Conflict'])

export function rowOf(facts: ResourceFacts): ResourceRow {
  const { resource, role, objects } = facts
  const { metadata } = resource
  const ready = readyOf(resource)
  const status = resource.status as { readonly observedGeneration?: unknown } | undefined
  const observed = status?.observedGeneration
  return {
    ...nameOf(resource),
    uid: metadata.uid ?? '',
    ready: ready?.status === 'True' || ready?.status === 'False' ? ready.status : 'Unknown',
    reason: ready?.reason ?? '',
    message: cut(ready?.message ?? ''),
    ...(metadata.generation !== undefined && { generation: metadata.generation }),
    ...(typeof observed === 'number' && { observedGeneration: observed }),
    created: metadata.creationTimestamp ?? '',
    ...(metadata.deletionTimestamp !== undefined && { deleting: metadata.deletionTimestamp }),
    role,
    objects: objects.length,
    problems: problemsOf(facts, ready?.reason ?? ''),
  }
}

/** Whether the latest run decides about the row: only it says what blocks a deletion, and which field is fought over. */
export function dependsOnRun(resource: KubeObject): boolean {
  return resource.metadata.deletionTimestamp !== undefined || readyOf(resource)?.reason === 'Conflict'
}

export function nameOf(object: KubeObject): ResourceName {
  const { group } = gvkOf(object)
  return { group, kind: object.kind, ...keyOf(object) }
}

function problemsOf(facts: ResourceFacts, reason: string): readonly Problem[] {
  const { resource, objects, lastRun } = facts
  const deletion = deletionOf(facts)
  const blockers = deletion?.blockers.filter(({ kind }) => kind !== 'operator') ?? []
  const fights = lastRun?.tasks.filter(isGivenUp) ?? []
  const failed = resource.metadata.deletionTimestamp === undefined ? objects.filter(hasFailed) : []
  const isFailing = FAILURES.has(reason) && fights.length === 0
  return [
    ...blockers.slice(0, 1).map(({ message }) => problem('deletion', message)),
    ...failed.map(problemOfObject),
    ...fights.map(({ why = [] }) => problem('fight', why.at(-1)?.replace(/^\w+: /, '') ?? '')),
    ...(isFailing ? [problem('failure', messageOf(resource))] : []),
  ]
}

function hasFailed(object: KubeObject): boolean {
  return readinessOf(object).kind === 'failed'
}

function problemOfObject(object: KubeObject): Problem {
  if (isWorkload(object)) return problem('rollout', describeRollout(rolloutOf(object, [])))
  const readiness = readinessOf(object)
  return problem('failure', `${formatObject(object)} has failed: ${'message' in readiness ? readiness.message : ''}`)
}

function problem(kind: Problem['kind'], message: string): Problem {
  return { kind, message: cut(message) }
}

function readyOf(resource: KubeObject): ReturnType<typeof findCondition> {
  return findCondition(conditionsOf(resource), 'Ready')
}

function messageOf(resource: KubeObject): string {
  return readyOf(resource)?.message ?? ''
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
