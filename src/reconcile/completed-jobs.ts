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
  /** Called once for a Job that counts as complete although its end was not seen. */
  readonly onPresumed?: ((job: KubeObject, owner: Owner, signal: AbortSignal) => void) | undefined
}

/** How many Jobs the annotation of the owner holds. The oldest are dropped first. */
const MOST_JOBS = 50
const HASH_LENGTH = 16

/**
 * Jobs that have run. Such a Job is not run again while its manifest stays the same, even if the Job itself is gone.
 *
 * Events show most completions. A Job with `ttlSecondsAfterFinished` may run and disappear while the operator is down, so it is noted on
 * its owner when it is created. If its end is in doubt, it does not run twice.
 */
export class CompletedJobs {
  readonly #tools: CompletedJobsTools

  constructor(tools: CompletedJobsTools) {
    this.#tools = tools
  }

  /** The last state of a Job that is gone and has run with this manifest. Its status says complete. */
  async find(desired: KubeObject, owner: Owner, signal: AbortSignal): Promise<KubeObject | undefined> {
    const applied = appliedOf(desired)
    if (!isJob(desired) || applied === undefined) return undefined
    const seen = this.#tools.seen.find(owner.uid, desired)
    if (seen?.applied !== applied) return this.#findNoted(desired, owner, signal)
    if (!seen.isComplete) return undefined
    await this.#record(desired, owner, { isUnseen: false, signal })
    return seen.object
  }

  /** Notes that the Job was created. */
  async made(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    if (!isJob(job)) return
    this.#tools.seen.note(job)
    if (isJsonObject(job.spec) && job.spec.ttlSecondsAfterFinished !== undefined)
      await this.#record(job, owner, { isUnseen: true, signal })
  }

  /** Looks for a Job that this process has not seen in the annotation of the owner. */
  async #findNoted(desired: KubeObject, owner: Owner, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { jobs, unseen } = notesOn(owner)
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
      // The owner is gone, and the Job with it.
      if (!isNotFound(error)) throw error
    }
  }
}

/** The status of a Job whose own status is not known any more. */
const COMPLETE: JsonObject = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True', reason: 'Gone' }] }

function hashOf(applied = ''): string {
  return applied.slice(0, HASH_LENGTH)
}

interface Notes {
  readonly jobs: { readonly [id: string]: JsonValue | undefined }
  readonly unseen: readonly JsonValue[]
}

/** The content of the annotation. It counts as empty if it belongs to another resource (a restored copy) or cannot be parsed. */
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
