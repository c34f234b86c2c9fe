import type { KubeObject } from '../../../core/kube/object.ts'

/**
 * One state of one object. Never changed after it was made: a write makes a new one, and watchers, lists and history
 * share it. `object` is in the storage version and carries its resourceVersion.
 */
export interface StoredObject {
  /** Which table it lives in; see `ObjectStore`. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly revision: number
  readonly object: KubeObject
}

export type StoreEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

export interface StoreEvent {
  readonly type: StoreEventType
  readonly revision: number
  /** The state after the change; of a deletion the last state, with the resourceVersion of the deletion. */
  readonly current: StoredObject
  readonly previous: StoredObject | undefined
}
