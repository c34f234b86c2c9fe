import { formatGroupKind, type GroupKind, type Gvk } from '../kube/group-version-kind.ts'
import type { ResourceMapper } from '../kube/resource-mapper.ts'

/** A kind of objects that a role makes or patches, or has once made or patched. */
export interface TouchedKind {
  readonly gvk: Gvk
  /** Only the ledger still knows it. */
  readonly isFormer: boolean
}

/** Those that only the ledger still knows and the server has, then those of the role in its order. */
export async function touchedKinds(
  present: readonly Gvk[],
  recorded: readonly GroupKind[],
  mapper: Pick<ResourceMapper, 'preferred'>,
): Promise<readonly TouchedKind[]> {
  const names = new Set(present.map(formatGroupKind))
  const former: TouchedKind[] = []
  for (const kind of recorded) {
    const gvk = names.has(formatGroupKind(kind)) ? undefined : await mapper.preferred(kind)
    if (gvk) former.push({ gvk, isFormer: true })
  }
  return [...former, ...present.map((gvk) => ({ gvk, isFormer: false }))]
}
