import { formatGroupKind } from '../../../core/kube/group-version-kind.ts'
import type { ObjectKey } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import { TaskFailure } from '../../role/task-outcome.ts'

/** Namespaces, besides that of the resource, in which its role may read or write; `*` is any. */
export interface AllowedNamespaces {
  /** Absent: none; for a cluster-scoped resource, any. */
  readonly read?: readonly string[] | undefined
  readonly write?: readonly string[] | undefined
}

export type Access = 'read' | 'write'

/**
 * Where the role of one resource may read and write. It is checked before any request.
 *
 * The role of a namespaced resource may use its namespace and those that the watch entry allows. The role of a cluster-scoped resource may
 * use any, unless the entry limits it. Cluster-scoped objects belong to every namespace, so they need `*`.
 */
export class NamespaceRules {
  readonly #own: string
  readonly #allowed: Readonly<Record<Access, readonly string[]>>

  /** `own` is empty for a cluster-scoped resource. A namespace is allowed if one of `allowed` allows it. */
  constructor(own: string, ...allowed: readonly AllowedNamespaces[]) {
    const byDefault = own === '' ? ['*'] : []
    const inAny = (access: Access): readonly string[] => allowed.flatMap((one) => one[access] ?? byDefault)
    this.#own = own
    this.#allowed = { read: inAny('read'), write: inAny('write') }
  }

  /**
   * The key of an object that a task names.
   *
   * @throws TaskFailure when the role may not use that namespace
   */
  resolve(
    mapping: ResourceMapping,
    target: { name: string; namespace?: string | undefined },
    access: Access,
  ): ObjectKey {
    const { name, namespace = mapping.namespaced ? this.#own : '' } = target
    const what = `${mapping.gvk.kind} "${name}"`
    if (!mapping.namespaced) {
      if (namespace !== '')
        throw new TaskFailure('Invalid', `cannot use ${what}: it has a namespace, and its kind is cluster-scoped`)
      if (!this.isAllowed('', access)) throw this.#refusal(mapping, what, access)
      return { namespace: '', name }
    }
    if (namespace === '') {
      throw new TaskFailure(
        'Invalid',
        `cannot use ${what}: it has no namespace, and neither has the resource (set \`metadata.namespace\`)`,
      )
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
    const message = `cannot ${access} ${what}: the watch entry does not allow it (${remedy} to let the role reach ${formatGroupKind(gvk)})`
    return new TaskFailure('Forbidden', message)
  }
}
