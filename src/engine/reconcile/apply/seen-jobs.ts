import { conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { formatGroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import { APPLIED_ANNOTATION, OWNER_UID_LABEL } from '../ownership/marks.ts'

/**
 * How a Job ended, as far as it was seen. `incomplete`: it failed, the operator removed it, or somebody deleted it before its
 * end. `unknown`: it is not seen to have ended; one that is gone may have run.
 */
export type JobEnd = 'complete' | 'incomplete' | 'unknown'

/** The last state of a Job that was seen. */
export interface SeenJob {
  readonly applied: string
  readonly object: KubeObject
  readonly end: JobEnd
  /** Whether the operator itself removed it: what it comes to then does not matter. */
  readonly isRemoved: boolean
}

/** The last states of the Jobs of resources, from events and answers. They are lost in a restart. */
export class SeenJobs {
  readonly #owners = new Map<string, Map<string, SeenJob>>()

  /** Takes the state of a Job out of an event; that of its deletion has the last one. Ignores other objects. */
  note(event: CacheEvent): void {
    const { object, type } = event
    const owner = object.metadata.labels?.[OWNER_UID_LABEL]
    if (owner === undefined || appliedOf(object) === undefined || !isJob(object)) return
    const former = this.find(owner, object)
    const isGone = type === 'deleted'
    if (former?.isRemoved && isSame(former, object)) {
      if (isGone) this.#forget(owner, object)
      return
    }
    const end = endOf(object)
    this.#see(owner, object, isGone && !event.listed && end === 'unknown' ? 'incomplete' : end)
  }

  /** The operator has made a Job. Events may have told more of it by now. */
  noteMade(owner: string, object: KubeObject): void {
    const former = this.find(owner, object)
    if (!(former && isSame(former, object))) this.#see(owner, object, endOf(object))
  }

  /** The operator removes a Job: it is wanted anew when it is wanted again. */
  noteRemoval(owner: string, object: KubeObject): void {
    if (isJob(object)) this.#see(owner, object, 'incomplete', true)
  }

  find(owner: string, job: KubeObject): SeenJob | undefined {
    return this.#owners.get(owner)?.get(jobId(job))
  }

  forgetOwner(owner: string): void {
    this.#owners.delete(owner)
  }

  #see(owner: string, object: KubeObject, end: JobEnd, isRemoved = false): void {
    const jobs = this.#owners.get(owner) ?? new Map<string, SeenJob>()
    this.#owners.set(owner, jobs.set(jobId(object), { applied: appliedOf(object) ?? '', object, end, isRemoved }))
  }

  #forget(owner: string, job: KubeObject): void {
    this.#owners.get(owner)?.delete(jobId(job))
  }
}

function isSame({ object }: SeenJob, job: KubeObject): boolean {
  return object.metadata.uid === job.metadata.uid
}

export function isJob(object: KubeObject): boolean {
  return formatGroupKind(gvkOf(object)) === 'Job.batch'
}

/** `namespace/name`. */
export function jobId(job: KubeObject): string {
  return formatKey(keyOf(job))
}

/** The hash of what was sent for it. */
export function appliedOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[APPLIED_ANNOTATION]
}

/** What the status of a Job says. */
export function endOf(job: KubeObject): JobEnd {
  const isTrue = (type: string): boolean => findCondition(conditionsOf(job), type)?.status === 'True'
  if (isTrue('Complete')) return 'complete'
  return isTrue('Failed') ? 'incomplete' : 'unknown'
}
