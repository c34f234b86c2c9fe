import type { JsonPath } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { OwnObjects } from './own-objects.ts'

/** A field of an object that means what is not there. */
export interface DanglingReference {
  readonly path: JsonPath
  readonly message: string
  readonly hint?: string | undefined
  /** Defaults to what the trials say. */
  readonly severity?: 'warning' | undefined
}

/**
 * What an object says of other objects of the same role and is not so. A server takes all of it. What may be an object of others is
 * never reported, unless its name looks like a slip.
 */
export type ReferenceRule = (object: KubeObject, own: OwnObjects) => readonly DanglingReference[]
