import type { JsonObject } from '../../../../core/base/json.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import { matcherOf } from '../../kinds/common/label-selectors.ts'
import type { ObjectApi, ObjectEvent } from '../../object-api.ts'
import { LabelIndex } from './label-index.ts'
import { isDeleting, specOf } from './objects.ts'
import { controllerOf, controllerReference, type OwnedKinds, OwnedObjects } from './owned-objects.ts'

type Labels = { readonly [name: string]: string }

/**
 * Objects that a workload owns, and those it may take as its own: without controller, with the labels that its selector
 * wants. Word of a change of either goes to the owner's key.
 */
export class ClaimedObjects {
  readonly stop: () => void
  readonly #api: ObjectApi
  readonly #kinds: OwnedKinds
  readonly #owned: OwnedObjects
  readonly #all: LabelIndex
  readonly #owners: LabelIndex
  readonly #onChange: (owner: ObjectKey) => void

  constructor(api: ObjectApi, kinds: OwnedKinds, onChange: (owner: ObjectKey) => void) {
    this.#api = api
    this.#kinds = kinds
    this.#onChange = onChange
    this.#owned = new OwnedObjects(api, kinds, onChange)
    this.#owners = new LabelIndex(api, kinds.owner, () => undefined, wantedLabels)
    this.#all = new LabelIndex(api, kinds.owned, (event) => this.#follow(event))
    this.stop = () => {
      this.#owned.stop()
      this.#owners.stop()
      this.#all.stop()
    }
  }

  of(owner: KubeObject): readonly KubeObject[] {
    return this.#owned.of(owner)
  }

  /** Takes what fits and has no controller, lets go of what does not fit any more, and returns what it owns then. */
  claim(owner: KubeObject, fits: (object: KubeObject) => boolean = () => true): readonly KubeObject[] {
    const matches = matcherOf(selectorOf(owner))
    if (!matches || isDeleting(owner)) return this.of(owner)
    const isWanted = ({ metadata }: KubeObject): boolean => matches(metadata.labels ?? {})
    for (const object of this.#candidates(owner)) {
      const isFree = controllerOf(object) === undefined && !isDeleting(object)
      if (isFree && isWanted(object) && fits(object)) this.#own(object, owner)
    }
    for (const object of this.of(owner)) if (!isWanted(object) && !isDeleting(object)) this.#release(object, owner)
    return this.of(owner)
  }

  #candidates(owner: KubeObject): readonly KubeObject[] {
    const { namespace } = keyOf(owner)
    const labels = wantedLabels(owner)
    if (Object.keys(labels).length > 0) return this.#all.select(namespace, labels)
    return this.#api.list(this.#kinds.owned, { namespace })
  }

  #own(object: KubeObject, owner: KubeObject): void {
    const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(owner)]
    this.#api.update({ ...object, metadata: { ...object.metadata, ownerReferences } }, CONTROLLER_MANAGER)
  }

  #release(object: KubeObject, owner: KubeObject): void {
    const ownerReferences = object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid)
    this.#api.update({ ...object, metadata: { ...object.metadata, ownerReferences } }, CONTROLLER_MANAGER)
  }

  #follow({ object, type }: ObjectEvent): void {
    if (type === 'DELETED' || controllerOf(object)) return
    const { namespace = '', labels = {} } = object.metadata
    for (const owner of this.#owners.coveredBy(namespace, labels)) this.#onChange(keyOf(owner))
  }
}

/** The labels that a selector wants to be equal; its other requirements are looked at later. */
function wantedLabels(owner: KubeObject): Labels {
  return objectAt(selectorOf(owner), 'matchLabels') as Labels
}

/** ReplicationControllers have a map of labels instead. */
function selectorOf(owner: KubeObject): JsonObject {
  const selector = objectAt(specOf(owner), 'selector')
  const isMap = selector.matchLabels === undefined && selector.matchExpressions === undefined
  return isMap ? { matchLabels: selector } : selector
}
