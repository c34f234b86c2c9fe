import { printPath } from '../base/json.ts'
import { type Gvk, gvkOf } from '../kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../kube/object.ts'
import type { Written } from './run-tracer.ts'
import { changesBetween } from './traced-fields.ts'

/** A change that a run made to one object, as events report it. */
export interface ObjectChange {
  /** `corrected`: others had changed what the role says. */
  readonly kind: 'created' | 'changed' | 'corrected' | 'removed'
  readonly gvk: Gvk
  readonly key: ObjectKey
  /** Names of the fields, never their values. */
  readonly fields: readonly string[]
}

export function changeOf({ before, after, lost = [] }: Written): ObjectChange {
  const object = { gvk: gvkOf(after), key: keyOf(after) }
  if (!before) return { ...object, kind: 'created', fields: [] }
  if (lost.length > 0) return { ...object, kind: 'corrected', fields: lost.map(printPath) }
  return { ...object, kind: 'changed', fields: changesBetween(before, after).map(({ field }) => field) }
}

export function removalOf(object: KubeObject): ObjectChange {
  return { kind: 'removed', gvk: gvkOf(object), key: keyOf(object), fields: [] }
}
