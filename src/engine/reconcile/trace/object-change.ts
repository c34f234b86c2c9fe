import { printPath } from '../../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import type { HeldFields } from '../ownership/held-fields.ts'
import { changeKindOf, type Written } from './run-tracer.ts'
import { changesBetween } from './traced-fields.ts'

/** What a run did to an object, for whoever tells people of it. */
export interface ObjectChange {
  /**
   * `adopted`: it was there, and not ours. `corrected`: others had changed what the role says. `shared`: others hold fields of an
   * adopted object as well. `kept`: others hold fields that the role has dropped.
   */
  readonly kind: 'created' | 'adopted' | 'changed' | 'corrected' | 'removed' | 'shared' | 'kept'
  readonly gvk: Gvk
  readonly key: ObjectKey
  /** Names of the fields, never their values. */
  readonly fields: readonly string[]
  /** Other managers: whose fields were taken over, without fields, or who holds which. Defaults to none. */
  readonly managers?: readonly Holder[] | undefined
}

export interface Holder {
  readonly name: string
  readonly fields: readonly string[]
}

export function changesOf(written: Written): readonly ObjectChange[] {
  const { before, after, lost = [], adoption, kept = [] } = written
  const object = { gvk: gvkOf(after), key: keyOf(after) }
  if (!before) return [{ ...object, kind: 'created', fields: [] }]
  const kind = changeKindOf(written)
  const fields = kind === 'corrected' ? lost.map(printPath) : changesBetween(before, after).map(({ field }) => field)
  const { taken = [], shared = [] } = adoption ?? {}
  const managers = taken.map((name) => ({ name, fields: [] }))
  return [
    { ...object, kind, fields, ...(managers.length > 0 && { managers }) },
    ...(shared.length > 0 ? [{ ...object, kind: 'shared', fields: [], managers: shared.map(holderOf) } as const] : []),
    ...(kept.length > 0 ? [{ ...object, kind: 'kept', fields: [], managers: kept.map(holderOf) } as const] : []),
  ]
}

function holderOf({ manager, paths }: HeldFields): Holder {
  return { name: manager, fields: paths.map(printPath) }
}

export function removalOf(object: KubeObject): ObjectChange {
  return { kind: 'removed', gvk: gvkOf(object), key: keyOf(object), fields: [] }
}
