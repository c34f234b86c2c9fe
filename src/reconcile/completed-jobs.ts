import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
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
    if (seen?.applied !== applied) {
      return jobsOn(owner)[jobId(desired)] === hashOf(applied) ? { ...desired, status: COMPLETE } : undefined
    }
    if (!seen.isComplete) return undefined
    await this.#record(desired, owner, signal)
    return seen.object
  }

  /** The Job has been made. */
  async made(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    if (!isJob(job)) return
    this.#tools.seen.note(job)
    if (isJsonObject(job.spec) && job.spec.ttlSecondsAfterFinished !== undefined) await this.#record(job, owner, signal)
  }

  /** Puts the Job into the owner's annotation, unless it is there. */
  async #record(job: KubeObject, owner: Owner, signal: AbortSignal): Promise<void> {
    const known = jobsOn(owner)
    const hash = hashOf(appliedOf(job) ?? '')
    if (known[jobId(job)] === hash) return
    const { [jobId(job)]: _former, ...others } = known
    const jobs = Object.fromEntries([...Object.entries(others), [jobId(job), hash]].slice(-MOST_JOBS))
    const annotations = { [JOBS_ANNOTATION]: JSON.stringify({ uid: owner.uid, jobs }) }
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

function hashOf(applied: string): string {
  return applied.slice(0, HASH_LENGTH)
}

/** What the annotation says: nothing when another resource had it, as in a restored copy, or when it cannot be read. */
function jobsOn({ uid, resource }: Owner): { readonly [id: string]: JsonValue | undefined } {
  try {
    const value: unknown = JSON.parse(resource.metadata.annotations?.[JOBS_ANNOTATION] ?? 'null')
    return isJsonObject(value) && value.uid === uid && isJsonObject(value.jobs) ? value.jobs : {}
  } catch {
    return {}
  }
}
