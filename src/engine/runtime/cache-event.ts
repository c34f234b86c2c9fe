import type { KubeObject } from '../../core/kube/object.ts'

/**
 * What changed in a cache. An object that was replaced by another one of the same name (a new uid) is first `deleted`,
 * then `added`. Events say only that something differs: in a list, several changes may have become one.
 */
export type CacheEvent =
  | {
      readonly type: 'added'
      readonly object: KubeObject
      /** It was there when the cache was first filled, or when the subscriber came. */
      readonly initial?: boolean
    }
  | {
      readonly type: 'updated'
      readonly old: KubeObject
      readonly object: KubeObject
      /** A list showed it. Without: a watch did, and `object` is the very next version after `old`. */
      readonly listed?: boolean
    }
  | {
      readonly type: 'deleted'
      readonly object: KubeObject
      /** A list, or another object of its name, showed it. Without: a watch did, and `object` is its last version. */
      readonly listed?: boolean
    }
