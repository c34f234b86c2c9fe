import { isNotFound } from '../../../core/kube/api-error.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { idOf, objectId } from '../../../core/kube/object-id.ts'
import { canOwn } from '../../../core/kube/owner-reference.ts'
import type { ResourceMapper, ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { Role } from '../../role/role.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { type LiveQuery, listLive } from '../../runtime/list-all.ts'
import { deleteSeen, type ObjectApplier } from '../apply/apply-object.ts'
import type { CompletedJobs } from '../apply/completed-jobs.ts'
import { type ObjectPatcher, patchManagerOf } from '../apply/patch-object.ts'
import { attempt, isOtherObject } from '../apply/request-failure.ts'
import type { WrittenObject } from '../apply/run-objects.ts'
import type { EngineOptions, RoleReconcilerOptions } from '../engine-options.ts'
import { type WrittenKind, WrittenKindReader, writtenKinds } from '../ownership/ledger.ts'
import {
  ADOPT_FROM_ANNOTATION,
  APPLIED_ANNOTATION,
  FIELD_MANAGER,
  FINALIZE_ANNOTATION,
  isProvenOurs,
  isRetained,
  type NamespaceRules,
  OPERATOR_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_LABEL,
  type Owner,
  PATCHED_LABEL,
  RETAIN_ANNOTATION,
  uidOf,
} from '../ownership/ownership.ts'

type InventoryTools = Pick<RoleReconcilerOptions, 'client' | 'mapper' | 'caches' | 'ledger' | 'logger'>

export interface ManagedObjectsTools extends InventoryTools {
  readonly applier: ObjectApplier
  /** Absent: nothing is noted of Jobs. */
  readonly jobs?: CompletedJobs | undefined
}

interface OwnerContext {
  readonly owner: Owner
  readonly signal: AbortSignal
}

export interface RemoveOptions extends OwnerContext {
  readonly rules: NamespaceRules
  /** Whether objects stay and lose our marks. Defaults to false. */
  readonly orphan?: boolean | undefined
  /** `Foreground`: an object stays until its dependents are gone. Defaults to `Background`. */
  readonly propagation?: 'Background' | 'Foreground' | undefined
}

export interface PruneOptions extends RemoveOptions {
  /** Ids of the objects that runs have made, in the order of their tasks. */
  readonly made: readonly string[]
  isConfirmed(): Promise<boolean>
  /** Called with each object that was removed. */
  removed?(object: KubeObject): void
}

/** Finds the objects of a resource and removes them, each after a live read, by uid and resourceVersion. */
export class ManagedObjects {
  readonly #tools: ManagedObjectsTools
  readonly #reader: WrittenKindReader

  constructor(tools: ManagedObjectsTools) {
    this.#tools = tools
    this.#reader = new WrittenKindReader(tools.logger)
  }

  /**
   * The cached objects that carry the label of the owner, of all kinds that the role writes or ever wrote. They come in the reverse order
   * of kinds in the role, and within a kind the newest first. The label alone does not prove that an object is ours.
   */
  async inventory(role: Role, context: OwnerContext): Promise<readonly KubeObject[]> {
    return this.#collect(role, context, (gvk) => this.#tools.caches.children(gvk, context.owner.uid))
  }

  /**
   * The same from the server: before a finalizer goes, the absence of an object must be proven. What the caches show and a list
   * does not is read by itself, since a list may be empty by mistake.
   */
  async liveInventory(role: Role, { owner, rules, signal }: RemoveOptions): Promise<readonly KubeObject[]> {
    const labelSelector = `${OWNER_UID_LABEL}=${owner.uid}`
    const query = { rules, labelSelector, signal }
    const listed = await this.#collect(role, { owner, signal }, (gvk) => listWritable(this.#tools, gvk, query))
    const ids = new Set(listed.map((object) => idOf(object)))
    const cached = await this.inventory(role, { owner, signal })
    const doubted = cached.filter((object) => {
      const key = keyOf(object)
      return !ids.has(objectId(gvkOf(object), key)) && rules.isAllowed(key.namespace, 'write')
    })
    return [...listed, ...(await this.#stillThere(doubted, signal))]
  }

  async #stillThere(objects: readonly KubeObject[], signal: AbortSignal): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = []
    for (const object of objects) {
      const live = await this.#tools.client.get(gvkOf(object), keyOf(object), { signal, metadataOnly: true })
      if (live && live.metadata.uid === object.metadata.uid) found.push(live)
    }
    return found
  }

  /** The objects that are proven to be ours. */
  async proven(objects: readonly KubeObject[], { owner, signal }: OwnerContext): Promise<readonly KubeObject[]> {
    const { name } = await this.#tools.ledger.installation(signal)
    return objects.filter((object) => isProvenOurs(object, owner, name))
  }

  /**
   * A cached object of the owner that neither the garbage collector nor the engine can remove, because its namespace is not allowed any
   * more. The server is not asked, since the right to read there may be gone.
   */
  async outOfReach(role: Role, { owner, rules, signal }: RemoveOptions): Promise<KubeObject | undefined> {
    const { name } = await this.#tools.ledger.installation(signal)
    const inventory = await this.inventory(role, { owner, signal })
    return inventory.find((object) => {
      const key = keyOf(object)
      if (canOwn(owner.key, key) || rules.isAllowed(key.namespace, 'write')) return false
      return !isRetained(object) && isProvenOurs(object, owner, name)
    })
  }

  /**
   * Deletes the objects that a complete run did not make. Before that, `isConfirmed` checks that the run read what the server has.
   * Returns how many objects were deleted.
   */
  async prune(wanted: ReadonlySet<string>, role: Role, options: PruneOptions): Promise<number> {
    const inventory = await this.inventory(role, options)
    const due = inventory.filter((one) => !wanted.has(idOf(one)) && !isTerminating(one))
    if (due.length > 0 && !(await options.isConfirmed())) {
      const message =
        'cannot remove objects yet: what the role read differs from what the server has (the run is tried again)'
      throw new TaskFailure('Failed', message, { retriable: true })
    }
    let count = 0
    for (const object of lastMadeFirst(due, options.made)) {
      if (!(await this.remove(object, options))) continue
      options.removed?.(object)
      count++
    }
    return count
  }

  /**
   * Removes one object, or releases it if it is retained. Returns false if there was nothing of ours to remove.
   *
   * `seen` may come from a cache. Only the live object decides.
   */
  async remove(seen: KubeObject, options: RemoveOptions): Promise<boolean> {
    const { owner, rules } = options
    const key = keyOf(seen)
    if (rules.isAllowed(key.namespace, 'write')) return this.#removeLive(seen, options)
    try {
      if (canOwn(owner.key, key)) return await this.#removeLive(seen, options)
    } catch (error) {
      // The operator may have lost the right together with the namespace of the entry.
      if (toFailedOutcome(error).reason !== 'Forbidden') throw error
    }
    if ((await this.proven([seen], options)).length > 0) {
      const message = 'cannot remove an object: its namespace is not allowed any more'
      this.#tools.logger.warn(message, { object: formatKey(key) })
    }
    return false
  }

  async #removeLive(seen: KubeObject, options: RemoveOptions): Promise<boolean> {
    const { client, mapper, caches, applier, jobs } = this.#tools
    const { owner, signal } = options
    const gvk = gvkOf(seen)
    const key = keyOf(seen)
    const mapping = await mapper.mappingFor(gvk)
    const live = await attempt({ verb: 'get', mapping, key }, () => client.get(gvk, key, { signal }))
    if (!live || live.metadata.uid !== seen.metadata.uid || (await this.proven([live], options)).length === 0)
      return false
    applier.forget(owner, live)
    if (options.orphan || isRetained(live)) return this.#releaseChild(live, { ...options, mapping })
    if (isTerminating(live)) return true
    if (!isTerminating(owner.resource)) await jobs?.dropNote(live, owner, signal)
    const answer = await deleteSeen(client, live, { mapping, propagation: options.propagation, signal })
    if (answer?.kind === 'Status') caches.removed(gvk, key, uidOf(live))
    return true
  }

  /** Removes our marks from an object that stays. @throws TaskFailure when it has changed, or is gone */
  async #releaseChild(
    live: KubeObject,
    { owner, mapping, signal }: RemoveOptions & { readonly mapping: ResourceMapping },
  ): Promise<boolean> {
    const { uid, resourceVersion, ownerReferences = [] } = live.metadata
    const metadata = {
      uid,
      resourceVersion,
      labels: { [OWNER_UID_LABEL]: null },
      annotations: Object.fromEntries(MARKS.map((mark) => [mark, null])),
      ownerReferences: ownerReferences.filter((reference) => reference.uid !== owner.uid),
    }
    const patch = { type: 'merge', body: { metadata } } as const
    const [gvk, key] = [gvkOf(live), keyOf(live)]
    const send = () => this.#tools.client.patch(gvk, key, patch, { fieldManager: FIELD_MANAGER, signal })
    try {
      await attempt({ verb: 'patch', mapping, key }, send)
      return true
    } catch (error) {
      if (!isOtherObject(error)) throw error
      const message = `cannot release ${formatObject(live)}: it changed meanwhile`
      throw new TaskFailure('Failed', message, { retriable: true, cause: error })
    }
  }

  async #collect(
    role: Role,
    { owner, signal }: OwnerContext,
    read: (gvk: Gvk) => Promise<readonly KubeObject[]>,
  ): Promise<readonly KubeObject[]> {
    const { own } = await this.#tools.ledger.entryFor(owner.gvk, signal)
    const kinds = await writtenKinds(ownKindsOf(role), own, this.#tools.mapper)
    const found: KubeObject[] = []
    for (const kind of kinds.toReversed()) {
      const objects = await this.#reader.read(kind, read)
      found.push(...objects.toSorted(newestFirst))
    }
    return found
  }
}

function newestFirst(left: KubeObject, right: KubeObject): number {
  const timeOf = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? ''
  const byName = formatKey(keyOf(right)).localeCompare(formatKey(keyOf(left)))
  return timeOf(right).localeCompare(timeOf(left)) || byName
}

/** Sorts objects in the reverse order of the tasks that made them. Objects of unknown order come last, in the given order. */
export function lastMadeFirst(objects: readonly KubeObject[], made: readonly string[]): readonly KubeObject[] {
  const places = new Map(made.map((id, place) => [id, place]))
  const placeOf = (object: KubeObject): number => places.get(idOf(object)) ?? -1
  return objects.toSorted((left, right) => placeOf(right) - placeOf(left))
}

const MARKS = [
  OWNER_ANNOTATION,
  OPERATOR_ANNOTATION,
  APPLIED_ANNOTATION,
  RETAIN_ANNOTATION,
  ADOPT_FROM_ANNOTATION,
  FINALIZE_ANNOTATION,
]

/** The kinds of objects that a role makes, in the order of its tasks. */
export function ownKindsOf(role: Role): readonly Gvk[] {
  return uniqueKinds(role.permissions.filter(({ access }) => access === 'own').map(({ gvk }) => gvk))
}

/** The kinds of foreign objects that a role patches. */
export function patchKindsOf(role: Role): readonly Gvk[] {
  return uniqueKinds(role.permissions.filter(({ access }) => access === 'patch').map(({ gvk }) => gvk))
}

/** Each kind once, in the version that comes last. */
export function uniqueKinds(gvks: readonly Gvk[]): readonly Gvk[] {
  return [...new Map(gvks.map((gvk) => [formatGroupKind(gvk), gvk])).values()]
}

/** Lists only those in namespaces where the rules let a role write. */
export async function listWritable(
  { client, mapper }: Pick<EngineOptions, 'client'> & { readonly mapper: Pick<ResourceMapper, 'mappingFor'> },
  gvk: Gvk,
  { rules, ...query }: Omit<LiveQuery, 'namespaces'> & { readonly rules: NamespaceRules },
): Promise<readonly KubeObject[]> {
  const { namespaced } = await mapper.mappingFor(gvk)
  return listLive(client, gvk, { ...query, namespaces: namespaced ? rules.reach('write') : undefined })
}

export interface PatchedObjectsTools extends InventoryTools {
  readonly patcher: ObjectPatcher
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
