import { explain } from '../../../core/base/coded-error.ts'
import type { Logger } from '../../../core/base/logger.ts'
import { isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import { formatGroupKind, type GroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'

/** A kind that a role writes objects of, or once did. */
export interface WrittenKind {
  readonly gvk: Gvk
  /** The present role does not write it any more; the ledger remembers it. */
  readonly isFormer: boolean
}

/** The kinds that only the ledger knows, if the server has them, then those of the role in the order of its tasks. */
export async function writtenKinds(
  present: readonly Gvk[],
  recorded: readonly GroupKind[],
  mapper: Pick<ResourceMapper, 'preferred'>,
): Promise<readonly WrittenKind[]> {
  const names = new Set(present.map(formatGroupKind))
  const former: WrittenKind[] = []
  for (const kind of recorded) {
    const gvk = names.has(formatGroupKind(kind)) ? undefined : await mapper.preferred(kind)
    if (gvk) former.push({ gvk, isFormer: true })
  }
  return [...former, ...present.map((gvk) => ({ gvk, isFormer: false }))]
}

/** Reads objects of written kinds. The right to read a former kind may have ended with the role that needed it. */
export class WrittenKindReader {
  readonly #logger: Logger
  /** Kinds that were reported as forbidden. */
  readonly #reported = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Returns nothing for a kind that is not served, or for a former kind that is forbidden. The latter is logged once. */
  async read(
    { gvk, isFormer }: WrittenKind,
    look: (gvk: Gvk) => Promise<readonly KubeObject[]>,
  ): Promise<readonly KubeObject[]> {
    try {
      return await look(gvk)
    } catch (error) {
      if (isNotFound(error)) return []
      if (!isFormer || !isForbidden(error)) throw error
      this.#warn(formatGroupKind(gvk), error)
      return []
    }
  }

  #warn(kind: string, error: unknown): void {
    if (this.#reported.has(kind)) return
    this.#reported.add(kind)
    const remedy = 'if something may be left, grant `list` and `watch` of the kind and restart the operator'
    const message = `cannot look for what a former role made or patched: its kind may not be read any more (${remedy})`
    this.#logger.warn(message, { kind, error: explain(error) })
  }
}
