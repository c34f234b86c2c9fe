import { explain } from '../../../core/base/coded-error.ts'
import { isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import {
  apiVersionOf,
  formatGroupKind,
  type GroupKind,
  type Gvk,
  gvkOf,
  parseGroupKind,
} from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { isOwnedBy } from '../../../core/kube/owner-reference.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { Ledger } from '../../../engine/reconcile/ownership/ledger.ts'
import { OWNER_UID_LABEL } from '../../../engine/reconcile/ownership/ownership.ts'

export interface OwnedOptions {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  /** Says which kinds the roles of a kind have ever made. */
  readonly ledger: Pick<Ledger, 'entryFor'>
  readonly signal?: AbortSignal | undefined
}

/** What belongs to a resource in the cluster. */
export interface OwnedObjectsOfResource {
  /** What a role made for the resource. */
  readonly made: readonly KubeObject[]
  /** These, and what belongs to them in turn. */
  readonly all: readonly KubeObject[]
  /** Kinds that could not be read, each with the reason. */
  readonly unread: readonly string[]
}

/** What the controllers of Kubernetes make. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  'Deployment.apps': ['ReplicaSet.apps'],
  'ReplicaSet.apps': ['Pod'],
  'StatefulSet.apps': ['Pod', 'PersistentVolumeClaim'],
  'DaemonSet.apps': ['Pod'],
  'CronJob.batch': ['Job.batch'],
  'Job.batch': ['Pod'],
}

/** How far a chain of owners is followed. */
const MOST_LEVELS = 5
const PAGE_SIZE = 500

/** Reads what belongs to a resource, by the marks of the engine and by owner references. Values of Secrets are not read. */
export async function readOwned(resource: KubeObject, options: OwnedOptions): Promise<OwnedObjectsOfResource> {
  const reader = new OwnedReader(options)
  const made = await reader.madeFor(resource)
  const all = new Map(made.map((object) => [object.metadata.uid, object]))
  let level = made
  for (let left = MOST_LEVELS; left > 0 && level.length > 0; left--) {
    const below = (await Promise.all(level.map((object) => reader.below(object)))).flat()
    level = below.filter(({ metadata }) => !all.has(metadata.uid) && metadata.uid !== resource.metadata.uid)
    for (const object of level) all.set(object.metadata.uid, object)
  }
  return { made, all: [...all.values()], unread: [...reader.unread].sort() }
}

class OwnedReader {
  readonly unread = new Set<string>()
  readonly #options: OwnedOptions
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>()

  constructor(options: OwnedOptions) {
    this.#options = options
  }

  /** What a role made for a resource. Where the ledger says nothing, objects of all kinds are looked at. */
  async madeFor(resource: KubeObject): Promise<readonly KubeObject[]> {
    const { kinds, isElsewhere } = await this.#kindsFor(resource)
    const known = kinds.length > 0 ? await this.#served(kinds) : await this.#allKinds()
    const { namespace, uid = '' } = resource.metadata
    const query = { namespace: isElsewhere ? undefined : namespace, labelSelector: `${OWNER_UID_LABEL}=${uid}` }
    return (await Promise.all(known.map((gvk) => this.#listMarked(gvk, query, namespace)))).flat()
  }

  /** What belongs to an object: what a controller of Kubernetes makes for it, or a role. */
  async below(object: KubeObject): Promise<readonly KubeObject[]> {
    const { kinds } = await this.#kindsFor(object)
    const dependents = (DEPENDENTS[formatGroupKind(gvkOf(object))] ?? []).map(parseGroupKind)
    const { namespace, uid = '' } = object.metadata
    const lists = await Promise.all(
      (await this.#served(dependents)).map(async (gvk) => {
        const found = await this.#list(gvk, { namespace })
        // The claims of a StatefulSet name no owner.
        return gvk.kind === 'PersistentVolumeClaim' ? found : found.filter((one) => isOwnedBy(one, uid))
      }),
    )
    return [...lists.flat(), ...(kinds.length > 0 ? await this.madeFor(object) : [])]
  }

  async #kindsFor({ apiVersion, kind }: KubeObject): Promise<{ kinds: readonly GroupKind[]; isElsewhere: boolean }> {
    try {
      const { own, write } = await this.#options.ledger.entryFor(gvkOf({ apiVersion, kind }), this.#options.signal)
      return { kinds: own, isElsewhere: write.length > 0 }
    } catch (error) {
      this.unread.add(`the ledger of the operator: ${explain(error)}`)
      return { kinds: [], isElsewhere: false }
    }
  }

  async #served(kinds: readonly GroupKind[]): Promise<readonly Gvk[]> {
    const found = await Promise.all(kinds.map((kind) => this.#options.mapper.preferred(kind)))
    return found.filter((gvk) => gvk !== undefined)
  }

  async #allKinds(): Promise<readonly Gvk[]> {
    const { mapper } = this.#options
    const { apiVersions = [] } = (await mapper.served?.()) ?? {}
    const names = new Set(apiVersions.map(groupKindIn).filter((name) => name !== undefined))
    const kinds = await this.#served([...names].map(parseGroupKind))
    const mappings = await Promise.all(kinds.map((gvk) => mapper.mappingFor(gvk)))
    return mappings.filter(({ verbs }) => verbs.includes('list')).map(({ gvk }) => gvk)
  }

  /** Who may not read all namespaces sees the objects in that of the resource. */
  async #listMarked(
    gvk: Gvk,
    query: { readonly namespace: string | undefined; readonly labelSelector: string },
    own: string | undefined,
  ): Promise<readonly KubeObject[]> {
    try {
      return await this.#pages(gvk, query)
    } catch (error) {
      if (query.namespace === undefined && own !== undefined && isForbidden(error))
        return this.#list(gvk, { ...query, namespace: own })
      return this.#failed(gvk, error)
    }
  }

  #list(gvk: Gvk, query: { readonly namespace?: string | undefined; readonly labelSelector?: string }) {
    const key = JSON.stringify([gvk, query])
    const list = this.#lists.get(key) ?? this.#pages(gvk, query).catch((error: unknown) => this.#failed(gvk, error))
    this.#lists.set(key, list)
    return list
  }

  #failed(gvk: Gvk, error: unknown): readonly KubeObject[] {
    if (isNotFound(error)) return []
    this.unread.add(`${formatGroupKind(gvk)}: ${explain(error)}`)
    return []
  }

  async #pages(
    gvk: Gvk,
    { namespace, labelSelector }: { readonly namespace?: string | undefined; readonly labelSelector?: string },
  ): Promise<readonly KubeObject[]> {
    const { client, mapper, signal } = this.#options
    const { namespaced } = await mapper.mappingFor(gvk)
    const metadataOnly = gvk.group === '' && gvk.kind === 'Secret'
    const options = {
      namespace: namespaced ? namespace : undefined,
      labelSelector,
      metadataOnly,
      limit: PAGE_SIZE,
      signal,
    }
    const found: KubeObject[] = []
    let token: string | undefined
    do {
      const page = await client.list(gvk, { ...options, continue: token })
      found.push(...page.items.map((item) => ({ ...item, apiVersion: apiVersionOf(gvk), kind: gvk.kind })))
      token = page.continue
    } while (token)
    return found
  }
}

/** `Deployment.apps` of `apps/v1/Deployment`. `undefined`: it is a version alone. */
function groupKindIn(text: string): string | undefined {
  const [first = '', second = '', third] = text.split('/')
  if (third !== undefined) return `${third}.${first}`
  return /^v\d/.test(first) && /^[A-Z]/.test(second) ? second : undefined
}
