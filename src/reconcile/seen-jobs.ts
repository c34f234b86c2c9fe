import { conditionsOf, findCondition } from '../kube/condition.ts'
import { formatGroupKind, gvkOf } from '../kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../kube/object.ts'
import { APPLIED_ANNOTATION, OWNER_UID_LABEL } from './marks.ts'

/** The last state in which a Job was seen. */
export interface SeenJob {
  readonly applied: string
  readonly object: KubeObject
  readonly isComplete: boolean
  /** Whether the operator itself removed it. Then it is created again when the role makes it again. */
  readonly isRemoved: boolean
}

/** The last states of the Jobs of resources, from events and answers. They are lost in a restart. */
export class SeenJobs {
  readonly #owners = new Map<string, Map<string, SeenJob>>()

  /** Notes the state of a Job in an event. The event of its deletion has the last state. Ignores other objects. */
  note(object: KubeObject): void {
    const owner = object.metadata.labels?.[OWNER_UID_LABEL]
    const applied = appliedOf(object)
    if (owner === undefined || applied === undefined || !isJob(object)) return
    const former = this.find(owner, object)
    if (former?.isRemoved && former.object.metadata.uid === object.metadata.uid) return
    this.#set(owner, { applied, object, isComplete: isComplete(object), isRemoved: false })
  }

  /** Notes that the operator removes a Job. */
  noteRemoval(owner: string, object: KubeObject): void {
    if (!isJob(object)) return
    this.#set(owner, { applied: appliedOf(object) ?? '', object, isComplete: false, isRemoved: true })
  }

  find(owner: string, job: KubeObject): SeenJob | undefined {
    return this.#owners.get(owner)?.get(jobId(job))
  }

  forgetOwner(owner: string): void {
    this.#owners.delete(owner)
  }

  #set(owner: string, seen: SeenJob): void {
    const jobs = this.#owners.get(owner) ?? new Map<string, SeenJob>()
    this.#owners.set(owner, jobs.set(jobId(seen.object), seen))
  }
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

function isComplete(job: KubeObject): boolean {
  return findCondition(conditionsOf(job), 'Complete')?.status === 'True'
}
