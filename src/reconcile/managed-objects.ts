import type { Logger } from '../base/logger.ts'
import type { KubeClient } from '../kube/client.ts'
import { isTerminating } from '../kube/finalizer.ts'
import { formatGroupKind, type GroupKind, type Gvk, gvkOf } from '../kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, keyOf, type ObjectKey } from '../kube/object.ts'
import { canOwn } from '../kube/owner-reference.ts'
import type { ResourceMapper, ResourceMapping } from '../kube/resource-mapper.ts'
import type { Role } from '../role/role.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { toFailedOutcome } from '../role/to-failed-outcome.ts'
import type { ObjectApplier } from './apply-object.ts'
import type { CompletedJobs } from './completed-jobs.ts'
import { deleteSeen } from './delete-seen.ts'
import type { Ledger } from './ledger.ts'
import { listWritable } from './list-live.ts'
import {
  ADOPT_FROM_ANNOTATION,
  APPLIED_ANNOTATION,
  FIELD_MANAGER,
  FINALIZE_ANNOTATION,
  isRetained,
  OPERATOR_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_LABEL,
  type Owner,
  RETAIN_ANNOTATION,
  uidOf,
} from './marks.ts'
import type { NamespaceRules } from './namespace-rules.ts'
import type { ObjectCaches } from './object-caches.ts'
import { isProvenOurs } from './ownership.ts'
import { attempt, isOtherObject } from './request-failure.ts'
import { WrittenKindReader, writtenKinds } from './written-kinds.ts'

export interface ManagedObjectsTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly caches: ObjectCaches
  readonly ledger: Ledger
  readonly applier: ObjectApplier
  /** Absent: nothing is noted of Jobs. */
  readonly jobs?: CompletedJobs | undefined
  readonly logger: Logger
}

interface OwnerContext {
  readonly owner: Owner
  readonly signal: AbortSignal
}

export interface RemoveOptions extends OwnerContext {
  readonly rules: NamespaceRules
  /** Objects lose our marks and stay. */
  readonly orphan?: boolean | undefined
  /** `Foreground`: an object stays until what depends on it is gone. Defaults to `Background`. */
  readonly propagation?: 'Background' | 'Foreground' | undefined
}

export interface PruneOptions extends RemoveOptions {
  /** What runs have made, in the order of their tasks. */
  readonly made: readonly string[]
  isConfirmed(): Promise<boolean>
  /** Told of each object that went. */
  removed?(object: KubeObject): void
}

/** What a resource owns, and how it is removed: each object after a live read, by uid and resourceVersion. */
export class ManagedObjects {
  readonly #tools: ManagedObjectsTools
  readonly #reader: WrittenKindReader

  constructor(tools: ManagedObjectsTools) {
    this.#tools = tools
    this.#reader = new WrittenKindReader(tools.logger)
  }

  /**
   * Everything that carries the owner's label, of all kinds that the role makes or ever made, in the reverse order of
   * kinds in the role, of each the newest first. As the caches show it; an object in the list is not yet proven to be ours.
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
    const ids = new Set(listed.map((object) => objectId(gvkOf(object), keyOf(object))))
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

  /** Those of the objects that are proven to be ours. */
  async proven(objects: readonly KubeObject[], { owner, signal }: OwnerContext): Promise<readonly KubeObject[]> {
    const { name } = await this.#tools.ledger.installation(signal)
    return objects.filter((object) => isProvenOurs(object, owner, name))
  }

  /**
   * An object of the owner that no garbage collector removes and that may not be removed by us, since its namespace is no
   * longer allowed. As the caches show it: nothing is asked where nothing may be written.
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
   * Deletes what a complete run did not make, after `isConfirmed` says that the run saw what is really there.
   * Returns how many objects went.
   */
  async prune(wanted: ReadonlySet<string>, role: Role, options: PruneOptions): Promise<number> {
    const inventory = await this.inventory(role, options)
    const due = inventory.filter((one) => !wanted.has(objectId(gvkOf(one), keyOf(one))) && !isTerminating(one))
    if (due.length > 0 && !(await options.isConfirmed())) {
      const message = 'what the role read is not what the server has: nothing is removed yet'
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
   * Removes one object, or lets go of it when it is retained. False: there was nothing of ours to remove.
   *
   * `seen` is what a cache showed; what counts is the live object.
   */
  async remove(seen: KubeObject, options: RemoveOptions): Promise<boolean> {
    const { owner, rules } = options
    const key = keyOf(seen)
    if (rules.isAllowed(key.namespace, 'write')) return this.#removeLive(seen, options)
    try {
      if (canOwn(owner.key, key)) return await this.#removeLive(seen, options)
    } catch (error) {
      // The rights of the operator end where the entry does.
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
    if (options.orphan || isRetained(live)) return this.#letGo(live, { ...options, mapping })
    if (isTerminating(live)) return true
    if (!isTerminating(owner.resource)) await jobs?.dropNote(live, owner, signal)
    const answer = await deleteSeen(client, live, { mapping, propagation: options.propagation, signal })
    if (answer?.kind === 'Status') caches.removed(gvk, key, uidOf(live))
    return true
  }

  /** Takes our marks from an object that stays. @throws TaskFailure when it has changed, or gone */
  async #letGo(
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
      const message = `${formatObject(live)} changed while it was let go of`
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

/** In the reverse order of the tasks that made them; those of which that is not known come after, as they are. */
export function lastMadeFirst(objects: readonly KubeObject[], made: readonly string[]): readonly KubeObject[] {
  const places = new Map(made.map((id, place) => [id, place]))
  const placeOf = (object: KubeObject): number => places.get(objectId(gvkOf(object), keyOf(object))) ?? -1
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

/** Each kind once, whatever its version: as it comes last. */
export function uniqueKinds(gvks: readonly Gvk[]): readonly Gvk[] {
  return [...new Map(gvks.map((gvk) => [formatGroupKind(gvk), gvk])).values()]
}

/** The text that stands for an object as a key, whatever its version. */
export function objectId(kind: GroupKind, key: ObjectKey): string {
  return `${formatGroupKind(kind)} ${formatKey(key)}`
}
