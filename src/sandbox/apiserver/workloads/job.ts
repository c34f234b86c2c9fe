import type { JsonObject } from '../../../core/base/json.ts'
import type { ApiError } from '../../../core/kube/api-error.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { numberAt, textAt } from '../kinds/common/fields.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { isDeleting, putStatus, specOf, statusOf } from './common/objects.ts'
import type { OwnedObjects } from './common/owned-objects.ts'
import { conditionOf } from './common/pod-state.ts'
import { createPods, deletePod } from './common/pod-writes.ts'
import { isIndexed, jobPod, missingIndexes } from './job/job-pod.ts'
import { jobStatus, outcomeOf, podsOfJob } from './job/job-status.ts'
import { MAX_PODS } from './nodes.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Runs pods until enough of them have succeeded. */
export function jobController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'job-controller',
    kind: KINDS.job,
    retry: { base: 1000, max: 60_000 },
    reconciler: (tools) => new JobReconciler(tools),
  })
}

class JobReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #pods: OwnedObjects

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#pods = tools.owned(KINDS.pod)
  }

  reconcile(job: KubeObject): void {
    if (isDeleting(job)) return
    if (isOver(job)) {
      this.#expire(job)
      return
    }
    const pods = podsOfJob(this.#pods.of(job))
    const now = this.#tools.clock.now()
    const outcome = outcomeOf(job, pods, now)
    const isSuspended = specOf(job).suspend === true
    const isStopped = outcome !== undefined || isSuspended
    const refusal = isStopped ? this.#stopPods(job, pods.active) : this.#startPods(job, pods)
    const status = jobStatus(job, podsOfJob(this.#pods.of(job)), { outcome, now })
    const written = putStatus(this.#tools.api, job, status)
    if (outcome) this.#tools.events.record(job, outcome.event)
    else this.#recordSuspension(job, written)
    this.#watchDeadline(written)
    if (refusal) throw refusal
  }

  #recordSuspension(before: KubeObject, after: KubeObject): void {
    const state = conditionOf(after, 'Suspended')?.status
    if (state === undefined || state === conditionOf(before, 'Suspended')?.status) return
    const [reason, message] = state === 'True' ? ['Suspended', 'Job suspended'] : ['Resumed', 'Job resumed']
    this.#tools.events.record(after, { reason: String(reason), message: String(message) })
  }

  #startPods(job: KubeObject, { active, succeeded }: ReturnType<typeof podsOfJob>): ApiError | undefined {
    const { completions } = specOf(job)
    const parallelism = Math.min(numberAt(specOf(job), 'parallelism'), MAX_PODS)
    const left = typeof completions === 'number' ? completions - succeeded.length : parallelism
    const wanted = succeeded.length > 0 && completions === undefined ? 0 : Math.min(parallelism, left)
    const indexes = isIndexed(job) ? missingIndexes(job, [...active, ...succeeded], wanted) : []
    const missing = { length: Math.max(0, wanted - active.length) }
    const refusal = createPods(
      this.#tools,
      job,
      Array.from(missing, (_, index) => jobPod(job, indexes[index])),
    )
    this.#stopPods(job, active.slice(Math.max(0, parallelism)))
    return refusal
  }

  #stopPods(job: KubeObject, pods: readonly KubeObject[]): void {
    for (const pod of pods) deletePod(this.#tools, job, pod)
  }

  #watchDeadline(job: KubeObject): void {
    const { activeDeadlineSeconds } = specOf(job)
    const start = Date.parse(textAt(statusOf(job), 'startTime'))
    if (typeof activeDeadlineSeconds !== 'number' || Number.isNaN(start) || isOver(job)) return
    const wait = start + activeDeadlineSeconds * 1000 - this.#tools.clock.now()
    if (wait > 0) this.#tools.loop.enqueueAfter(keyOf(job), wait)
  }

  /** A finished Job goes when its time to live is over. */
  #expire(job: KubeObject): void {
    const { ttlSecondsAfterFinished } = specOf(job)
    if (typeof ttlSecondsAfterFinished !== 'number') return
    const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
    const due = Date.parse(textAt(end, 'lastTransitionTime')) + ttlSecondsAfterFinished * 1000
    const wait = due - this.#tools.clock.now()
    if (wait > 0) this.#tools.loop.enqueueAfter(keyOf(job), wait)
    else this.#tools.api.delete(KINDS.job, keyOf(job), { uid: job.metadata.uid, propagationPolicy: 'Foreground' })
  }
}

/** Succeeded or failed for good. */
export function isOver(job: KubeObject): boolean {
  const holds = (condition: JsonObject | undefined): boolean => condition?.status === 'True'
  return holds(conditionOf(job, 'Complete')) || holds(conditionOf(job, 'Failed'))
}
