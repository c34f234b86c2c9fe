import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { Schema } from '../../core/schema/schema.ts'

/** What is known of the kinds that roles read and make. */
export interface KindSchemas {
  /** The schema of a kind with `apiVersion`, `kind` and `metadata`; `undefined` when it is not known. */
  get(gvk: Gvk): Schema | undefined
  /** All kinds of a group version, when they are known to be all. */
  kindsOf(groupVersion: string): readonly string[] | undefined
  /** All versions of a group, when they are known to be all. */
  versionsOf(group: string): readonly string[] | undefined
  /** All versions of groups, such as `apps/v1`, that are known to have a kind of this name. None when not all kinds are known. */
  versionsWith(kind: string): readonly string[]
  /** Whether all kinds are known that a server has without CRDs. */
  readonly isWhole: boolean
}
