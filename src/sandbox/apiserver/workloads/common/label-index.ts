import type { Gvk } from '../../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../../core/kube/object.ts'
import type { ObjectApi, ObjectEvent } from '../../object-api.ts'

type Labels = { readonly [name: string]: string }

/** Objects of one kind, found by labels without looking at all of them. */
export class LabelIndex {
  readonly stop: () => void
  readonly #byKey = new Map<string, Map<string, KubeObject>>()
  readonly #labelsOf: (object: KubeObject) => Labels

  /** `labelsOf` are the pairs an object is found by. Defaults to its labels. */
  constructor(
    api: ObjectApi,
    gvk: Gvk,
    onChange: (event: ObjectEvent) => void,
    labelsOf: (object: KubeObject) => Labels = ({ metadata }) => metadata.labels ?? {},
  ) {
    this.#labelsOf = labelsOf
    this.stop = api.subscribe(gvk, (event) => {
      if (event.old) this.#remove(event.old)
      if (event.type === 'DELETED') this.#remove(event.object)
      else this.#add(event.object)
      onChange(event)
    })
    for (const object of api.list(gvk)) this.#add(object)
  }

  /** Objects of a namespace that have all of these labels. There must be at least one label. */
  select(namespace: string, labels: Labels): readonly KubeObject[] {
    const sets = keysOf(namespace, labels).map((key) => this.#byKey.get(key) ?? NOTHING)
    const smallest = sets.reduce((found, set) => (set.size < found.size ? set : found))
    return [...smallest.values()].filter((object) => sets.every((set) => set.has(keyOf(object).name)))
  }

  /** Objects of a namespace whose pairs are all among these labels. */
  coveredBy(namespace: string, labels: Labels): readonly KubeObject[] {
    const found = new Set<KubeObject>()
    for (const key of [...keysOf(namespace, {}), ...keysOf(namespace, labels)]) {
      for (const object of this.#byKey.get(key)?.values() ?? []) found.add(object)
    }
    return [...found].filter((object) =>
      Object.entries(this.#labelsOf(object)).every(([name, value]) => labels[name] === value),
    )
  }

  #add(object: KubeObject): void {
    const { name, namespace } = keyOf(object)
    for (const key of keysOf(namespace, this.#labelsOf(object))) {
      this.#byKey.set(key, (this.#byKey.get(key) ?? new Map()).set(name, object))
    }
  }

  #remove(object: KubeObject): void {
    const { name, namespace } = keyOf(object)
    for (const key of keysOf(namespace, this.#labelsOf(object))) {
      const objects = this.#byKey.get(key)
      objects?.delete(name)
      if (objects?.size === 0) this.#byKey.delete(key)
    }
  }
}

const NOTHING: ReadonlyMap<string, KubeObject> = new Map()

/** Objects without pairs have a key in common. */
function keysOf(namespace: string, labels: Labels): readonly string[] {
  const pairs = Object.entries(labels)
  return pairs.length === 0 ? [namespace] : pairs.map(([name, value]) => `${namespace}/${name}=${value}`)
}
