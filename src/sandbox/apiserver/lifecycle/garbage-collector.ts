import { isConflict } from '../../../core/kube/api-error.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject, OwnerReference } from '../../../core/kube/object.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type PropagationPolicy } from '../../../core/kube/propagation.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { presentObject, withoutWebhook } from '../served-resource.ts'
import type { StoredObject, StoreEvent } from '../store/stored-object.ts'
import { withMeta } from '../write/object-meta.ts'
import type { ServerState } from '../write/write-request.ts'
import { DeferredWork } from './deferred-work.ts'
import { OwnerIndex, ownersOf, uidOf } from './owner-index.ts'

/** Deletes objects whose owners are gone, and does what the orphan and foreground policies ask for. */
export class GarbageCollector {
  readonly #state: ServerState
  readonly #index = new OwnerIndex()
  /** uids of objects to look at. */
  readonly #work: DeferredWork<string>

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#work = new DeferredWork((uid) => this.#process(uid), onError)
  }

  start(): () => void {
    const unsubscribe = this.#state.store.subscribe((event) => this.#note(event))
    return () => {
      unsubscribe()
      this.#work.stop()
    }
  }

  #note(event: StoreEvent): void {
    const { type, current, previous } = event
    this.#index.apply(event)
    if (type !== 'DELETED' && needsWork(current)) this.#work.add(uidOf(current))
    if (type === 'DELETED') {
      for (const dependent of this.#index.dependentsOf(uidOf(current))) this.#work.add(uidOf(dependent))
    }
    // An owner that waits for its dependents may have lost one.
    for (const { uid } of previous ? ownersOf(previous) : []) {
      const owner = this.#index.get(uid)
      if (owner && isEnding(owner, FOREGROUND_FINALIZER)) this.#work.add(uid)
    }
  }

  #process(uid: string): void {
    const stored = this.#index.get(uid)
    if (!stored) return
    if (isEnding(stored, ORPHAN_FINALIZER)) this.#orphanDependents(stored)
    else if (isEnding(stored, FOREGROUND_FINALIZER)) this.#deleteDependents(stored)
    else if (stored.object.metadata.deletionTimestamp === undefined) this.#collect(stored)
  }

  #orphanDependents(owner: StoredObject): void {
    for (const dependent of this.#index.dependentsOf(uidOf(owner))) {
      this.#dropOwners(dependent, ({ uid }) => uid !== uidOf(owner))
    }
    this.#dropFinalizer(owner, ORPHAN_FINALIZER)
  }

  #deleteDependents(owner: StoredObject): void {
    const dependents = this.#index.dependentsOf(uidOf(owner))
    const blocking = dependents.filter((dependent) => isBlocking(dependent, uidOf(owner)))
    if (blocking.length === 0) this.#dropFinalizer(owner, FOREGROUND_FINALIZER)
    for (const dependent of dependents) {
      if (dependent.object.metadata.deletionTimestamp === undefined) this.#collect(dependent)
    }
  }

  /** Deletes an object none of whose owners is left; of several owners, those that are gone are dropped. */
  #collect(stored: StoredObject): void {
    const references = ownersOf(stored)
    const states = new Map(references.map((reference) => [reference, this.#ownerState(stored, reference)]))
    if (references.length === 0 || [...states.values()].includes('unknown')) return
    const solid = references.filter((reference) => states.get(reference) === 'solid')
    if (solid.length === references.length) return
    if (solid.length > 0) {
      this.#dropOwners(stored, (reference) => states.get(reference) === 'solid')
      return
    }
    const isAwaited = [...states.values()].includes('waiting')
    const hasDependents = this.#index.dependentsOf(uidOf(stored)).length > 0
    this.#delete(stored, isAwaited && hasDependents ? 'Foreground' : policyOf(stored))
  }

  /** Owners live in the namespace of their dependent, or in none; a reference to another namespace finds nothing. */
  #ownerState(dependent: StoredObject, reference: OwnerReference): OwnerState {
    const { registry, store } = this.#state
    const gvk = gvkOf(reference)
    const resource = registry.ofKind(gvk) ?? registry.ofGroupKind(gvk)
    if (!resource || (resource.namespaced && dependent.namespace === '')) return 'unknown'
    const owner = store.get(resource.table, resource.namespaced ? dependent.namespace : '', reference.name)
    if (!owner || uidOf(owner) !== reference.uid) return 'absent'
    return isEnding(owner, FOREGROUND_FINALIZER) ? 'waiting' : 'solid'
  }

  #delete(stored: StoredObject, propagationPolicy: PropagationPolicy): void {
    const { namespace, name } = stored
    const uid = uidOf(stored)
    this.#state.objects.delete(gvkOf(stored.object), { namespace, name }, { uid, propagationPolicy })
  }

  #dropOwners(stored: StoredObject, keeps: (reference: OwnerReference) => boolean): void {
    const ownerReferences = ownersOf(stored).filter(keeps)
    this.#update(stored, (object) => withMeta(object, { ownerReferences }))
  }

  #dropFinalizer(stored: StoredObject, finalizer: string): void {
    const finalizers = stored.object.metadata.finalizers?.filter((name) => name !== finalizer)
    this.#update(stored, (object) => withMeta(object, { finalizers }))
  }

  #update(stored: StoredObject, change: (object: KubeObject) => KubeObject): void {
    const resource = this.#state.registry.ofTable(stored.resource)
    if (!resource) return
    try {
      this.#state.objects.update(change(presentObject(withoutWebhook(resource), stored.object)), CONTROLLER_MANAGER)
    } catch (error) {
      if (!isConflict(error)) throw error
      this.#work.add(uidOf(stored))
    }
  }
}

type OwnerState = 'solid' | 'absent' | 'waiting' | 'unknown'

function needsWork(stored: StoredObject): boolean {
  return ownersOf(stored).length > 0 || isEnding(stored, ORPHAN_FINALIZER) || isEnding(stored, FOREGROUND_FINALIZER)
}

/** In deletion, and held by this finalizer. */
function isEnding({ object }: StoredObject, finalizer: string): boolean {
  const { deletionTimestamp, finalizers } = object.metadata
  return deletionTimestamp !== undefined && finalizers?.includes(finalizer) === true
}

function isBlocking(dependent: StoredObject, owner: string): boolean {
  return ownersOf(dependent).some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true)
}

/** A finalizer on the object itself says what becomes of its own dependents. */
function policyOf({ object }: StoredObject): PropagationPolicy {
  const { finalizers = [] } = object.metadata
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan'
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background'
}
