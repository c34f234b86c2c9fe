import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { formatGroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { CacheEvent } from '../../runtime/cache-event.ts'
import {
  APPLIED_ANNOTATION,
  FIELD_MANAGER,
  JOBS_ANNOTATION,
  OWNER_UID_LABEL,
  type Owner,
} from '../ownership/ownership.ts'
import type { ObjectCaches, WatchedResources } from '../reconciler-ports.ts'
import { attempt } from './request-failure.ts'

export interface CompletedJobsTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly caches: Pick<ObjectCaches, 'wrote'>
  readonly resources: Pick<WatchedResources, 'latest'>
  readonly seen: SeenJobs
  /** Called once for a Job that counts as complete although its end was not seen. */
  readonly onPresumed?: ((job: KubeObject, owner: Owner, signal: AbortSignal) => void) | undefined
}

/** How many Jobs the annotation of the owner holds. The oldest are dropped first. */
const MOST_JOBS = 50
const HASH_LENGTH = 16

/**
 * Jobs that have run. Such a Job is not run again while its manifest stays the same, even if the Job itself is gone.
 *
 * Events show most ends. A Job with `ttlSecondsAfterFinished` may run and vanish while no operator looks, so it is noted on its
 * owner while it is there: where its end is in doubt, it does not run twice. The note of one that is seen to have failed is
 * taken off.
 */
export class CompletedJobs {
  readonly #tools: CompletedJobsTools
  /** By the uid of the owner: the last change of its notes that is under way. */
  readonly #changing = new Map<string, Promise<void>>()

  constructor(tools: CompletedJobsTools) {
    this.#tools = tools
  }

  /** The last state of a Job that is gone and has run with this manifest. Its status says complete. */
  async find(desired: KubeObject, owner: Owner, signal: AbortSignal): Promise<KubeObject | undefined> {
    const applied = appliedOf(desired)
    if (!isJob(desired) || applied === undefined) return undefined
    const seen = this.#tools.seen.find(owner.uid, desired)
    if (seen?.applied !== applied || seen.end === 'unknown') return this.#findNoted(desired, owner, signal)
    if (seen.end === 'incomplete') return undefined
    await this.#record(desired, owner, { isUnseen: false, signal })
    return seen.object
  }

  /** Notes that the Job was created. */
  async made(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    if (!isJob(job)) return
    this.#tools.seen.noteMade(owner.uid, job)
    if (isShortLived(job)) await this.#record(job, owner, { isUnseen: true, signal })
  }

  /** The Job is there: what was not noted when it was made is noted now. Sends nothing when all is right. */
  async keepNote(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    if (!isJob(job)) return
    const end = endOf(job)
    if (end === 'incomplete') return this.dropNote(job, owner, signal)
    const { jobs } = this.#notesOn(owner)
    const isMissing = jobs[jobId(job)] !== hashOf(appliedOf(job)) && Object.keys(jobs).length < MOST_JOBS
    if (isMissing && isShortLived(job)) await this.#record(job, owner, { isUnseen: end === 'unknown', signal })
  }

  /** The Job has failed, or is about to be removed: it is made again when it is wanted again. */
  async dropNote(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    const id = jobId(job)
    if (!isJob(job)) return
    await this.#inTurn(owner, async () => {
      const { jobs, unseen } = this.#notesOn(owner)
      if (jobs[id] === undefined) return
      const { [id]: _dropped, ...others } = jobs
      await this.#write({ jobs: others, unseen: unseen.filter((one) => one !== id) }, owner, signal)
    })
  }

  /** Changes of the notes of one owner read them first, so they are made one after the other: tasks run at the same time. */
  async #inTurn({ uid = '' }: Owner, change: () => Promise<void>): Promise<void> {
    const former = this.#changing.get(uid) ?? Promise.resolve()
    const done = former.then(change)
    const settled = done.catch(() => undefined)
    this.#changing.set(uid, settled)
    await settled
    if (this.#changing.get(uid) === settled) this.#changing.delete(uid)
    await done
  }

  /** A Job whose end this process has not seen. */
  async #findNoted(desired: KubeObject, owner: Owner, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { jobs, unseen } = this.#notesOn(owner)
    if (jobs[jobId(desired)] !== hashOf(appliedOf(desired))) return undefined
    if (unseen.includes(jobId(desired))) {
      this.#tools.onPresumed?.(desired, owner, signal)
      await this.#record(desired, owner, { isUnseen: false, signal })
    }
    return { ...desired, status: COMPLETE }
  }

  /** Writes the Job into the annotation of the owner, unless it is there. */
  async #record(
    job: KubeObject,
    owner: Owner,
    { isUnseen, signal }: { readonly isUnseen: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const hash = hashOf(appliedOf(job))
    const id = jobId(job)
    await this.#inTurn(owner, async () => {
      const known = this.#notesOn(owner)
      if (known.jobs[id] === hash && known.unseen.includes(id) === isUnseen) return
      const { [id]: _former, ...others } = known.jobs
      const jobs = Object.fromEntries([...Object.entries(others), [id, hash]].slice(-MOST_JOBS))
      const rest = known.unseen.filter((one) => one !== id && typeof one === 'string' && one in jobs)
      await this.#write({ jobs, unseen: isUnseen ? [...rest, id] : rest }, owner, signal)
    })
  }

  async #write({ jobs, unseen }: Notes, owner: Owner, signal: AbortSignal): Promise<void> {
    const notes = { uid: owner.uid, jobs, ...(unseen.length > 0 && { unseen }) }
    const annotations = { [JOBS_ANNOTATION]: JSON.stringify(notes) }
    const body = { metadata: { uid: owner.uid, annotations } }
    const { client, mapper, caches } = this.#tools
    const { gvk, key } = owner
    const mapping = await mapper.mappingFor(gvk)
    const options = { fieldManager: FIELD_MANAGER, signal }
    const send = (): Promise<KubeObject> => client.patch(gvk, key, { type: 'merge', body }, options)
    try {
      caches.wrote(await attempt({ verb: 'patch', mapping, key }, send))
    } catch (error) {
      // The owner is gone, and the Job with it.
      if (!isNotFound(error)) throw error
    }
  }

  /** As they are now: a run may write several. Nothing when another resource had them, as in a restored copy. */
  #notesOn({ gvk, key, uid, resource }: Owner): Notes {
    const latest = this.#tools.resources.latest({ group: gvk.group, kind: gvk.kind, ...key }, uid) ?? resource
    return parseNotes(latest.metadata.annotations?.[JOBS_ANNOTATION], uid)
  }
}

/** The status of a Job whose own status is not known any more. */
const COMPLETE: JsonObject = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True', reason: 'Gone' }] }

function isShortLived({ spec }: KubeObject): boolean {
  return isJsonObject(spec) && spec.ttlSecondsAfterFinished !== undefined
}

function hashOf(applied = ''): string {
  return applied.slice(0, HASH_LENGTH)
}

interface Notes {
  readonly jobs: { readonly [id: string]: JsonValue | undefined }
  readonly unseen: readonly JsonValue[]
}

/** What cannot be read counts as nothing. */
function parseNotes(text = 'null', uid: string): Notes {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value) || value.uid !== uid) return NO_NOTES
    const { jobs, unseen } = value
    return { jobs: isJsonObject(jobs) ? jobs : {}, unseen: isJsonArray(unseen) ? unseen : [] }
  } catch {
    return NO_NOTES
  }
}

const NO_NOTES: Notes = { jobs: {}, unseen: [] }

/**
 * How a Job ended, as far as it was seen. `incomplete`: it failed, the operator removed it, or a client deleted it before its
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

  /** The operator has made a Job. Events may have shown more of it by now. */
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
