import { formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import type { ClusterObjects } from '../test-cluster.ts'

/** The objects of a cluster as of one time. It has the kinds that were asked for before they were read. */
export class ObjectSnapshot implements ClusterObjects {
  readonly #kinds = new Map<string, Gvk>()
  readonly #objects = new Map<string, readonly KubeObject[]>()
  readonly #read: (gvk: Gvk) => Promise<readonly KubeObject[]>

  /** @param read all objects of a kind that are of interest */
  constructor(read: (gvk: Gvk) => Promise<readonly KubeObject[]>) {
    this.#read = read
  }

  /** Whether a kind was asked for that has not been read yet. */
  get isIncomplete(): boolean {
    return this.#kinds.size > this.#objects.size
  }

  /** Reads all kinds that were asked for. */
  async refresh(): Promise<void> {
    const read = async ([id, gvk]: [string, Gvk]) => [id, await this.#read(gvk)] as const
    for (const [id, objects] of await Promise.all([...this.#kinds].map(read))) this.#objects.set(id, objects)
  }

  list(gvk: Gvk, { namespace = '' }: { readonly namespace?: string | undefined } = {}): readonly KubeObject[] {
    const id = formatGvk(gvk)
    this.#kinds.set(id, gvk)
    const all = this.#objects.get(id) ?? []
    return namespace === '' ? all : all.filter(({ metadata }) => metadata.namespace === namespace)
  }

  get(gvk: Gvk, { namespace, name }: ObjectKey): KubeObject | undefined {
    return this.list(gvk, { namespace }).find(({ metadata }) => metadata.name === name)
  }
}
