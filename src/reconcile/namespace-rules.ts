import { formatGroupKind } from '../kube/group-version-kind.ts'
import type { ObjectKey } from '../kube/object.ts'
import type { ResourceMapping } from '../kube/resource-mapper.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** Namespaces besides a resource's own that its role may touch; `*` among them is any. */
export interface AllowedNamespaces {
  /** Absent: none; for a cluster-scoped resource, any. */
  readonly read?: readonly string[] | undefined
  readonly write?: readonly string[] | undefined
}

export type Access = 'read' | 'write'

/**
 * Where the role of one resource may read and write. Checked before any request is made.
 *
 * A namespaced resource reaches its own namespace and those that the watch entry allows; a cluster-scoped one reaches any,
 * unless the entry narrows it. Cluster-scoped objects belong to every namespace, so they need `*`.
 */
export class NamespaceRules {
  readonly #own: string
  readonly #allowed: Readonly<Record<Access, readonly string[]>>

  /** `own` is empty for a cluster-scoped resource. What one of `allowed` allows is allowed. */
  constructor(own: string, ...allowed: readonly AllowedNamespaces[]) {
    const byDefault = own === '' ? ['*'] : []
    const inAny = (access: Access): readonly string[] => allowed.flatMap((one) => one[access] ?? byDefault)
    this.#own = own
    this.#allowed = { read: inAny('read'), write: inAny('write') }
  }

  /**
   * The key of an object that a task names.
   *
   * @throws TaskFailure when the role may not go there
   */
  resolve(
    mapping: ResourceMapping,
    target: { name: string; namespace?: string | undefined },
    access: Access,
  ): ObjectKey {
    const { name, namespace = mapping.namespaced ? this.#own : '' } = target
    const what = `${mapping.gvk.kind} "${name}"`
    if (!mapping.namespaced) {
      if (namespace !== '') throw new TaskFailure('Invalid', `${what} has a namespace: its kind is cluster-scoped`)
      if (!this.isAllowed('', access)) throw this.#refusal(mapping, what, access)
      return { namespace: '', name }
    }
    if (namespace === '') {
      throw new TaskFailure('Invalid', `${what} has no namespace: a cluster-scoped resource has none to lend`)
    }
    if (!this.isAllowed(namespace, access)) throw this.#refusal(mapping, `${what} of namespace "${namespace}"`, access)
    return { namespace, name }
  }

  /** `namespace` is empty for cluster-scoped objects. */
  isAllowed(namespace: string, access: Access): boolean {
    const allowed = this.#allowed[access]
    if (allowed.includes('*')) return true
    return namespace !== '' && (namespace === this.#own || allowed.includes(namespace))
  }

  /** The namespaces that may be read or written, or `undefined` for all. */
  reach(access: Access): readonly string[] | undefined {
    const allowed = this.#allowed[access]
    if (allowed.includes('*')) return undefined
    return [...new Set(this.#own === '' ? allowed : [this.#own, ...allowed])].sort()
  }

  #refusal({ gvk, namespaced }: ResourceMapping, what: string, access: Access): TaskFailure {
    const remedy = namespaced
      ? `list the namespace under \`allowedNamespaces.${access}\``
      : `set \`allowedNamespaces.${access}: ["*"]\``
    const message = `may not ${access} ${what}: the watch entry does not allow it (${remedy} to let the role reach ${formatGroupKind(gvk)})`
    return new TaskFailure('Forbidden', message)
  }
}
