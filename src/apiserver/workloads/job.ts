import type { Clock } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts'
import { numberAt, textAt } from '../kinds/common/fields.ts'
import type { ObjectApi } from '../object-api.ts'
import { EventRecorder } from './common/event-recorder.ts'
import { KINDS } from './common/known-kinds.ts'
import { CONTROLLER_MANAGER, isDeleting, putStatus, specOf, statusOf } from './common/objects.ts'
import { OwnedObjects } from './common/owned-objects.ts'
import { conditionOf } from './common/pod-state.ts'
import { ReconcileLoop } from './common/reconcile-loop.ts'
import { isIndexed, jobPod, missingIndexes } from './job/job-pod.ts'
import { jobStatus, outcomeOf, podsOfJob } from './job/job-status.ts'
import { MAX_PODS } from './nodes.ts'
import { DEFAULT_STAGES, type Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Runs pods until enough of them have succeeded. */
export function jobController(stages: Stages = DEFAULT_STAGES): WorkloadController {
  return {
    name: 'job-controller',
    start: (api, clock, logger) => new JobController(api, clock, { stages, logger }).stop,
  }
}

class JobController {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #loop: ReconcileLoop
  readonly #pods: OwnedObjects
  readonly #events: EventRecorder

  constructor(api: ObjectApi, clock: Clock, { stages, logger }: { stages: Stages; logger: Logger | undefined }) {
    this.#api = api
    this.#clock = clock
    this.#events = new EventRecorder(api, clock, { component: 'job-controller', isOn: stages.events })
    this.#loop = new ReconcileLoop(clock, (key) => this.#reconcile(key), logger)
    this.#pods = new OwnedObjects(api, { owned: KINDS.pod, owner: KINDS.job }, (owner) => this.#loop.enqueue(owner))
    const unsubscribe = api.subscribe(KINDS.job, ({ object }) => this.#loop.enqueue(keyOf(object)))
    for (const object of api.list(KINDS.job)) this.#loop.enqueue(keyOf(object))
    this.stop = () => {
      unsubscribe()
      this.#pods.stop()
      this.#loop.stop()
    }
  }

  #reconcile(key: ObjectKey): void {
    const job = this.#api.get(KINDS.job, key)
    if (!job || isDeleting(job)) return
    if (isOver(job)) {
      this.#expire(job)
      return
    }
    const pods = podsOfJob(this.#pods.of(job))
    const outcome = outcomeOf(job, pods, this.#clock.now())
    const isSuspended = specOf(job).suspend === true
    if (outcome || isSuspended) this.#stopPods(job, pods.active)
    else this.#startPods(job, pods)
    const now = this.#clock.now()
    const status = jobStatus(job, podsOfJob(this.#pods.of(job)), { outcome, now })
    const written = putStatus(this.#api, job, status)
    if (outcome) this.#events.record(job, outcome.event)
    this.#watchDeadline(written)
  }

  #startPods(job: KubeObject, { active, succeeded }: ReturnType<typeof podsOfJob>): void {
    const { completions } = specOf(job)
    const parallelism = Math.min(numberAt(specOf(job), 'parallelism'), MAX_PODS)
    const left = typeof completions === 'number' ? completions - succeeded.length : parallelism
    const wanted = succeeded.length > 0 && completions === undefined ? 0 : Math.min(parallelism, left)
    const indexes = isIndexed(job) ? missingIndexes(job, [...active, ...succeeded], wanted) : []
    for (let count = active.length; count < wanted; count++) {
      const pod = this.#api.create(jobPod(job, indexes[count - active.length]), CONTROLLER_MANAGER)
      this.#events.record(job, { reason: 'SuccessfulCreate', message: `Created pod: ${pod.metadata.name}` })
    }
    this.#stopPods(job, active.slice(Math.max(0, parallelism)))
  }

  #stopPods(job: KubeObject, pods: readonly KubeObject[]): void {
    for (const pod of pods) {
      this.#api.delete(KINDS.pod, keyOf(pod), { uid: pod.metadata.uid })
      this.#events.record(job, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` })
    }
  }

  #watchDeadline(job: KubeObject): void {
    const { activeDeadlineSeconds } = specOf(job)
    const start = Date.parse(textAt(statusOf(job), 'startTime'))
    if (typeof activeDeadlineSeconds !== 'number' || Number.isNaN(start) || isOver(job)) return
    const wait = start + activeDeadlineSeconds * 1000 - this.#clock.now()
    if (wait > 0) this.#loop.enqueueAfter(keyOf(job), wait)
  }

  /** A finished Job goes when its time to live is over. */
  #expire(job: KubeObject): void {
    const { ttlSecondsAfterFinished } = specOf(job)
    if (typeof ttlSecondsAfterFinished !== 'number') return
    const end = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed')
    const due = Date.parse(textAt(end, 'lastTransitionTime')) + ttlSecondsAfterFinished * 1000
    const wait = due - this.#clock.now()
    if (wait > 0) this.#loop.enqueueAfter(keyOf(job), wait)
    else this.#api.delete(KINDS.job, keyOf(job), { uid: job.metadata.uid, propagationPolicy: 'Foreground' })
  }
}

/** Succeeded or failed for good. */
export function isOver(job: KubeObject): boolean {
  const holds = (condition: JsonObject | undefined): boolean => condition?.status === 'True'
  return holds(conditionOf(job, 'Complete')) || holds(conditionOf(job, 'Failed'))
}
