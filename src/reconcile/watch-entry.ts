import type { Gvk } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
import type { Role } from '../role/role.ts'
import type { Request } from '../runtime/reconciler.ts'
import type { AllowedNamespaces } from './namespace-rules.ts'
import type { Subscription } from './run-reads.ts'

/** Which role looks after the resources of a kind, and how. */
export interface WatchEntry {
  /** Its version says in which form the role sees the resource. */
  readonly gvk: Gvk
  readonly role: Role
  /** Changes when anything of the entry or the role does that a run depends on. */
  readonly hash: string
  /** Milliseconds; 0 is never. */
  readonly reconcilePeriod: number
  readonly allowedNamespaces: AllowedNamespaces
  /** Of all entries of the kind: a resource may have something to remove that was made while another one selected it. */
  readonly allowedToKind: readonly AllowedNamespaces[]
  readonly manageStatus: boolean
  readonly deletion: DeletionSettings
}

/** What becomes of the children of a resource that is deleted. */
export interface DeletionSettings {
  /** `foreground`: all of them are deleted here, and seen gone; else those that no garbage collector removes. */
  readonly propagation: 'background' | 'foreground'
  /** One after the other, the last made first, each seen gone before the next. Absent: all at once. */
  readonly order?: 'reverse' | undefined
}

/**
 * The resource that a request names. `unselected`: no entry selects it any more, so its objects are removed. `withoutRole`: a change of
 * the entries took its role away, so its objects stay.
 */
export type FoundResource =
  | {
      readonly kind: 'selected' | 'unselected' | 'withoutRole'
      readonly resource: KubeObject
      readonly entry: WatchEntry
    }
  /** The caches do not have it, the server does: look again soon. */
  | { readonly kind: 'expected' }
  | { readonly kind: 'gone' }

/** The resources that are watched. Declared here, kept on informers by `operator`. */
export interface WatchedResources {
  find(request: Request, signal: AbortSignal): Promise<FoundResource>
  /** The resource as it is known now, own writes included, while it is still the one with this uid. */
  latest(request: Request, uid: string): KubeObject | undefined
  /** Whether the watch is about to tell that the resource with this uid is deleted: so far it is known by own writes alone. */
  isDeletionDue(request: Request, uid: string): boolean
}

/** Who is run again when what changes. Declared here, kept by `operator`. */
export interface Subscriptions {
  add(request: Request, subscription: Subscription): void
  /** Drops every subscription of the request that is not in the list. */
  keep(request: Request, subscriptions: readonly Subscription[]): void
}
