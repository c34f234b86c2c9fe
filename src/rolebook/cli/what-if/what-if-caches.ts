import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, printLabelSelector } from '../../../core/kube/label-selector.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import { isSelected, type WatchSource } from '../../../engine/operator/watching/watched-informers.ts'
import { OWNER_UID_LABEL, PATCHED_LABEL } from '../../../engine/reconcile/ownership/ownership.ts'
import type {
  CacheQuery,
  FoundResource,
  ObjectCaches,
  WatchedResources,
} from '../../../engine/reconcile/reconciler-ports.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { WhatIfClient } from './what-if-client.ts'

export interface WhatIfCachesOptions {
  readonly client: WhatIfClient
  readonly mapper: ResourceMapper
  /** Namespaces to look into; `undefined` is all. */
  readonly namespaces: readonly string[] | undefined
}

/** What caches would show, asked of the server when it is needed: they live as long as one look at a cluster. */
export class WhatIfCaches implements ObjectCaches {
  readonly #options: WhatIfCachesOptions

  constructor(options: WhatIfCachesOptions) {
    this.#options = options
  }

  async child(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    const object = await this.#options.client.get(gvk, key)
    return object?.metadata.labels?.[OWNER_UID_LABEL] === undefined ? undefined : object
  }

  async children(gvk: Gvk, ownerUid: string): Promise<readonly KubeObject[]> {
    const owned = await this.#everywhere(gvk, OWNER_UID_LABEL)
    return owned.filter(({ metadata }) => metadata.labels?.[OWNER_UID_LABEL] === ownerUid)
  }

  get(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    return this.#options.client.get(gvk, key)
  }

  metadata(gvk: Gvk, key: ObjectKey): Promise<KubeObject | undefined> {
    return this.#options.client.get(gvk, key, { metadataOnly: true })
  }

  async list(gvk: Gvk, { namespaces, selector, literalSelector }: CacheQuery): Promise<readonly KubeObject[]> {
    const labelSelector = printLabelSelector(literalSelector)
    const matches = compileLabelSelector(selector)
    const found: KubeObject[] = []
    for (const namespace of placesOf(namespaces)) {
      const { items } = await this.#options.client.list(gvk, { namespace, labelSelector })
      found.push(...items.filter(({ metadata }) => matches(metadata.labels)))
    }
    return found.sort(byPlace)
  }

  patched(gvk: Gvk): Promise<readonly KubeObject[]> {
    return this.#everywhere(gvk, PATCHED_LABEL)
  }

  sent(): void {}

  isUnanswered(): boolean {
    return false
  }

  wrote(): void {}

  removed(): void {}

  async #everywhere(gvk: Gvk, labelSelector: string): Promise<readonly KubeObject[]> {
    const { client, mapper, namespaces } = this.#options
    const { namespaced } = await mapper.mappingFor(gvk)
    const places = placesOf(namespaced ? namespaces : undefined)
    const lists = await Promise.all(places.map((namespace) => client.list(gvk, { namespace, labelSelector })))
    return lists.flatMap(({ items }) => items)
  }
}

/** Nothing stands for the whole cluster. */
function placesOf(namespaces: readonly string[] | undefined): readonly (string | undefined)[] {
  return namespaces ?? [undefined]
}

function byPlace(left: KubeObject, right: KubeObject): number {
  const [a, b] = [left, right].map((object) => `${keyOf(object).namespace}\0${keyOf(object).name}`) as [string, string]
  return a < b ? -1 : 1
}

/** The resources of one kind, and which entry looks after each. */
export class WhatIfResources implements WatchedResources {
  readonly #client: WhatIfClient
  readonly #sources: readonly WatchSource[]

  constructor(client: WhatIfClient, sources: readonly WatchSource[]) {
    this.#client = client
    this.#sources = sources
  }

  /** All that an entry selects, by namespace and name. */
  async all(): Promise<readonly KubeObject[]> {
    const found = new Map<string, KubeObject>()
    for (const source of this.#sources) {
      for (const namespace of placesOf(source.namespaces)) {
        const { items } = await this.#client.list(source.entry.gvk, { namespace })
        for (const one of items) if (isSelected(one, source)) found.set(formatKey(keyOf(one)), one)
      }
    }
    return [...found.values()].sort(byPlace)
  }

  async find(request: Request): Promise<FoundResource> {
    for (const source of this.#sources) {
      const resource = await this.#client.get(source.entry.gvk, request)
      if (resource && isSelected(resource, source)) return { kind: 'selected', resource, entry: source.entry }
    }
    return { kind: 'gone' }
  }

  latest(request: Request, uid: string): KubeObject | undefined {
    const seen = this.#sources.map(({ entry }) => this.#client.objects.find(entry.gvk, request)?.now)
    return seen.find((now) => now?.metadata.uid === uid)
  }

  /** What is read here is what the server has. */
  isDeletionDue(): boolean {
    return false
  }
}
