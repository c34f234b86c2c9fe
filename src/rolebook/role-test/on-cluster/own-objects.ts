import { ApiError } from '../../../core/kube/api-error.ts'
import type { KubeClient, Writer } from '../../../core/kube/client.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'

/** A cluster-scoped object that a test has made. */
export interface MadeObject {
  readonly gvk: Gvk
  readonly key: ObjectKey
  /** Absent: the server has not said. */
  readonly uid?: string | undefined
}

interface Wanted {
  readonly verb: string
  readonly gvk: Gvk
  readonly key: ObjectKey
}

/** What of a cluster belongs to a test: the namespaces that it has made, and cluster-scoped objects that were not there before. */
export class OwnObjects {
  readonly namespaces = new Set<string>()
  readonly #made = new Map<string, MadeObject>()
  readonly #client: Pick<KubeClient, 'get'>
  readonly #mapper: Pick<ResourceMapper, 'mappingFor'>

  constructor({ client, mapper }: { readonly client: Pick<KubeClient, 'get'>; readonly mapper: ResourceMapper }) {
    this.#client = client
    this.#mapper = mapper
  }

  /** Cluster-scoped objects of the test, in the order in which they were made. */
  get made(): readonly MadeObject[] {
    return [...this.#made.values()]
  }

  /** An object belongs to the test from now on, if it is one of the cluster. */
  add(object: KubeObject): void {
    const [gvk, key] = [gvkOf(object), keyOf(object)]
    if (key.namespace !== '') return
    this.#made.set(idOf(gvk, key), { gvk, key, uid: object.metadata.uid })
    if (gvk.group === '' && gvk.kind === 'Namespace') this.namespaces.add(key.name)
  }

  /** A client whose writes stay within what belongs to the test. All others are refused, as by a server. */
  confine(client: KubeClient): KubeClient {
    const write = async <T extends KubeObject | undefined>(wanted: Wanted, send: () => Promise<T>): Promise<T> => {
      await this.#claim(wanted)
      return send()
    }
    const make: Pick<Writer, 'create' | 'apply'> = {
      create: (object, options) => this.#make('create', object, options.dryRun, () => client.create(object, options)),
      apply: (object, options) => this.#make('apply', object, options.dryRun, () => client.apply(object, options)),
    }
    return {
      get: (gvk, key, options) => client.get(gvk, key, options),
      list: (gvk, options) => client.list(gvk, options),
      watch: (gvk, options) => client.watch(gvk, options),
      ...make,
      patch: (gvk, key, patch, options) =>
        write({ verb: 'patch', gvk, key }, () => client.patch(gvk, key, patch, options)),
      delete: (gvk, key, options) => write({ verb: 'delete', gvk, key }, () => client.delete(gvk, key, options)),
    }
  }

  async #make(
    verb: 'create' | 'apply',
    object: KubeObject,
    dryRun: boolean | undefined,
    send: () => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const [gvk, key] = [gvkOf(object), keyOf(object)]
    await this.#claim({ verb, gvk, key })
    if (dryRun === true) return send()
    try {
      const live = await send()
      this.add(live)
      return live
    } catch (error) {
      // It may be there all the same.
      if (error instanceof ApiError && error.httpStatus === 0) this.add(object)
      throw error
    }
  }

  /** @throws ApiError for what does not belong to the test */
  async #claim({ verb, gvk, key }: Wanted): Promise<void> {
    const { namespaced } = await this.#mapper.mappingFor(gvk)
    if (namespaced ? this.namespaces.has(key.namespace) : this.#made.has(idOf(gvk, key))) return
    if (namespaced) throw refusal({ verb, gvk, key }, `it has not made the namespace ${key.namespace}`)
    if (await this.#client.get(gvk, key)) throw refusal({ verb, gvk, key }, 'it was there before the test')
  }
}

function idOf(gvk: Gvk, key: ObjectKey): string {
  return `${formatGroupKind(gvk)} ${formatKey(key)}`
}

function refusal({ verb, gvk: { kind }, key }: Wanted, reason: string): ApiError {
  return new ApiError(403, 'Forbidden', `the test may not ${verb} ${kind} ${formatKey(key)} of this cluster: ${reason}`)
}
