import type { OwnerReference } from '../../../core/kube/object.ts'
import type { StoredObject, StoreEvent } from '../store/stored-object.ts'

/** Who is owned by whom, by uid. */
export class OwnerIndex {
  readonly #objects = new Map<string, StoredObject>()
  readonly #dependents = new Map<string, Map<string, StoredObject>>()

  /** Takes in one change of the store. */
  apply({ type, current, previous }: StoreEvent): void {
    const uid = uidOf(current)
    if (previous) for (const owner of ownersOf(previous)) this.#remove(owner.uid, uidOf(previous))
    if (type === 'DELETED') {
      this.#objects.delete(uid)
      return
    }
    this.#objects.set(uid, current)
    for (const reference of ownersOf(current)) this.#add(reference.uid, current)
  }

  get(uid: string): StoredObject | undefined {
    return this.#objects.get(uid)
  }

  /** Every object that refers to this owner. */
  dependentsOf(uid: string): readonly StoredObject[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])]
  }

  #add(owner: string, dependent: StoredObject): void {
    const dependents = this.#dependents.get(owner) ?? new Map<string, StoredObject>()
    this.#dependents.set(owner, dependents.set(uidOf(dependent), dependent))
  }

  #remove(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner)
    if (!dependents?.delete(dependent)) return
    if (dependents.size === 0) this.#dependents.delete(owner)
  }
}

/** Every object has one once it is stored. */
export function uidOf(stored: StoredObject): string {
  return stored.object.metadata.uid as string
}

export function ownersOf(stored: StoredObject): readonly OwnerReference[] {
  return stored.object.metadata.ownerReferences ?? []
}
