import type { JsonObject } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'

/** A step of a role test, as it stands in a file. */
export type WrittenStep = JsonObject

/** What happens to one resource after its creation. The end is not part of it, because it is the same in each case. */
export interface ProofCase {
  /** The objects that exist before. */
  readonly given: readonly KubeObject[]
  /** As it is created. */
  readonly resource: KubeObject
  readonly events: readonly ProofEvent[]
}

export interface ProofEvent {
  /** An edit of the resource belongs to every life of the case; a disturbance is to leave no trace. */
  readonly kind: 'edit' | 'disturbance'
  readonly step: WrittenStep
}

/** The case with nothing but what people want of the resource. */
export function calmed(one: ProofCase): ProofCase {
  const edits = one.events.filter(({ kind }) => kind === 'edit')
  return { ...one, events: edits.map(({ kind, step: { wait: _wait, ...step } }) => ({ kind, step })) }
}

export function isCalm({ events }: ProofCase): boolean {
  return events.every(({ kind, step }) => kind === 'edit' && step.wait === undefined)
}

/** What the last steps of every case are called: properties ask by it. */
export const LAST = {
  well: 'nothing fails any more',
  settled: 'two hours later',
  again: 'a second run',
  rest: 'at rest',
  deletion: 'deletion',
} as const

/** A case as the steps of a role test. */
export function stepsOf({ resource, events }: ProofCase): readonly WrittenStep[] {
  const { kind, apiVersion, metadata } = resource
  const { name, namespace } = metadata
  const target = { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
  const first = events.findIndex(({ step }) => step.fail === undefined)
  const before = first === -1 ? events : events.slice(0, first)
  const hasFaults = events.some(({ step }) => step.fail !== undefined)
  const create = { name: 'creation', create: resource as unknown as JsonObject }
  return [
    ...before.map(({ step }) => step),
    create,
    ...events.slice(before.length).map(({ step }) => step),
    ...(hasFaults ? [{ name: LAST.well, fail: [] }] : []),
    { name: LAST.settled, advance: '2h' },
    { name: LAST.again, restart: 'stop' },
    { name: LAST.rest, advance: '1h' },
    { name: LAST.deletion, delete: target as JsonObject },
  ]
}
