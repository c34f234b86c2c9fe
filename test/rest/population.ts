import { isJsonArray, isJsonObject, type JsonValue } from '../../src/core/base/json.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { KIND } from '../scenarios/cluster-driver.ts'
import { at, newObject, ready } from '../scenarios/objects.ts'

const MANAGER = { fieldManager: 'person' }
const OWNED = 'rolebook.dev/owner-uid'
/** Requests in flight. */
const WORKERS = 8

/** Resources of three roles in one namespace, and what the roles make for them. */
export class Population {
  readonly namespace: string
  readonly size: number
  readonly #client: KubeClient

  constructor(client: KubeClient, options: { readonly namespace: string; readonly size: number }) {
    this.#client = client
    this.namespace = options.namespace
    this.size = options.size
  }

  async create(): Promise<void> {
    await this.#inParallel((index) => this.createOne(index))
  }

  async createOne(index: number): Promise<void> {
    const object = resource(index)
    await this.#client.create({ ...object, metadata: { ...object.metadata, namespace: this.namespace } }, MANAGER)
  }

  gvkOf(index: number): Gvk {
    return KINDS[index % KINDS.length] as Gvk
  }

  nameOf(index: number): string {
    return `r${index}`
  }

  /** Resolves when every resource is Ready for what it says now. */
  async untilReady(): Promise<void> {
    for (const gvk of KINDS) await this.#untilAllReady(gvk)
  }

  async children(): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = []
    for (const gvk of CHILDREN) {
      const { items } = await this.#client.list(gvk, { namespace: this.namespace, labelSelector: OWNED })
      found.push(...items)
    }
    return found
  }

  /** What the roles say of the children, by name: nothing that the cluster adds, and nothing of how they came to be. */
  async wanted(): Promise<ReadonlyMap<string, JsonValue>> {
    const children = await this.children()
    const rows = children.map((child) => [`${child.kind} ${child.metadata.name}`, wantedOf(child)] as const)
    return new Map(rows.toSorted(([left], [right]) => left.localeCompare(right)))
  }

  async #untilAllReady(gvk: Gvk): Promise<void> {
    const waiting = new Set(
      Array.from({ length: this.size }, (_, index) => index).filter((one) => this.gvkOf(one) === gvk),
    )
    const names = new Set([...waiting].map((index) => this.nameOf(index)))
    const list = await this.#client.list(gvk, { namespace: this.namespace })
    const see = (object: KubeObject): boolean => {
      if (ready.holds(object)) names.delete(object.metadata.name ?? '')
      return names.size === 0
    }
    if (list.items.some(see) || names.size === 0) return
    const { resourceVersion } = list
    for await (const event of this.#client.watch(gvk, { namespace: this.namespace, resourceVersion })) {
      if (event.type === 'ERROR') throw new Error(JSON.stringify(event.status))
      if (event.type === 'DELETED') names.add(event.object.metadata.name ?? '')
      else if (event.type !== 'BOOKMARK' && see(event.object)) return
    }
    await this.#untilAllReady(gvk)
  }

  async #inParallel(work: (index: number) => Promise<void>): Promise<void> {
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < this.size) await work(next++)
    }
    await Promise.all(Array.from({ length: WORKERS }, worker))
  }
}

const KINDS: readonly Gvk[] = [KIND.memcached, KIND.memcachedAlpha, KIND.maintPage]
const CHILDREN: readonly Gvk[] = [KIND.deployment, KIND.service, KIND.pod]

function resource(index: number): KubeObject {
  const gvk = KINDS[index % KINDS.length] as Gvk
  const page = {
    maintpageconfig: { maintpagetoggle: false, maintpageimage: 'page:1' },
    appconfig: { appname: `app${index}`, appimage: 'app:1' },
  }
  return newObject(gvk, `r${index}`, gvk === KIND.maintPage ? page : { size: 1 })
}

function wantedOf(child: KubeObject): JsonValue {
  const owner = child.metadata.ownerReferences?.[0]
  const containers = at(child, 'spec', 'template', 'spec', 'containers') ?? at(child, 'spec', 'containers') ?? []
  return {
    owner: owner?.name ?? '',
    labels: { ...child.metadata.labels, [OWNED]: child.metadata.labels?.[OWNED] === owner?.uid },
    ...(child.kind !== 'Pod' && { replicas: at(child, 'spec', 'replicas') ?? null }),
    selector: at(child, 'spec', 'selector') ?? null,
    ports: at(child, 'spec', 'ports') ?? null,
    images: isJsonArray(containers) ? containers.map((one) => (isJsonObject(one) ? (one.image ?? null) : null)) : null,
  }
}
