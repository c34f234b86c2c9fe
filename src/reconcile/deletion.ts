import type { KubeClient } from '../kube/client.ts'
import { hasFinalizer, isTerminating } from '../kube/finalizer.ts'
import { gvkOf } from '../kube/group-version-kind.ts'
import { formatObject, type KubeObject, keyOf } from '../kube/object.ts'
import { canOwn } from '../kube/owner-reference.ts'
import type { Role } from '../role/role.ts'
import { lastMadeFirst, type ManagedObjects } from './managed-objects.ts'
import { FINALIZE_ANNOTATION, FINALIZED_ANNOTATION, FINALIZER, isRetained, type Owner } from './marks.ts'
import type { NamespaceRules } from './namespace-rules.ts'
import type { PatchedObjects } from './patched-objects.ts'
import { keepsChildren, notedPropagation, propagationNote, propagationOf } from './propagation.ts'
import type { ResourceFinalizer } from './resource-finalizer.ts'
import type { ResourceMemory } from './resource-memory.ts'

export interface DeletionTools {
  readonly client: KubeClient
  readonly managedObjects: ManagedObjects
  readonly patchedObjects: PatchedObjects
  readonly finalizer: ResourceFinalizer
}

export interface Departure {
  readonly owner: Owner
  readonly entry: { readonly role: Role }
  readonly rules: NamespaceRules
  readonly memory: Pick<ResourceMemory, 'made' | 'propagation'>
  readonly signal: AbortSignal
  /** Told of each object that is deleted. */
  removed?(object: KubeObject): void
  /** Told of objects that stay because it is in doubt whether they may be deleted. */
  kept?(objects: readonly KubeObject[]): void
}

/** `blockedBy` names what is still there, for people; `owner` is the resource as it is then. */
export type DeletionState =
  | { readonly kind: 'done' }
  | { readonly kind: 'waiting'; readonly blockedBy: string; readonly owner: Owner }

/**
 * The end of a resource, after its `finalize` tasks: fields in foreign objects are released, children that the garbage
 * collector cannot reach are deleted and seen gone, the last made first but those that `finalize` made after the others;
 * retained ones are let go; then our finalizer goes, and with it the resource.
 */
export class Deletion {
  readonly #tools: DeletionTools

  constructor(tools: DeletionTools) {
    this.#tools = tools
  }

  /** The resource has a deletion mark. */
  async finish(departure: Departure): Promise<DeletionState> {
    if (!hasFinalizer(departure.owner.resource, FINALIZER)) return { kind: 'done' }
    const { key } = departure.owner
    return this.#leave(departure, (object) => isRetained(object) || isFinal(object) || !canOwn(key, keyOf(object)))
  }

  /** The resource stays, but no watch entry selects it any more: all of its children go. */
  async tearDown(departure: Departure): Promise<DeletionState> {
    return this.#leave(departure, () => true)
  }

  async #leave(departure: Departure, isDue: (object: KubeObject) => boolean): Promise<DeletionState> {
    const { managedObjects, patchedObjects, finalizer } = this.#tools
    const { signal, memory } = departure
    const { role } = departure.entry
    const inventory = await managedObjects.liveInventory(role, departure)
    const due = lastMadeFirst(inventory.filter(isDue), memory.made)
    const marks = marksFor(departure, due)
    const isMarkDue = Object.keys(marks).length > 0
    const owner = isMarkDue ? await finalizer.annotate(departure.owner, marks, signal) : departure.owner
    await patchedObjects.releaseAll(role, departure)
    const propagation = propagationOf(departure)
    const orphan = keepsChildren(propagation)
    const lasting = due.filter(isLasting)
    if (propagation === 'Unknown' && lasting.length > 0) departure.kept?.(lasting)
    for (const last of [false, true]) {
      const objects = due.filter((object) => isFinal(object) === last)
      const remaining = await this.#remove(objects, { ...departure, orphan: orphan && !last })
      if (remaining) return { kind: 'waiting', blockedBy: `${formatObject(remaining)} is being deleted`, owner }
    }
    const held = orphan ? undefined : await managedObjects.outOfReach(role, departure)
    if (held) return { kind: 'waiting', blockedBy: refusal(held), owner }
    await finalizer.remove(owner, signal)
    return { kind: 'done' }
  }

  /** One of the objects that is still there afterwards, if any. */
  async #remove(
    objects: readonly KubeObject[],
    departure: Departure & { orphan: boolean },
  ): Promise<KubeObject | undefined> {
    const removed: KubeObject[] = []
    for (const object of objects) {
      if (!(await this.#tools.managedObjects.remove(object, departure))) continue
      removed.push(object)
      if (!departure.orphan && !isRetained(object) && !isTerminating(object)) departure.removed?.(object)
    }
    return this.#remaining(departure.orphan ? [] : removed, departure.signal)
  }

  /** One of the objects that is still there, if any. */
  async #remaining(removed: readonly KubeObject[], signal: AbortSignal): Promise<KubeObject | undefined> {
    for (const object of removed.filter((one) => !isRetained(one))) {
      const live = await this.#tools.client.get(gvkOf(object), keyOf(object), { signal, metadataOnly: true })
      if (live?.metadata.uid === object.metadata.uid) return object
    }
    return undefined
  }
}

/** Whether `finalize` tasks are still to be run, to their end, before anything of the resource goes. */
export function mustFinalize({ owner: { resource, uid }, entry }: Pick<Departure, 'owner' | 'entry'>): boolean {
  if (entry.role.finalize === undefined || !isTerminating(resource) || !hasFinalizer(resource, FINALIZER)) return false
  return resource.metadata.annotations?.[FINALIZED_ANNOTATION] !== uid
}

/** What is to be known of the resource also after a restart, before the first of the objects goes. */
function marksFor(departure: Departure, due: readonly KubeObject[]): Readonly<Record<string, string>> {
  const { owner } = departure
  const propagation = propagationOf(departure)
  const isNoteDue = propagation !== undefined && notedPropagation(owner) !== propagation && due.some(isLasting)
  return {
    ...(isNoteDue && hasFinalizer(owner.resource, FINALIZER) && propagationNote(owner, propagation)),
    ...(due.length > 0 && mustFinalize(departure) && { [FINALIZED_ANNOTATION]: owner.uid }),
  }
}

/** Whether the object outlives a resource that is deleted with `--cascade=orphan`, and goes otherwise. */
function isLasting(object: KubeObject): boolean {
  return !(isRetained(object) || isFinal(object))
}

function isFinal(object: KubeObject): boolean {
  return object.metadata.annotations?.[FINALIZE_ANNOTATION] === 'true'
}

function refusal(object: KubeObject): string {
  const remedy = 'list it under `allowedNamespaces.write` again, or delete the object'
  return `${formatObject(object)} may not be removed: its namespace is not allowed any more (${remedy})`
}
