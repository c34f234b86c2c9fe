import type { JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import { parseSchedule } from '../kinds/common/schedule.ts'
import type { ControllerTools } from './common/controller-tools.ts'
import { type KindReconciler, kindController } from './common/kind-controller.ts'
import { KINDS } from './common/known-kinds.ts'
import { nextTime } from './common/next-time.ts'
import { byAge, isDeleting, putStatus, specOf, statusOf, timestamp, uidOf } from './common/objects.ts'
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
  /** Foreign Jobs that were reported. */
  readonly #reported = new Set<string>()

  constructor(tools: ControllerTools) {
    this.#tools = tools
    this.#jobs = tools.owned(KINDS.job)
  }

  reconcile(cronJob: KubeObject): void {
    if (isDeleting(cronJob)) return
    this.#forgetOld(cronJob)
    this.#recordJobs(cronJob)
    const run = specOf(cronJob).suspend === true ? undefined : this.#runIfDue(cronJob)
    putStatus(this.#tools.api, cronJob, this.#status(cronJob, run))
  }

  /** Starts the Job of the latest time that has passed, and looks again at the next. */
  #runIfDue(cronJob: KubeObject): Run | undefined {
    const { schedule, timeZone = 'UTC', startingDeadlineSeconds } = specOf(cronJob)
    const parsed = parseSchedule(String(schedule))
    const now = this.#tools.clock.now()
    const since = textAt(statusOf(cronJob), 'lastScheduleTime') || String(cronJob.metadata.creationTimestamp)
    const next = (from: number): number | undefined => nextTime(parsed, from, String(timeZone))
    let due: number | undefined
    let following = next(Date.parse(since))
    if (following === undefined) this.#reportNever(cronJob)
    for (let count = 0; following !== undefined && following <= now && count < 100; count++) {
      due = following
      following = next(following)
    }
    if (following !== undefined) this.#tools.loop.enqueueAfter(keyOf(cronJob), Math.max(0, following - now))
    if (due === undefined) return undefined
    const isLate = typeof startingDeadlineSeconds === 'number' && now - due > startingDeadlineSeconds * 1000
    const job = isLate ? undefined : this.#run(cronJob, due)
    return job && { job, time: timestamp(due) }
  }

  /** Such as one for 31 February. */
  #reportNever(cronJob: KubeObject): void {
    const message = `invalid schedule: ${specOf(cronJob).schedule} : time difference between two schedules is less than 1 second`
    this.#tools.events.record(cronJob, { type: 'Warning', reason: 'InvalidSchedule', message })
  }

  /** The Job of a time, started now or before. */
  #run(cronJob: KubeObject, due: number): KubeObject | undefined {
    const running = this.#jobs.of(cronJob).filter((job) => !isOver(job) && !isDeleting(job))
    const { concurrencyPolicy } = specOf(cronJob)
    if (running.length > 0 && concurrencyPolicy === 'Forbid') {
      this.#recordEvent(cronJob, 'JobAlreadyActive', FORBIDDEN)
      return undefined
    }
    if (concurrencyPolicy === 'Replace') for (const job of running) this.#removeJob(cronJob, job)
    const job = jobFrom(cronJob, due)
    const existing = this.#tools.api.get(KINDS.job, keyOf(job))
    if (existing) return controllerOf(existing)?.uid === cronJob.metadata.uid ? existing : undefined
    const created = this.#tools.api.create(job, CONTROLLER_MANAGER)
    this.#recordEvent(cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`)
    return created
  }

  /** Jobs that ended, that are gone, or that another client made. */
  #recordJobs(cronJob: KubeObject): void {
    const active = new Set(itemsAt(statusOf(cronJob), 'active').map(({ uid }) => uid))
    for (const job of this.#jobs.of(cronJob)) {
      const isKnown = active.delete(job.metadata.uid)
      const { name } = job.metadata
      if (isKnown && isOver(job)) {
        const end = conditionOf(job, 'Complete')?.status === 'True' ? 'Complete' : 'Failed'
        this.#recordEvent(cronJob, 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end}`)
      } else if (!isKnown && !isOver(job) && !this.#reported.has(uidOf(job))) {
        this.#reported.add(uidOf(job))
        const message = `Saw a job that the controller did not create or forgot: ${name}`
        this.#tools.events.record(cronJob, { type: 'Warning', reason: 'UnexpectedJob', message })
      }
    }
    for (const { uid, name } of itemsAt(statusOf(cronJob), 'active')) {
      if (active.has(uid)) this.#recordEvent(cronJob, 'MissingJob', `Active job went missing: ${name}`)
    }
  }

  #recordEvent(cronJob: KubeObject, reason: string, message: string): void {
    this.#tools.events.record(cronJob, { reason, message })
  }

  #forgetOld(cronJob: KubeObject): void {
    const finished = this.#jobs.of(cronJob).filter(isOver).sort(byAge)
    const forget = (jobs: readonly KubeObject[], limit: string): void => {
      const excess = jobs.length - numberAt(specOf(cronJob), limit)
      for (const job of jobs.slice(0, Math.max(0, excess))) this.#removeJob(cronJob, job)
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

  #removeJob(cronJob: KubeObject, job: KubeObject): void {
    if (isDeleting(job)) return
    this.#tools.api.delete(KINDS.job, keyOf(job), { uid: job.metadata.uid, propagationPolicy: 'Background' })
    this.#recordEvent(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
  }

  /** Jobs are active that this controller started and that have not ended. */
  #status(cronJob: KubeObject, run: Run | undefined): JsonObject {
    const jobs = this.#jobs.of(cronJob)
    const going = new Set(jobs.filter((job) => !isOver(job)).map(uidOf))
    const known = itemsAt(statusOf(cronJob), 'active').filter(({ uid }) => going.has(String(uid)))
    const isNew = run !== undefined && !isOver(run.job) && known.every(({ uid }) => uid !== run.job.metadata.uid)
    const active = isNew ? [...known, referenceTo(run.job)] : known
    const lastScheduleTime = run?.time
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

/** The Job of a time that has passed. */
interface Run {
  readonly job: KubeObject
  readonly time: string
}

const FORBIDDEN = 'Not starting job because prior execution is running and concurrency policy is Forbid'

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
