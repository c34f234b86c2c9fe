import { cryptographicBytes } from '../../core/base/hash.ts'
import { warning } from '../../core/kube/client-decorators.ts'
import { redactingLogger } from '../role/secrecy/redacting-logger.ts'
import { RunSecrecy } from '../role/secrecy/run-secrecy.ts'
import { layered } from '../runtime/client-layers.ts'
import { RequestCounter } from '../runtime/counting-client.ts'
import { EventRecorder } from '../runtime/event-recorder.ts'
import { ObjectApplier } from './apply/apply-object.ts'
import { CompletedJobs } from './apply/completed-jobs.ts'
import { DriftFights } from './apply/drift-fights.ts'
import { ObjectPatcher } from './apply/patch-object.ts'
import { Deletion } from './deletion/deletion.ts'
import { type RoleReconcilerOptions, SeenChanges } from './engine-options.ts'
import { FIELD_MANAGER, ResourceFinalizer } from './ownership/ownership.ts'
import { ManagedObjects, PatchedObjects } from './prune/managed-objects.ts'
import { RoleReconciler } from './role-reconciler.ts'
import { SecretReader } from './run/run-inputs.ts'
import { EngineEvents } from './status/engine-events.ts'
import { StatusReport } from './status/status-report.ts'

/** Builds a reconciler and all of its parts on one client and one set of caches. */
export function newRoleReconciler(given: RoleReconcilerOptions): RoleReconciler {
  const { random = cryptographicBytes, secrecy = new RunSecrecy(), seen = new SeenChanges() } = given
  const { ownVersions, overwrites } = seen
  const logger = redactingLogger(given.logger, secrecy)
  const warn = (text: string): void => logger.warn('the API server warns', { warning: text })
  const requests = new RequestCounter()
  const warned = layered(given.client, { warnings: (inner) => warning(inner, warn) })
  const client = layered(warned, { requests: (inner) => requests.counting(inner) })
  const options = { ...given, client, logger, secrecy, caches: ownVersions.recording(given.caches) }
  const events = new EventRecorder({ ...options, client: warned, reporter: FIELD_MANAGER })
  const engineEvents = new EngineEvents({ ...options, events })
  const jobs = new CompletedJobs({
    ...options,
    seen: seen.jobs,
    onPresumed: (job, owner, signal) => engineEvents.recordPresumedComplete(job, { owner, secrecy, signal }),
  })
  const applier = new ObjectApplier({ ...options, jobs, seenJobs: seen.jobs, fights: new DriftFights(options.clock) })
  const patcher = new ObjectPatcher({ ...options, fights: new DriftFights(options.clock) })
  const managedObjects = new ManagedObjects({ ...options, applier, jobs })
  const patchedObjects = new PatchedObjects({ ...options, patcher })
  const finalizer = new ResourceFinalizer(options)
  return new RoleReconciler({
    ...options,
    ownVersions,
    overwrites,
    pendingTriggers: seen.triggers,
    seenDeletions: seen.deletions,
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
