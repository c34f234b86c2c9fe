import type { KubeObject } from '../../core/kube/object.ts'

/**
 * A change of a cache. An object that was replaced by another one of the same name (a new uid) is first `deleted`, then `added`. Several
 * changes of an object may be one event if a list delivers them.
 */
export type CacheEvent =
  | {
      readonly type: 'added'
      readonly object: KubeObject
      /** Whether the object existed when the cache was first filled, or when the handler subscribed. */
      readonly initial?: boolean
    }
  | {
      readonly type: 'updated'
      readonly old: KubeObject
      readonly object: KubeObject
      /** Whether a list delivered it. If a watch did, `object` is the version right after `old`. */
      readonly listed?: boolean
    }
  | {
      readonly type: 'deleted'
      readonly object: KubeObject
      /** A list, or another object of its name, showed it. Without: a watch did, and `object` is its last version. */
      readonly listed?: boolean
    }
