import type { KubeClient } from '../kube/client.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../kube/object.ts'
import type { ResourceMapper } from '../kube/resource-mapper.ts'
import type { Role } from '../role/role.ts'
import type { Ledger } from './ledger.ts'
import { objectId, patchKindsOf } from './managed-objects.ts'
import type { Owner } from './marks.ts'
import type { ObjectCaches } from './object-caches.ts'
import { type ObjectPatcher, patchManagerOf } from './patch-object.ts'

export interface PatchedObjectsTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly caches: ObjectCaches
  readonly ledger: Ledger
  readonly patcher: ObjectPatcher
}

/** The foreign objects in which a resource holds fields. After a restart they are found by their label and our manager. */
export class PatchedObjects {
  readonly #tools: PatchedObjectsTools

  constructor(tools: PatchedObjectsTools) {
    this.#tools = tools
  }

  /** Lets go of all fields that the resource holds in objects that are not `wanted`. */
  async release(
    wanted: ReadonlySet<string>,
    role: Role,
    options: { owner: Owner; signal: AbortSignal },
  ): Promise<void> {
    const { owner, signal } = options
    for (const gvk of await this.#kindsOf(owner, role)) {
      for (const object of await this.#tools.caches.patched(gvk)) {
        const manager = patchManagerOf(owner.uid, gvk, keyOf(object))
        if (wanted.has(objectId(gvk, keyOf(object))) || !isHeldBy(object, manager)) continue
        await this.#release(object, manager, signal)
      }
    }
  }

  async #release(seen: KubeObject, manager: string, signal: AbortSignal): Promise<void> {
    const { client, mapper, patcher } = this.#tools
    const gvk = gvkOf(seen)
    const live = await client.get(gvk, keyOf(seen), { signal })
    if (!live || live.metadata.uid !== seen.metadata.uid) return
    await patcher.release(live, manager, { mapping: await mapper.mappingFor(gvk), signal })
  }

  async #kindsOf({ gvk: watched }: Owner, role: Role): Promise<readonly Gvk[]> {
    const { ledger, mapper } = this.#tools
    const kinds = new Map(patchKindsOf(role).map((gvk) => [formatGroupKind(gvk), gvk]))
    for (const kind of (await ledger.entryFor(watched)).patch) {
      const gvk = kinds.has(formatGroupKind(kind)) ? undefined : await mapper.preferred(kind)
      if (gvk) kinds.set(formatGroupKind(kind), gvk)
    }
    return [...kinds.values()]
  }
}

function isHeldBy(object: KubeObject, manager: string): boolean {
  return object.metadata.managedFields?.some((entry) => entry.manager === manager) ?? false
}
