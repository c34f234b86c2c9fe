import { cryptographicBytes } from '../../core/base/hash.ts'
import { warning } from '../../core/kube/client-decorators.ts'
import { formatKey, formatObject, type KubeObject } from '../../core/kube/object.ts'
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
import type { EngineOptions } from './engine-options.ts'
import type { Ledger } from './ownership/ledger.ts'
import { FIELD_MANAGER, type Owner, ResourceFinalizer } from './ownership/ownership.ts'
import { ManagedObjects } from './prune/managed-objects.ts'
import { PatchedObjects } from './prune/patched-objects.ts'
import type { ObjectCaches, Subscriptions, WatchedResources } from './reconciler-ports.ts'
import { RoleReconciler } from './role-reconciler.ts'
import { OwnVersions } from './run/own-loop.ts'
import { EngineEvents } from './status/engine-events.ts'
import { StatusReport } from './status/status-report.ts'
import { PendingTriggers } from './trace/run-trace.ts'

/** What one reconciler gets: the caches, resources and subscriptions are those of its kind. */
export interface RoleReconcilerOptions extends EngineOptions {
  readonly caches: ObjectCaches
  readonly resources: WatchedResources
  readonly subscriptions: Subscriptions
  readonly ledger: Ledger
  /** Why requests were queued. Defaults to none. */
  readonly pendingTriggers?: PendingTriggers | undefined
  /** The deletions that the watch has shown. Defaults to none. */
  readonly seenDeletions?: SeenDeletions | undefined
  /** The last states of Jobs, as events show them. Defaults to those that this process writes. */
  readonly seenJobs?: SeenJobs | undefined
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
