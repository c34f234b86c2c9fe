import { explain } from '../base/coded-error.ts'
import type { Logger } from '../base/logger.ts'
import { isForbidden, isNotFound } from '../kube/api-error.ts'
import { formatGroupKind, type GroupKind, type Gvk } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
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

/** Looks for objects of kinds whose rights may have gone with the role that needed them. */
export class TouchedKindReader {
  readonly #logger: Logger
  /** Kinds of which it has been said that they may not be read. */
  readonly #told = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Of a kind that is not served there are none. A former one that may not be read any more is said, once, and left alone. */
  async read(
    { gvk, isFormer }: TouchedKind,
    look: (gvk: Gvk) => Promise<readonly KubeObject[]>,
  ): Promise<readonly KubeObject[]> {
    try {
      return await look(gvk)
    } catch (error) {
      if (isNotFound(error)) return []
      if (!isFormer || !isForbidden(error)) throw error
      this.#tell(formatGroupKind(gvk), error)
      return []
    }
  }

  #tell(kind: string, error: unknown): void {
    if (this.#told.has(kind)) return
    this.#told.add(kind)
    const remedy = 'if something may be left, grant `list` and `watch` of the kind and restart the operator'
    const message = `cannot look for what a former role made or patched: its kind may not be read any more (${remedy})`
    this.#logger.warn(message, { kind, error: explain(error) })
  }
}
