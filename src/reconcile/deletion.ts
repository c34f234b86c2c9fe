import type { KubeClient } from '../kube/client.ts'
import { hasFinalizer, isTerminating } from '../kube/finalizer.ts'
import { gvkOf } from '../kube/group-version-kind.ts'
import { formatObject, type KubeObject, keyOf } from '../kube/object.ts'
import { canOwn, isOwnedBy } from '../kube/owner-reference.ts'
import { ORPHAN_FINALIZER } from '../kube/propagation.ts'
import { lastMadeFirst, type ManagedObjects } from './managed-objects.ts'
import { FINALIZE_ANNOTATION, FINALIZED_ANNOTATION, FINALIZER, isRetained, type Owner } from './marks.ts'
import type { NamespaceRules } from './namespace-rules.ts'
import type { PatchedObjects } from './patched-objects.ts'
import { keepsChildren, notedPropagation, propagationNote, propagationOf } from './propagation.ts'
import type { ResourceFinalizer } from './resource-finalizer.ts'
import type { ResourceMemory } from './resource-memory.ts'
import type { DeletionSettings, WatchEntry } from './watch-entry.ts'

export interface DeletionTools {
  readonly client: KubeClient
  readonly managedObjects: ManagedObjects
  readonly patchedObjects: PatchedObjects
  readonly finalizer: ResourceFinalizer
}

export interface Departure {
  readonly owner: Owner
  readonly entry: Pick<WatchEntry, 'role' | 'deletion'>
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
 * collector cannot reach are deleted and seen gone (all children where the entry says so), the last made first but those that
 * `finalize` made after the others; retained ones are let go; then our finalizer goes, and with it the resource.
 */
export class Deletion {
  readonly #tools: DeletionTools

  constructor(tools: DeletionTools) {
    this.#tools = tools
  }

  /** The resource has a deletion mark. */
  async finish(departure: Departure): Promise<DeletionState> {
    const { owner, entry } = departure
    if (!hasFinalizer(owner.resource, FINALIZER)) return { kind: 'done' }
    const propagation = propagationOf(departure)
    const isForeground = entry.deletion.propagation === 'foreground' && !keepsChildren(propagation)
    const isLate = propagation === 'Orphan' && !hasFinalizer(owner.resource, ORPHAN_FINALIZER)
    const isDue = (object: KubeObject): boolean =>
      isForeground ||
      !isLasting(object) ||
      !canOwn(owner.key, keyOf(object)) ||
      (isLate && isOwnedBy(object, owner.uid))
    return this.#leave(departure, isDue, isForeground ? entry.deletion : BACKGROUND)
  }

  /** The resource stays, but no watch entry selects it any more: all of its children go. */
  async tearDown(departure: Departure): Promise<DeletionState> {
    return this.#leave(departure, () => true, BACKGROUND)
  }

  async #leave(
    departure: Departure,
    isDue: (object: KubeObject) => boolean,
    settings: DeletionSettings,
  ): Promise<DeletionState> {
    const { managedObjects, patchedObjects, finalizer } = this.#tools
    const { signal, memory } = departure
    const { role } = departure.entry
    const inventory = await managedObjects.liveInventory(role, departure)
    const due = lastMadeFirst(inventory.filter(isDue), memory.made)
    const marks = marksFor(departure, due)
    const isMarkDue = Object.keys(marks).length > 0
    const owner = isMarkDue ? await finalizer.annotate(departure.owner, marks, signal) : departure.owner
    await patchedObjects.releaseAll(role, departure)
    const orphan = keepsChildren(propagationOf(departure))
    if (orphan) await this.#tellKept(due, departure)
    for (const last of [false, true]) {
      const objects = due.filter((object) => isFinal(object) === last)
      const remaining = await this.#remove(objects, { ...departure, ...settings, orphan: orphan && !last })
      if (remaining) return { kind: 'waiting', blockedBy: goingText(remaining), owner }
    }
    const held = orphan ? undefined : await managedObjects.outOfReach(role, departure)
    if (held) return { kind: 'waiting', blockedBy: refusal(held), owner }
    await finalizer.remove(owner, signal)
    return { kind: 'done' }
  }

  async #tellKept(due: readonly KubeObject[], departure: Departure): Promise<void> {
    if (propagationOf(departure) !== 'Unknown') return
    const kept = await this.#tools.managedObjects.proven(due.filter(isLasting), departure)
    if (kept.length > 0) departure.kept?.(kept)
  }

  /** One of the objects that is still there afterwards, as it is then, if any. */
  async #remove(objects: readonly KubeObject[], removal: Removal): Promise<KubeObject | undefined> {
    // After a restart the order may be another one: those that are on their way out are waited for first.
    const [going = [], others = []] = [true, false].map((is) => objects.filter((one) => isTerminating(one) === is))
    const steps = removal.order === 'reverse' ? [going, ...others.map((object) => [object])] : [objects]
    for (const step of steps) {
      const remaining = await this.#remaining(await this.#removeAll(step, removal), removal.signal)
      if (remaining) return remaining
    }
    return undefined
  }

  /** Those that are to be seen gone. */
  async #removeAll(objects: readonly KubeObject[], removal: Removal): Promise<readonly KubeObject[]> {
    const { orphan, owner, rules, signal } = removal
    const propagation = removal.propagation === 'foreground' ? 'Foreground' : 'Background'
    const removed: KubeObject[] = []
    for (const object of objects) {
      const isRemoved = await this.#tools.managedObjects.remove(object, { owner, rules, signal, orphan, propagation })
      if (!isRemoved || orphan || isRetained(object)) continue
      removed.push(object)
      if (!isTerminating(object)) removal.removed?.(object)
    }
    return removed
  }

  /** One of the objects that is still there, if any. */
  async #remaining(removed: readonly KubeObject[], signal: AbortSignal): Promise<KubeObject | undefined> {
    for (const object of removed) {
      const live = await this.#tools.client.get(gvkOf(object), keyOf(object), { signal, metadataOnly: true })
      if (live && live.metadata.uid === object.metadata.uid) return { ...object, metadata: live.metadata }
    }
    return undefined
  }
}

const BACKGROUND: DeletionSettings = { propagation: 'background' }

interface Removal extends Departure, DeletionSettings {
  readonly orphan: boolean
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
export function isLasting(object: KubeObject): boolean {
  return !(isRetained(object) || isFinal(object))
}

function isFinal(object: KubeObject): boolean {
  return object.metadata.annotations?.[FINALIZE_ANNOTATION] === 'true'
}

/** What still keeps an object that is deleted, in words that stay the same as long as that does. */
function goingText(object: KubeObject): string {
  const finalizers = (object.metadata.finalizers ?? []).toSorted()
  const text = `${formatObject(object)} is being deleted`
  if (finalizers.length === 0) return text
  const [noun, verb] = finalizers.length === 1 ? ['finalizer', 'is'] : ['finalizers', 'are']
  return `${text}: ${noun} ${finalizers.join(', ')} ${verb} still set`
}

function refusal(object: KubeObject): string {
  const remedy = 'list it under `allowedNamespaces.write` again, or delete the object'
  return `${formatObject(object)} may not be removed: its namespace is not allowed any more (${remedy})`
}
