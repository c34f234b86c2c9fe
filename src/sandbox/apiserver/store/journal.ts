import type { KubeObject } from '../../../core/kube/object.ts'
import type { StoredObject, StoreEvent, StoreEventType } from './stored-object.ts'

/**
 * Where a store keeps its state beyond the life of the process. The server does no file I/O: who starts it brings one.
 *
 * A change is handed over before a client can see it. When `append` returns, the change is kept; when it throws, the change
 * is refused and has not happened.
 */
export interface Journal {
  /** What was kept before. Read once, before the first `append`. */
  readonly kept: KeptState
  append(event: StoreEvent): void
  /** Called once, after `kept` was read: `read` gives all objects at any time, for a journal that wants to start over. */
  open(read: () => StoreState): void
}

/** The objects as of a revision, and every change since. */
export interface KeptState {
  readonly revision: number
  readonly objects: Iterable<KeptObject>
  /** In order, without a gap. */
  readonly changes: Iterable<KeptChange>
}

export interface KeptObject {
  /** The table of the store. */
  readonly resource: string
  /** Carries its resourceVersion. */
  readonly object: KubeObject
}

export interface KeptChange extends KeptObject {
  readonly type: StoreEventType
  readonly revision: number
}

/** All objects of a store at one revision. */
export interface StoreState {
  readonly revision: number
  readonly objects: readonly StoredObject[]
}
