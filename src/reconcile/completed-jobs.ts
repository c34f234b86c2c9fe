import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { isNotFound } from '../kube/api-error.ts'
import type { KubeClient } from '../kube/client.ts'
import type { KubeObject } from '../kube/object.ts'
import { FIELD_MANAGER, JOBS_ANNOTATION, type Owner } from './marks.ts'
import type { ObjectCaches } from './object-caches.ts'
import { appliedOf, isJob, jobId, type SeenJobs } from './seen-jobs.ts'

export interface CompletedJobsTools {
  readonly client: KubeClient
  readonly caches: Pick<ObjectCaches, 'wrote'>
  readonly seen: SeenJobs
  /** Told once of a Job that counts as run although nobody has seen its end. */
  readonly onPresumed?: ((job: KubeObject, owner: Owner, signal: AbortSignal) => void) | undefined
}

/** The owner's annotation has room for so many Jobs; the oldest are dropped first. */
const MOST_JOBS = 50
const HASH_LENGTH = 16

/**
 * Jobs that have run: such a Job is not run again while its manifest stays the same, although the Job itself is gone.
 *
 * Events show most completions. A Job with `ttlSecondsAfterFinished` may run and vanish while the operator is down, so it is
 * noted on its owner when it is made: where its end is in doubt, it does not run twice.
 */
export class CompletedJobs {
  readonly #tools: CompletedJobsTools

  constructor(tools: CompletedJobsTools) {
    this.#tools = tools
  }

  /** The Job that is gone as it was, when it has run with this manifest: with a status that says complete. */
  async find(desired: KubeObject, owner: Owner, signal: AbortSignal): Promise<KubeObject | undefined> {
    const applied = appliedOf(desired)
    if (!isJob(desired) || applied === undefined) return undefined
    const seen = this.#tools.seen.find(owner.uid, desired)
    if (seen?.applied !== applied) return this.#findNoted(desired, owner, signal)
    if (!seen.isComplete) return undefined
    await this.#record(desired, owner, { isUnseen: false, signal })
    return seen.object
  }

  /** The Job has been made. */
  async made(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    if (!isJob(job)) return
    this.#tools.seen.note(job)
    if (isJsonObject(job.spec) && job.spec.ttlSecondsAfterFinished !== undefined)
      await this.#record(job, owner, { isUnseen: true, signal })
  }

  /** A Job that this process has not seen. */
  async #findNoted(desired: KubeObject, owner: Owner, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { jobs, unseen } = notesOn(owner)
    if (jobs[jobId(desired)] !== hashOf(appliedOf(desired))) return undefined
    if (unseen.includes(jobId(desired))) {
      this.#tools.onPresumed?.(desired, owner, signal)
      await this.#record(desired, owner, { isUnseen: false, signal })
    }
    return { ...desired, status: COMPLETE }
  }

  /** Puts the Job into the owner's annotation, unless it is there. */
  async #record(
    job: KubeObject,
    owner: Owner,
    { isUnseen, signal }: { readonly isUnseen: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const known = notesOn(owner)
    const hash = hashOf(appliedOf(job))
    const id = jobId(job)
    if (known.jobs[id] === hash && known.unseen.includes(id) === isUnseen) return
    const { [id]: _former, ...others } = known.jobs
    const jobs = Object.fromEntries([...Object.entries(others), [id, hash]].slice(-MOST_JOBS))
    const rest = known.unseen.filter((one) => one !== id && typeof one === 'string' && one in jobs)
    const unseen = isUnseen ? [...rest, id] : rest
    const notes = { uid: owner.uid, jobs, ...(unseen.length > 0 && { unseen }) }
    const annotations = { [JOBS_ANNOTATION]: JSON.stringify(notes) }
    const body = { metadata: { uid: owner.uid, annotations } }
    try {
      const options = { fieldManager: FIELD_MANAGER, signal }
      this.#tools.caches.wrote(await this.#tools.client.patch(owner.gvk, owner.key, { type: 'merge', body }, options))
    } catch (error) {
      // The owner is gone, and with it the Job.
      if (!isNotFound(error)) throw error
    }
  }
}

/** As a Job is whose own status is not known any more. */
const COMPLETE: JsonObject = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True', reason: 'Gone' }] }

function hashOf(applied = ''): string {
  return applied.slice(0, HASH_LENGTH)
}

interface Notes {
  readonly jobs: { readonly [id: string]: JsonValue | undefined }
  readonly unseen: readonly JsonValue[]
}

/** What the annotation says: nothing when another resource had it, as in a restored copy, or when it cannot be read. */
function notesOn({ uid, resource }: Owner): Notes {
  try {
    const value: unknown = JSON.parse(resource.metadata.annotations?.[JOBS_ANNOTATION] ?? 'null')
    if (!isJsonObject(value) || value.uid !== uid) return NO_NOTES
    const { jobs, unseen } = value
    return { jobs: isJsonObject(jobs) ? jobs : {}, unseen: isJsonArray(unseen) ? unseen : [] }
  } catch {
    return NO_NOTES
  }
}

const NO_NOTES: Notes = { jobs: {}, unseen: [] }
