import type { Clock } from '../../core/base/clock.ts'
import { cryptographicBytes } from '../../core/base/hash.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { RandomBytes } from '../../core/base/random-text.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import { warning } from '../../core/kube/client-decorators.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import { formatKey, formatObject, type KubeObject } from '../../core/kube/object.ts'
import type { OpenApiSource } from '../../core/kube/openapi-source.ts'
import type { ResourceMapper } from '../../core/kube/resource-mapper.ts'
import { redactingLogger } from '../role/redacting-logger.ts'
import { RunSecrecy } from '../role/run-secrecy.ts'
import { layered } from '../runtime/client-layers.ts'
import { RequestCounter } from '../runtime/counting-client.ts'
import { EventRecorder } from '../runtime/event-recorder.ts'
import { ObjectApplier } from './apply/apply-object.ts'
import { CompletedJobs, SeenJobs } from './apply/completed-jobs.ts'
import { SecretReader } from './apply/object-port.ts'
import { ObjectPatcher } from './apply/patch-object.ts'
import { DriftFights } from './apply/write-decision.ts'
import { Deletion } from './deletion/deletion.ts'
import { SeenDeletions } from './deletion/propagation.ts'
import type { Ledger } from './ownership/ledger.ts'
import { FIELD_MANAGER, type Owner, ResourceFinalizer } from './ownership/ownership.ts'
import { ManagedObjects } from './prune/managed-objects.ts'
import { PatchedObjects } from './prune/patched-objects.ts'
import type { ObjectCaches, Subscriptions, WatchedResources } from './reconciler-ports.ts'
import { RoleReconciler } from './role-reconciler.ts'
import { OwnVersions } from './run/own-loop.ts'
import type { RunMetrics } from './run/role-run.ts'
import { type ChangeMetrics, EngineEvents } from './status/engine-events.ts'
import { StatusReport } from './status/status-report.ts'
import { PendingTriggers, type RunListener } from './trace/run-trace.ts'
import type { WriteListener } from './trace/run-tracer.ts'

export interface RoleReconcilerOptions {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly openApi: OpenApiSource
  readonly caches: ObjectCaches
  readonly resources: WatchedResources
  readonly subscriptions: Subscriptions
  readonly ledger: Ledger
  readonly clock: Clock
  readonly logger: Logger
  readonly onRun?: RunListener | undefined
  /** Called with what tasks write. */
  readonly onWritten?: WriteListener | undefined
  /** Why requests were queued. Defaults to none. */
  readonly pendingTriggers?: PendingTriggers | undefined
  /** The deletions that the watch has shown. Defaults to none. */
  readonly seenDeletions?: SeenDeletions | undefined
  /** The last states of Jobs, as events show them. Defaults to those that this process writes. */
  readonly seenJobs?: SeenJobs | undefined
  /** The secrets of the present run. Defaults to one that is not shared. */
  readonly secrecy?: RunSecrecy | undefined
  /** For values that are generated. Defaults to a cryptographic source. */
  readonly random?: RandomBytes | undefined
  readonly metrics?: (RunMetrics & ChangeMetrics) | undefined
  /** Absent: charts cannot be rendered. */
  readonly charts?: ChartRenderer | undefined
  /** The name of this process in events. Defaults to none. */
  readonly instance?: string | undefined
}

/** Builds a reconciler and all of its parts on one client and one set of caches. */
export function newRoleReconciler(given: RoleReconcilerOptions): RoleReconciler {
  const ownVersions = new OwnVersions()
  const { random = cryptographicBytes, pendingTriggers = new PendingTriggers(), secrecy = new RunSecrecy() } = given
  const { seenDeletions = new SeenDeletions(), seenJobs = new SeenJobs() } = given
  const logger = redactingLogger(given.logger, secrecy)
  const warn = (text: string): void => logger.warn('the API server warns', { warning: text })
  const requests = new RequestCounter()
  const warned = layered(given.client, { warnings: (inner) => warning(inner, warn) })
  const client = layered(warned, { requests: (inner) => requests.counting(inner) })
  const options = { ...given, client, logger, secrecy, caches: ownVersions.recording(given.caches) }
  const events = new EventRecorder({ ...options, client: warned, reporter: FIELD_MANAGER })
  const engineEvents = new EngineEvents({ ...options, events })
  const onPresumed = (job: KubeObject, owner: Owner, signal: AbortSignal): void => {
    engineEvents.recordPresumedComplete(job, { owner, secrecy, signal })
    const names = { resource: formatKey(owner.key), kind: owner.gvk.kind, job: formatObject(job) }
    logger.warn('a Job is gone and counts as complete, although its end was not seen', names)
  }
  const jobs = new CompletedJobs({ ...options, seen: seenJobs, onPresumed })
  const applier = new ObjectApplier({ ...options, jobs, seenJobs, fights: new DriftFights(options.clock) })
  const patcher = new ObjectPatcher({ ...options, fights: new DriftFights(options.clock) })
  const managedObjects = new ManagedObjects({ ...options, applier, jobs })
  const patchedObjects = new PatchedObjects({ ...options, patcher })
  const finalizer = new ResourceFinalizer(options)
  return new RoleReconciler({
    ...options,
    ownVersions,
    pendingTriggers,
    seenDeletions,
    requests,
    objects: { ...options, applier, patcher, secrets: new SecretReader(options.client), random },
    managedObjects,
    patchedObjects,
    finalizer,
    events,
    engineEvents,
    deletion: new Deletion({ ...options, managedObjects, patchedObjects, finalizer }),
    statusReport: new StatusReport(options),
  })
}
