import type { Logger } from '../../../core/base/logger.ts'
import { isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { Role } from '../../role/role.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { WrittenObject } from '../apply/object-port.ts'
import { type ObjectPatcher, patchManagerOf } from '../apply/patch-object.ts'
import type { Ledger } from '../ownership/ledger.ts'
import { type WrittenKind, WrittenKindReader, writtenKinds } from '../ownership/ledger.ts'
import type { NamespaceRules } from '../ownership/ownership.ts'
import { type Owner, PATCHED_LABEL } from '../ownership/ownership.ts'
import type { ObjectCaches } from '../reconciler-ports.ts'
import { listWritable, patchKindsOf } from './managed-objects.ts'

export interface PatchedObjectsTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly caches: ObjectCaches
  readonly ledger: Ledger
  readonly patcher: ObjectPatcher
  readonly logger: Logger
}

interface OwnerContext {
  readonly owner: Owner
  readonly signal: AbortSignal
}

/** Finds the foreign objects in which a resource holds fields, by their label and our manager, and releases them. */
export class PatchedObjects {
  readonly #tools: PatchedObjectsTools
  readonly #reader: WrittenKindReader

  constructor(tools: PatchedObjectsTools) {
    this.#tools = tools
    this.#reader = new WrittenKindReader(tools.logger)
  }

  /** Releases all objects that a run did not patch. For the first complete run after a start, when the former ones are not known. */
  async releaseUnwanted(
    wanted: ReadonlyMap<string, WrittenObject>,
    role: Role,
    context: OwnerContext & { readonly rules: NamespaceRules },
  ): Promise<void> {
    for (const kind of await this.#kindsOf(role, context)) {
      for (const object of await this.#reader.read(kind, (gvk) => this.#tools.caches.patched(gvk))) {
        if (!wanted.has(objectId(kind.gvk, keyOf(object)))) await this.#releaseInReach(object, context)
      }
    }
  }

  /** Releases objects that former runs have patched. They are read live, since the watch may not have delivered the patch yet. */
  async releaseFormer(former: readonly WrittenObject[], context: OwnerContext): Promise<void> {
    for (const { gvk, key } of former) {
      const live = await ifServed(this.#tools.client.get(gvk, key, { signal: context.signal }))
      if (live) await this.#releaseIfHeld(live, context)
    }
  }

  /** Releases everything that the server shows. For a resource that is being deleted: there will be no further try. */
  async releaseAll(role: Role, context: OwnerContext & { readonly rules: NamespaceRules }): Promise<void> {
    const { rules, signal } = context
    const query = { rules, labelSelector: `${PATCHED_LABEL}=true`, signal }
    for (const kind of await this.#kindsOf(role, context)) {
      const patched = await this.#reader.read(kind, (gvk) => listWritable(this.#tools, gvk, query))
      for (const object of patched) await this.#releaseIfHeld(object, context)
    }
  }

  /** Ignores a missing right in a namespace that is not allowed any more: the right may have ended with it. */
  async #releaseInReach(object: KubeObject, context: OwnerContext & { readonly rules: NamespaceRules }): Promise<void> {
    try {
      await this.#releaseIfHeld(object, context)
    } catch (error) {
      const isInReach = context.rules.isAllowed(keyOf(object).namespace, 'write')
      if (isInReach || toFailedOutcome(error).reason !== 'Forbidden') throw error
    }
  }

  async #releaseIfHeld(object: KubeObject, { owner, signal }: OwnerContext): Promise<void> {
    const manager = patchManagerOf(owner.uid, gvkOf(object), keyOf(object))
    if (isHeldBy(object, manager)) await this.#release(object, manager, signal)
  }

  async #release(seen: KubeObject, manager: string, signal: AbortSignal): Promise<void> {
    const { client, mapper, patcher } = this.#tools
    const gvk = gvkOf(seen)
    const live = await client.get(gvk, keyOf(seen), { signal })
    if (!live || live.metadata.uid !== seen.metadata.uid) return
    await patcher.release(live, manager, { mapping: await mapper.mappingFor(gvk), signal })
  }

  async #kindsOf(role: Role, { owner, signal }: OwnerContext): Promise<readonly WrittenKind[]> {
    const { patch } = await this.#tools.ledger.entryFor(owner.gvk, signal)
    return writtenKinds(patchKindsOf(role), patch, this.#tools.mapper)
  }
}

/** Returns `undefined` for a kind that is not served. */
async function ifServed<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function isHeldBy(object: KubeObject, manager: string): boolean {
  return object.metadata.managedFields?.some((entry) => entry.manager === manager) ?? false
}
