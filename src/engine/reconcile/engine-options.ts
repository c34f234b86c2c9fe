import type { Clock } from '../../core/base/clock.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { RandomBytes } from '../../core/base/random-text.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { OpenApiSource } from '../../core/kube/openapi-source.ts'
import type { ResourceMapper } from '../../core/kube/resource-mapper.ts'
import type { RunSpans } from '../role/run/run-spans.ts'
import type { RunSecrecy } from '../role/secrecy/run-secrecy.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { SeenJobs } from './apply/completed-jobs.ts'
import { SeenDeletions } from './deletion/propagation.ts'
import type { Ledger } from './ownership/ledger.ts'
import type { ObjectCaches, Subscriptions, WatchedResources } from './reconciler-ports.ts'
import { OwnVersions } from './run/own-loop.ts'
import { SeenOverwrites } from './status/status-patch.ts'
import { PendingTriggers, type RunListener } from './trace/run-trace.ts'
import type { WriteListener } from './trace/run-tracer.ts'

/** The cluster, the time, and whom to inform: what a program gives the engine, and all of its parts share. */
export interface EngineOptions {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly openApi: OpenApiSource
  readonly clock: Clock
  readonly logger: Logger
  /** The name of this process in events. Defaults to none. */
  readonly instance?: string | undefined
  /** Called with every run. */
  readonly onRun?: RunListener | undefined
  /** Called with what tasks write. */
  readonly onWritten?: WriteListener | undefined
  /** For values that are generated. Defaults to a cryptographic source. */
  readonly random?: RandomBytes | undefined
  /** Defaults to none. */
  readonly metrics?: Metrics | undefined
  /** Absent: charts cannot be rendered. */
  readonly charts?: ChartRenderer | undefined
  /** The secrets of the present run. Defaults to one that is not shared. */
  readonly secrecy?: RunSecrecy | undefined
  /** Follows runs and their tasks. Defaults to none. */
  readonly spans?: RunSpans | undefined
}

/** What events have shown, and which versions are our own writes. The controller and the reconciler of a kind share it. */
export class SeenChanges {
  readonly ownVersions = new OwnVersions()
  readonly triggers = new PendingTriggers()
  readonly deletions = new SeenDeletions()
  readonly jobs = new SeenJobs()
  readonly overwrites = new SeenOverwrites()
}

/** What one reconciler gets: the caches, resources and subscriptions are those of its kind. */
export interface RoleReconcilerOptions extends EngineOptions {
  readonly caches: ObjectCaches
  readonly resources: WatchedResources
  readonly subscriptions: Subscriptions
  readonly ledger: Ledger
  /** Defaults to none, but the Jobs that this process writes. */
  readonly seen?: SeenChanges | undefined
}
