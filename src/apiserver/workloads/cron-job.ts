import type { JsonObject } from '../../base/json.ts'
import { type KubeObject, keyOf } from '../../kube/object.ts'
import { numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import { parseSchedule } from '../kinds/common/schedule.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { nextTime } from './common/next-time.ts'
import { byAge, CONTROLLER_MANAGER, isDeleting, putStatus, specOf, statusOf, timestamp } from './common/objects.ts'
import { controllerOf, controllerReference, type OwnedObjects } from './common/owned-objects.ts'
import { conditionOf } from './common/pod-state.ts'
import { isOver } from './job.ts'
import type { Stages } from './stages.ts'
import type { WorkloadController } from './workload-controller.ts'

/** Makes Jobs on schedule. */
export function cronJobController(stages: Stages): WorkloadController {
  return kindController(stages, {
    name: 'cronjob-controller',
    kind: KINDS.cronJob,
    reconciler: (tools) => new CronJobReconciler(tools),
  })
}

class CronJobReconciler implements KindReconciler {
  readonly #tools: ControllerTools
  readonly #jobs: OwnedObjects

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#jobs = tools.owned(KINDS.job)
  }

  reconcile(cronJob: KubeObject): void {
    if (isDeleting(cronJob)) return
    this.#forgetOld(cronJob)
    const lastScheduleTime = specOf(cronJob).suspend === true ? undefined : this.#runIfDue(cronJob)
    putStatus(this.#tools.api, cronJob, this.#status(cronJob, lastScheduleTime))
  }

  /** Starts the Job of the latest time that has passed, and looks again at the next. */
  #runIfDue(cronJob: KubeObject): string | undefined {
    const { schedule, timeZone = 'UTC', startingDeadlineSeconds } = specOf(cronJob)
    const parsed = parseSchedule(String(schedule))
    const now = this.#tools.clock.now()
    const since = textAt(statusOf(cronJob), 'lastScheduleTime') || String(cronJob.metadata.creationTimestamp)
    const next = (from: number): number | undefined => nextTime(parsed, from, String(timeZone))
    let due: number | undefined
    let following = next(Date.parse(since))
    for (let count = 0; following !== undefined && following <= now && count < 100; count++) {
      due = following
      following = next(following)
    }
    if (following !== undefined) this.#tools.loop.enqueueAfter(keyOf(cronJob), Math.max(0, following - now))
    if (due === undefined) return undefined
    const isLate = typeof startingDeadlineSeconds === 'number' && now - due > startingDeadlineSeconds * 1000
    return !isLate && this.#run(cronJob, due) ? timestamp(due) : undefined
  }

  /** Whether the Job of a time was started, now or before. */
  #run(cronJob: KubeObject, due: number): boolean {
    const running = this.#jobs.of(cronJob).filter((job) => !isOver(job) && !isDeleting(job))
    const { concurrencyPolicy } = specOf(cronJob)
    if (running.length > 0 && concurrencyPolicy === 'Forbid') return false
    if (concurrencyPolicy === 'Replace') for (const job of running) this.#removeJob(job)
    const job = jobFrom(cronJob, due)
    const existing = this.#tools.api.get(KINDS.job, keyOf(job))
    if (existing) return controllerOf(existing)?.uid === cronJob.metadata.uid
    this.#tools.api.create(job, CONTROLLER_MANAGER)
    this.#tools.events.record(cronJob, { reason: 'SuccessfulCreate', message: `Created job ${job.metadata.name}` })
    return true
  }

  #forgetOld(cronJob: KubeObject): void {
    const finished = this.#jobs.of(cronJob).filter(isOver).sort(byAge)
    const forget = (jobs: readonly KubeObject[], limit: string): void => {
      const excess = jobs.length - numberAt(specOf(cronJob), limit)
      for (const job of jobs.slice(0, Math.max(0, excess))) this.#removeJob(job)
    }
    forget(
      finished.filter((job) => conditionOf(job, 'Complete')),
      'successfulJobsHistoryLimit',
    )
    forget(
      finished.filter((job) => !conditionOf(job, 'Complete')),
      'failedJobsHistoryLimit',
    )
  }

  #removeJob(job: KubeObject): void {
    if (isDeleting(job)) return
    this.#tools.api.delete(KINDS.job, keyOf(job), { uid: job.metadata.uid, propagationPolicy: 'Background' })
  }

  #status(cronJob: KubeObject, lastScheduleTime: string | undefined): JsonObject {
    const jobs = this.#jobs.of(cronJob)
    const active = jobs.filter((job) => !isOver(job)).map(referenceTo)
    const ends = jobs.map((job) => textAt(statusOf(job), 'completionTime')).filter((time) => time !== '')
    const { lastScheduleTime: before, lastSuccessfulTime } = statusOf(cronJob)
    const latest = ends.sort().at(-1) ?? lastSuccessfulTime
    return {
      ...(active.length > 0 && { active }),
      ...((lastScheduleTime ?? before) !== undefined && { lastScheduleTime: lastScheduleTime ?? before }),
      ...(latest !== undefined && { lastSuccessfulTime: latest }),
    }
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  const { name, namespace, uid, resourceVersion } = metadata
  return { apiVersion, kind, name, namespace, uid, resourceVersion }
}

/** The Job of one time: its name says which. */
function jobFrom(cronJob: KubeObject, due: number): KubeObject {
  const { name, namespace } = cronJob.metadata
  const template = objectAt(specOf(cronJob), 'jobTemplate')
  const { labels, annotations } = objectAt(template, 'metadata')
  const metadata = {
    name: `${name}-${Math.floor(due / 60_000)}`,
    namespace,
    labels,
    annotations: {
      ...(annotations as JsonObject | undefined),
      'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due),
    },
    ownerReferences: [controllerReference(cronJob)],
  }
  const spec = objectAt(template, 'spec')
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: metadata as KubeObject['metadata'], spec }
}
