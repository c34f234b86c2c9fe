import type { KubeClient } from '../../../core/kube/client.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { EnsurePolicy } from '../../role/run-context.ts'
import type { ObjectCaches } from '../object-caches.ts'
import type { Owner } from '../ownership/marks.ts'
import type { Written } from '../trace/run-tracer.ts'
import type { CompletedJobs, SeenJobs } from './completed-jobs.ts'
import type { DriftFights } from './drift-fights.ts'

export interface ApplyTools {
  readonly client: KubeClient
  readonly caches: ObjectCaches
  readonly fights: DriftFights
  /** Absent: a Job that is gone is created again. */
  readonly jobs?: CompletedJobs | undefined
  readonly seenJobs?: SeenJobs | undefined
}

export interface ApplyRequest extends EnsurePolicy {
  /** The object with our marks. */
  readonly desired: KubeObject
  readonly mapping: ResourceMapping
  readonly owner: Owner
  readonly installation: string
  /**
   * The live object from which the wanted one was computed. The write succeeds only if the server still has this version, or still has no
   * such object. Absent: the wanted object does not depend on the live one.
   */
  readonly seen?: { readonly object: KubeObject | undefined } | undefined
  /** Managers whose fields were taken over just now. Defaults to none. */
  readonly taken?: readonly string[] | undefined
  /** Called before anything is sent that changes the server, perhaps more than once. */
  beforeWrite(): Promise<void>
  /** Called with what was written. */
  tell?(written: Written): void
  readonly signal: AbortSignal
}
