import type { Gvk } from '../../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey, type OwnerReference } from '../../../../core/kube/object.ts'
import type { ObjectApi, ObjectEvent } from '../../object-api.ts'
import { uidOf } from './objects.ts'

/** The owner that controls an object. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)
}

/** The owner reference by which a workload controls what it makes. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name = '', uid = '' } = owner.metadata
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true }
}

export interface OwnedKinds {
  readonly owned: Gvk
  readonly owner: Gvk
}

/** Objects of one kind by the uid of the owner that controls them, and word of every change to the owner's key. */
export class OwnedObjects {
  readonly stop: () => void
  readonly #byOwner = new Map<string, Map<string, KubeObject>>()
  readonly #ownerKind: string
  readonly #onChange: (owner: ObjectKey, event: ObjectEvent) => void

  constructor(api: ObjectApi, kinds: OwnedKinds, onChange: (owner: ObjectKey, event: ObjectEvent) => void) {
    this.#ownerKind = kinds.owner.kind
    this.#onChange = onChange
    this.stop = api.subscribe(kinds.owned, (event) => this.#follow(event))
    for (const object of api.list(kinds.owned)) this.#put(object)
  }

  /** In the order in which they were made. */
  of(owner: KubeObject): readonly KubeObject[] {
    return [...(this.#byOwner.get(uidOf(owner))?.values() ?? [])]
  }

  #follow(event: ObjectEvent): void {
    const { type, object, old } = event
    if (old && this.#ownerOf(old)?.uid !== this.#ownerOf(object)?.uid) this.#remove(old, event)
    if (type === 'DELETED') this.#remove(object, event)
    else this.#put(object, event)
  }

  #put(object: KubeObject, event?: ObjectEvent): void {
    const owner = this.#ownerOf(object)
    if (!owner) return
    const siblings = this.#byOwner.get(owner.uid) ?? new Map<string, KubeObject>()
    this.#byOwner.set(owner.uid, siblings.set(uidOf(object), object))
    this.#recordEvent(object, owner, event)
  }

  #remove(object: KubeObject, event: ObjectEvent): void {
    const owner = this.#ownerOf(object)
    if (!owner) return
    const siblings = this.#byOwner.get(owner.uid)
    siblings?.delete(uidOf(object))
    if (siblings?.size === 0) this.#byOwner.delete(owner.uid)
    this.#recordEvent(object, owner, event)
  }

  #recordEvent(object: KubeObject, { name }: OwnerReference, event: ObjectEvent | undefined): void {
    if (event) this.#onChange({ namespace: keyOf(object).namespace, name }, event)
  }

  #ownerOf(object: KubeObject): OwnerReference | undefined {
    const owner = controllerOf(object)
    return owner?.kind === this.#ownerKind ? owner : undefined
  }
}
